"""Memory that the allocator holds unused goes back to the system.

What piled up for peers that do not read is freed in pieces between others that stay, and glibc gives back
by itself only what lies at the end. Elsewhere than on glibc nothing is done: that allocator knows best.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

M_MMAP_THRESHOLD = -3
"""Its number in glibc's malloc.h."""
LARGE = 64 * 1024
"""Bytes from which a piece is a mapping of its own, which goes back when it is freed. Left alone, glibc
raises this with what is freed."""
UNUSED = 16 * 1024 * 1024
"""Unused bytes that are worth the few milliseconds."""


class _Usage(ctypes.Structure):
    """`struct mallinfo2`; `fordblks` is what is held unused."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
        "keepcost",
    )]  # fmt: skip


def _glibc() -> Any:
    try:
        library = ctypes.CDLL(None)
        library.mallinfo2.restype = _Usage
        there = library.malloc_trim and library.mallopt and Path("/proc/self/statm").exists()
        return library if there else None
    except (OSError, AttributeError, TypeError):
        return None


_library = _glibc()


def keep_large_apart() -> None:
    """Have large pieces go back to the system as soon as they are freed."""
    if _library is not None:
        _library.mallopt(M_MMAP_THRESHOLD, LARGE)


class Surplus:
    """What is held unused, looked at now and then."""

    def __init__(self) -> None:
        self._least = 0

    def give_back(self) -> bool:
        """Give it back if it is much; whether it was. Not again before the process has grown as much:
        what was given back counts as unused for ever."""
        if _library is None or _library.mallinfo2().fordblks < UNUSED:
            return False
        resident = _resident()
        if resident < self._least + UNUSED:
            self._least = min(self._least, resident)
            return False
        _library.malloc_trim(0)
        self._least = _resident()
        return True


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")

"""A module of the tests as a process of its own during a block."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def beside(module: str, *given: str) -> Iterator[None]:
    """`python -m module given…` runs during the block; it fails if that ends by itself before."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([sys.executable, "-m", module, *given], stderr=errors)
        try:
            yield
            if process.poll() is not None:
                errors.seek(0)
                told = errors.read().decode(errors="replace")[-3_000:]
                raise AssertionError(f"{module} ended by itself: {told}")
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()

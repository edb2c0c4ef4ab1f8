"""A module of the tests as a process of its own during a block."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def beside(module: str, *given: str, nice: int = 0) -> Iterator[None]:
    """`python -m module given…` runs during the block; it fails if that ends by itself before.

    nice: its priority on the processor, 0 as this process to 19, the least.
    """
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            ["nice", "-n", str(nice), sys.executable, "-m", module, *given], stderr=errors
        )
        try:
            yield
            if process.poll() is not None:
                errors.seek(0)
                told = errors.read().decode(errors="replace")[-3_000:]
                raise AssertionError(f"{module} ended by itself: {told}")
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()

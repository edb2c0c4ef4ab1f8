"""Quick starts of `hanpan`: a process that has imported everything forks itself for every start.

Importing the server takes a second or two of CPU, which a test that kills it twenty times would spend on
nothing else. A child is a process of its own in a session of its own and runs the command's `main`; it
differs from a fresh one only in having the modules already.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from typing import Any

from engines.kit.registry import load


class Child:
    """A process that the nursery forked; used as subprocess.Popen is."""

    def __init__(self, nursery: Nursery, pid: int) -> None:
        self.pid = pid
        self._nursery = nursery
        self._code: int | None = None

    def poll(self) -> int | None:
        """Its exit code (negative: the signal), None while it lives."""
        if self._code is None:
            self._code = self._nursery.call(poll=self.pid)
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, waited for. Raises subprocess.TimeoutExpired."""
        until = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired("hanpan", timeout or 0)
            time.sleep(0.005)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """kill -9."""
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The process that forks; started at the first need, gone with this one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def start(self, arguments: list[str], out: str, err: str, env: dict[str, str]) -> Child:
        """Fork a `hanpan` with these arguments; stdout to the file `out` anew, stderr added to `err`."""
        return Child(self, self.call(start=arguments, out=out, err=err, env=env))

    def call(self, **order: Any) -> Any:
        """Give an order and return the answer."""
        with self._lock:
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "tests.support.nursery"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    # Ctrl-C is for who uses it; it is still needed to end what it forked.
                    start_new_session=True,
                )
                atexit.register(self.close)
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End it and whatever it forked."""
        if self._process is not None:
            self._process.communicate()
            self._process = None


NURSERY = Nursery()
IMPORTED = (
    "server.cli.main",
    "server.cli.serve",
    "server.bus.redis",
    "server.journal.redis",
    "server.runtime.cluster.cluster",
    "server.runtime.handlers",
    "sqlalchemy.dialects.sqlite",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvloop",
)


def _fork(order: dict[str, Any]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        os.setsid()
        for path, number in (("/dev/null", 0), (order["out"], 1), (order["err"], 2)):
            flags = os.O_RDWR | os.O_CREAT | (os.O_TRUNC if number == 1 else os.O_APPEND)
            opened = os.open(path, flags, 0o644)
            os.dup2(opened, number)
            os.close(opened)
        os.environ.clear()
        os.environ.update(order["env"])
        sys.stdin = open(0, closefd=False)  # noqa: SIM115  # lives as long as the process
        from server.cli.main import main

        code = main(order["start"])
        sys.stdout.flush()
        sys.stderr.flush()
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _poll(pid: int) -> int | None:
    done, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if done else None


def _import_everything() -> None:
    """What a server comes to import, also what it puts off, so that no child has to."""
    for name in IMPORTED:
        importlib.import_module(name)
    load()
    # A child's collector need not look at any of it.
    gc.collect()
    gc.freeze()


def serve() -> None:
    """Carry out orders, one JSON line each, until there are no more."""
    _import_everything()
    children: set[int] = set()
    # readline, not iteration: nothing of stdin may be read ahead into a child's memory.
    while line := sys.stdin.readline():
        order = json.loads(line)
        if "start" in order:
            pid = _fork(order)
            children.add(pid)
            print(pid, flush=True)
            continue
        code = _poll(order["poll"])
        if code is not None:
            children.discard(order["poll"])
        print(json.dumps(code), flush=True)
    for pid in children:
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    serve()

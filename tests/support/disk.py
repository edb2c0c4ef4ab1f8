"""A directory whose disk forgets what was not fsynced, fills up and fails, for a child process."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.support.needs import not_run

SOURCE = Path(__file__).with_name("disk_shim.c")


class Disk:
    """The directory; start children with `environment`."""

    def __init__(self, home: Path) -> None:
        """home: an empty directory."""
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            not_run("no C compiler here, which the forgetful disk needs; .ci/setup installs it")
        self.directory = home.resolve() / "disk"
        self.durable = self.directory / "durable"
        self.durable.mkdir(parents=True)
        self._shim = home / "disk_shim.so"
        command = f"{compiler} -shared -fPIC -O1 -Wall -o".split()
        made = subprocess.run(
            [*command, str(self._shim), str(SOURCE), "-ldl"],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode != 0:
            not_run(f"the forgetful disk does not compile: {made.stderr}")

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a process that uses it."""
        return {**os.environ, "LD_PRELOAD": str(self._shim), "HANPAN_DISK": str(self.directory)}

    def _switch(self, name: str, on: bool) -> None:
        if on:
            (self.directory / name).touch()
        else:
            (self.directory / name).unlink()

    def full(self, on: bool) -> None:
        """No byte can be written."""
        self._switch("full", on)

    def broken(self, on: bool) -> None:
        """No fsync succeeds."""
        self._switch("broken", on)

"""A server process whose code differs from the others', as after an upgrade."""

from __future__ import annotations

import subprocess
import sys

from tests.support.hanpan_server import HanpanServer

UPGRADE = """
import msgspec
from engines.peeper.game import Peeper
from engines.pepper.game import Pepper
# Of another version, and what the old one wrote can be read.
Peeper.version = "next"
# Of another version, and what the old one wrote cannot be read.
Pepper.version = "next"
Pepper.State = msgspec.defstruct("State", [("planted", int)], kw_only=True)
import sys
from server.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


class Upgraded(HanpanServer):
    """`hanpan serve` of the next version: Peeper's tables it can continue, Pepper's it cannot."""

    def launch(self) -> None:
        """As every server, but with other code."""
        assert self._process is None, "it runs already"
        with self._out.open("wb") as out_file, self._err.open("ab") as err_file:
            self._process = subprocess.Popen(
                [sys.executable, "-c", UPGRADE, "serve", *self._flags()],
                stdout=out_file,
                stderr=err_file,
                start_new_session=True,
            )

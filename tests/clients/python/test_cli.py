"""`python -m hanpan`."""

from __future__ import annotations

import asyncio
import json
import sys

import pytest

from hanpan.bots import Random, default
from hanpan.cli import main, parser
from hanpan.testing import FakeServer, FakeTable
from tests.clients.python.conftest import until
from tests.support.hanpan_server import HanpanServer


async def run(url: str, *arguments: str) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "hanpan", "--url", url, *arguments,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def test_games_and_tables_of_a_real_server(live: HanpanServer) -> None:
    code, out, err = await run(live.url, "--lang", "ko", "games")
    assert (code, err) == (0, "")
    assert "peeper: 피퍼; seats 2 to 6; rulesets standard, ibc" in out
    code, out, _ = await run(live.url, "tables", "--game", "no_such_game")
    assert (code, out) == (0, "no tables\n")


async def test_a_bot_plays_two_matches_and_is_watched(live: HanpanServer) -> None:
    code, out, err = await run(
        live.url, "bot", "--game", "cockroach_duel", "--seats", "2", "--speed", "instant",
        "--matches", "2", "--seed", "3",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 2
    assert all("scores [3, " in line or ", 3]" in line for line in out.splitlines()), out


async def test_watching_says_what_happens_until_the_end(
    table: FakeTable, server: FakeServer
) -> None:
    async def play() -> None:
        await until(lambda: table.listeners)
        table.update({"type": "played"}, say=[{"text": "민지: 5", "priority": "normal"}])
        table.update({"type": "match_ended", "scores": [1]})

    for arguments, wanted in (
        (["watch", "t_1"], ["민지: 5"]),
        (["watch", "t_1", "--json"], [{"seq": 3, "type": "played"}]),
    ):
        table.listeners.clear()
        playing = asyncio.create_task(play())
        code, out, err = await run(server.url, *arguments)
        await playing
        assert (code, err) == (0, "")
        lines = out.splitlines()
        found = [json.loads(line) for line in lines] if "--json" in arguments else lines
        assert found[: len(wanted)] == wanted


def test_no_server_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--url", "http://127.0.0.1:9", "games"]) == 1
    assert capsys.readouterr().err.startswith("no answer from http://127.0.0.1:9")
    assert main(["--url", "ftp://x", "games"]) == 1
    assert "is not the address of a server" in capsys.readouterr().err


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("games", "tables", "watch", "bot"):
        with pytest.raises(SystemExit) as left:
            parser().parse_args([command, "--help"])
        assert left.value.code == 0
        assert "usage" in capsys.readouterr().out


class Asked:
    """What a chooser looks at."""

    def __init__(self, kind: str, can: bool) -> None:
        self.kind = kind
        self.can = can
        self.default = {"type": "decline"}
        self.playable = [{"type": "mine"}]


def test_choosers_never_claim_what_cannot_be_claimed() -> None:
    chooser = Random(1, claims=1.0)
    assert chooser(Asked("claim", False)) == {"type": "decline"}  # type: ignore[arg-type]  # as a request
    assert chooser(Asked("claim", True)) == {"type": "mine"}  # type: ignore[arg-type]  # as a request
    assert default(Asked("turn", True)) == {"type": "decline"}  # type: ignore[arg-type]  # as a request
    assert Random(1, claims=0.0)(Asked("claim", True)) == {"type": "decline"}  # type: ignore[arg-type]  # as a request

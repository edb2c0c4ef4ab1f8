"""The `hanpan` commands against a running server and its files."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import hanpan
from server.cli.main import COMMANDS, parser
from tests.support.hanpan_server import HanpanServer, hanpan_server


@pytest.fixture(scope="module")
def server() -> Iterator[HanpanServer]:
    with hanpan_server(joins_per_minute=1_000) as running:
        yield running


def run(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "server.cli.main", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, done.stderr
    return done


def test_every_command_explains_itself() -> None:
    assert set(COMMANDS) <= set(parser().format_help().split())


def test_no_command_is_an_error_that_lists_them() -> None:
    assert "COMMAND" in run(code=2).stderr


async def test_bots_fill_a_table_and_its_record_replays(
    server: HanpanServer, tmp_path: Path
) -> None:
    async with asyncio.timeout(60), hanpan.connect(server.url) as client:
        name, _ = await client.create_table("cockroach_duel", 2, speed="instant")
        table = await client.watch(name)
        bots = await asyncio.create_subprocess_exec(
            sys.executable,
            *["-m", "server.cli.main", "bots", "2", "--url", server.url],
            *["--table", name, "--matches", "1", "--level", "random"],
        )
        async for event in table.events():
            if event["type"] == "match_ended":
                match = event["record"]
                break
        assert await bots.wait() == 0
    out = tmp_path / "match.json"
    for _ in range(20):
        writing = await asyncio.create_subprocess_exec(
            sys.executable,
            *["-m", "server.cli.main", "record", match],
            *["--data", str(server.data), "--out", str(out)],
        )
        if await writing.wait() == 0:
            break
    lines = run("replay", str(out), "--json").stdout.splitlines()
    assert all(json.loads(line)["ok"] for line in lines[:-1])
    assert json.loads(lines[-1])["finished"]


def test_a_record_that_is_not_there_is_told(server: HanpanServer) -> None:
    done = run("record", "m_none", "--data", str(server.data), code=1)
    assert "m_none" in done.stderr


def test_bots_need_a_number(server: HanpanServer) -> None:
    assert "number" in run("bots", "0", "--url", server.url, code=2).stderr


def test_bots_say_when_there_is_no_server() -> None:
    done = run("bots", "1", "--url", "http://127.0.0.1:9", code=1)
    assert done.stderr.startswith("hanpan:")
    assert "Traceback" not in done.stderr


def test_a_taken_port_is_a_sentence(server: HanpanServer, tmp_path: Path) -> None:
    done = run("serve", "--port", str(server.port), "--data", str(tmp_path), code=2)
    assert str(server.port) in done.stderr
    assert "Traceback" not in done.stderr


def test_a_journal_in_use_is_a_sentence(server: HanpanServer) -> None:
    done = run("serve", "--port", "0", "--data", str(server.data), code=3)
    assert "in use by another process" in done.stderr


def test_play_on_a_port_that_is_taken_is_a_sentence(server: HanpanServer, tmp_path: Path) -> None:
    done = run("play", "--port", str(server.port), "--data", str(tmp_path), code=2)
    assert str(server.port) in done.stderr
    assert "Traceback" not in done.stderr

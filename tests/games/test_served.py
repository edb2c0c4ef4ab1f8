"""A game that is nothing but a folder named in HANPAN_GAMES: over sockets, the SDK and the terminal."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator

import httpx
import pytest

import hanpan
from hanpan.bots import Random
from tests.support.hanpan_server import HanpanServer, hanpan_server


@pytest.fixture(scope="module")
def server() -> Iterator[HanpanServer]:
    with hanpan_server(games="tests.games.echo", frames=2_000, frame_burst=4_000) as running:
        yield running


async def test_it_is_listed_with_its_words_and_schema(server: HanpanServer) -> None:
    async with httpx.AsyncClient(base_url=server.url, trust_env=False) as http:
        games = (await http.get("/v1/games")).json()["games"]
        echo = next(game for game in games if game["game"] == "echo")
        schema = (await http.get("/v1/schema/echo.json")).json()
    assert echo["titles"]["ko"]
    assert echo["claims"] == ["echo"]
    assert schema["properties"]["action"]


async def test_it_is_played_through_the_sdk_and_spectated(server: HanpanServer) -> None:
    async with (
        asyncio.timeout(60),
        hanpan.connect(server.url, want=["say"]) as client,
        hanpan.connect(server.url) as watcher,
    ):
        table = await client.play("echo", 3, speed="instant", bots=2)
        watched = await watcher.watch(table.id)
        ended = await table.play(Random(1))
        async for event in watched.events():
            if event["type"] == "match_ended":
                break
    assert sorted(ended["places"])[0] == 1


async def test_it_is_played_in_the_terminal(server: HanpanServer) -> None:
    """Whenever it is the player's turn, the first of the cards that are read out is typed."""
    arguments = ["--url", server.url, "--game", "echo", "--seats", "2", "--speed", "instant"]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *["-m", "hanpan_terminal", *arguments, "--lang", "en", "--plain"],
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    heard: list[str] = []
    async with asyncio.timeout(60):
        async for line in process.stdout:
            heard.append(line.decode().strip())
            if heard[-1].startswith("Your turn. "):
                card = heard[-1].removeprefix("Your turn. ")[0]
                process.stdin.write(f"{card}\n".encode())
            elif "The match is over" in heard[-1]:
                process.stdin.write(b"score\nquit\n")
        await process.wait()
    assert process.returncode == 0, heard
    assert any("The match is over" in line for line in heard), heard

"""The dialogues of PROTOCOL.md, spoken to a real server: what the document says is what happens."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

import protocol
from protocol.codes import CLOSES, ERRORS
from tests.support.hanpan_server import HanpanServer, hanpan_server

DOCUMENT = (Path(protocol.__file__).parent / "PROTOCOL.md").read_text()
BLOCK = re.compile(r"<!-- dialogue: (\w+) -->\n```\n(.*?)```", re.S)
VARIES = ("now", "server", "limits")


def dialogues() -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """By name: the lines as (who, message)."""
    found = {}
    for name, text in BLOCK.findall(DOCUMENT):
        found[name] = [(line[0], json.loads(line[2:])) for line in text.strip().splitlines()]
    return found


@pytest.fixture(scope="module")
def server() -> Iterator[HanpanServer]:
    with hanpan_server() as running:
        yield running


class Speaker:
    """Says the client's lines and holds the server's against the document."""

    def __init__(self, token: str) -> None:
        self.bound = {"$TOKEN": token}

    def fill(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.bound.get(value, value)
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in value.items()}
        return value

    def check(self, said: Any, got: Any, where: str) -> None:
        """Every field that the document shows is there, with its value; variables are bound."""
        if isinstance(said, str) and said.startswith("$"):
            assert self.bound.setdefault(said, got) == got, where
        elif isinstance(said, dict):
            for key, value in said.items():
                assert key in got, f"{where}: {key} is missing in {got}"
                if key not in VARIES:
                    self.check(value, got[key], f"{where}.{key}")
        else:
            assert got == said, where


async def speak(server: HanpanServer, *names: str) -> None:
    """Speak dialogues one after the other on one connection."""
    async with httpx.AsyncClient(trust_env=False) as http:
        token = (await http.post(f"{server.url}/v1/guests")).json()["token"]
    speaker = Speaker(token)
    async with (
        asyncio.timeout(20),
        websockets.connect(
            server.ws_url,
            subprotocols=[websockets.Subprotocol("hanpan.v1.json")],
            compression=None,
        ) as socket,
    ):
        for name in names:
            for number, (who, message) in enumerate(dialogues()[name]):
                if who == "C":
                    await socket.send(json.dumps(speaker.fill(message)))
                else:
                    got = json.loads(await socket.recv())
                    speaker.check(message, got, f"{name}[{number}]")


async def test_the_opening(server: HanpanServer) -> None:
    await speak(server, "opening")


async def test_sitting_down(server: HanpanServer) -> None:
    await speak(server, "opening", "sitting")


def test_every_error_code_is_documented() -> None:
    missing = [code for code in ERRORS if f"`{code}`" not in DOCUMENT]
    assert missing == []


def test_every_close_code_is_documented() -> None:
    missing = [code for code in CLOSES if f"| {code.value} |" not in DOCUMENT]
    assert missing == []


def test_every_client_message_is_documented() -> None:
    from protocol.client import ClientUnion

    tags = [str(kind.__struct_config__.tag) for kind in ClientUnion.__args__]
    assert [tag for tag in tags if tag not in DOCUMENT] == []

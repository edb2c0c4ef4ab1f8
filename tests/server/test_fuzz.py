"""Fuzz of frames and of decoded messages against the running server.

Whole dialogues that make sense are the stock; a seeded mutator spoils bytes, values, types, fields and
their order. Nothing may reach the log as an error, and no connection end with 1011.
HANPAN_FUZZ: how many frames of each kind (6,000); HANPAN_FUZZ_SEED: where to begin (1).
"""

from __future__ import annotations

import asyncio
import copy
import json
import os
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from protocol.client import ClientUnion
from protocol.codec import BadMessage, NotAnObject, decode
from protocol.codes import ERRORS, Close
from tests.server.transport.raw import Raw, connected, masked
from tests.support.crowd import LIMITS
from tests.support.hanpan_server import HanpanServer, hanpan_server
from tests.support.report import report
from tests.support.scene import Scene
from tests.support.wire import Json, Wire, dial, guest, wire

FRAMES = int(os.environ.get("HANPAN_FUZZ", "6000"))
SEED = int(os.environ.get("HANPAN_FUZZ_SEED", "1"))
AT_ONCE = 50
CLOSES = {int(code) for code in Close} | {1000, 1002, 1005, 1006, 1007, 1009}
"""What a spoiled frame may be closed with: our codes, and RFC 6455's for the frames themselves."""

VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 15, 16, 2**31, 2**53, 2**63, 2**70, -(2**63), 0.5, 1e308, "", "0",
    "5", "X", "pass", "play", "peeper", "seat:0", "public", "\u0000", "\ud7ff", "가", "x" * 300, [], {},
    [[]], [None], {"a": 1}, ["5", "5"], {"type": "pass"}, {"type": "play", "tiles": ["5"]},
]  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[HanpanServer]:
    settings = {**LIMITS, "identify_ms": 60_000, "max_unsent": 50_000_000}
    with hanpan_server(connections=100_000, chat=1_000_000, **settings) as running:
        yield running


@pytest.fixture
async def scene(server: HanpanServer) -> AsyncIterator[Scene]:
    made = Scene(server)
    try:
        await made.set_up()
        yield made
    finally:
        await made.close()


class Mutator:
    """Spoils messages, the same ones for the same seed."""

    def __init__(self, seed: int, stock: list[Json]) -> None:
        self.chance = random.Random(seed)
        self.stock = stock
        self.names = sorted({name for message in stock for name in message} | {"x", "seat", "at"})

    def message(self) -> Any:
        """A sensible message with one to three things wrong, or right by accident."""
        made = json.loads(json.dumps(self.chance.choice(self.stock)))
        for _ in range(self.chance.choice((0, 1, 1, 1, 2, 3))):
            made = self._spoil(made)
        return made

    def _value(self) -> Any:
        return copy.deepcopy(self.chance.choice(VALUES))

    def _spoil(self, value: Any) -> Any:
        chance = self.chance
        if isinstance(value, dict) and value:
            what = chance.randrange(7)
            name = chance.choice(list(value))
            if what == 0:
                del value[name]
            elif what == 1:
                value[chance.choice(self.names)] = self._value()
            elif what == 2:
                other = chance.choice(self.stock)
                shared = chance.choice(list(other))
                value[shared] = copy.deepcopy(other[shared])
            elif what == 3:
                value[name] = self._value()
            else:
                value[name] = self._spoil(value[name])
            return value
        if isinstance(value, list) and value and chance.random() < 0.7:
            place = chance.randrange(len(value))
            if chance.random() < 0.3:
                return value * chance.choice((0, 2, 40))
            value[place] = self._spoil(value[place])
            return value
        return self._value()

    def text(self) -> bytes:
        """A message as JSON, with some bytes changed, cut out or doubled."""
        data = bytearray(
            json.dumps(self.message(), ensure_ascii=self.chance.random() < 0.5).encode()
        )
        for _ in range(self.chance.choice((0, 1, 1, 2, 8))):
            place = self.chance.randrange(len(data) + 1)
            what = self.chance.randrange(4)
            if what == 0:
                data[place:place] = self.chance.randbytes(self.chance.choice((1, 1, 4, 100)))
            elif what == 1:
                del data[place : place + self.chance.choice((1, 1, 4, 100))]
            elif what == 2:
                data[place:place] = data[place : place + 50] * self.chance.choice((1, 5, 100))
            else:
                data[place : place + 1] = self.chance.choice(
                    (b'"', b"{", b"[", b"]", b"}", b"\\", b",")
                )
        return bytes(data[:20_000])

    def frames(self) -> bytes:
        """One or a few WebSocket frames, their own form spoiled now and then."""
        chance = self.chance
        if chance.random() < 0.7:
            made = (
                masked(1, self.text())
                if chance.random() < 0.9
                else masked(chance.randrange(3), b"x")
            )
        else:
            text = self.text()
            cut = chance.randrange(len(text) + 1)
            made = masked(1, text[:cut], fin=False) + masked(0, text[cut:])
        if chance.random() < 0.5:
            spoiled = bytearray(made)
            for _ in range(chance.choice((1, 1, 3))):
                # Heads more often than what they carry.
                place = chance.randrange(min(len(spoiled), 8 if chance.random() < 0.6 else 400))
                spoiled[place] ^= 1 << chance.randrange(8)
            made = bytes(spoiled)
        return made


def stock(scene: Scene) -> list[Json]:
    """A sensible message of every type, and some more of those with much inside."""
    messages = [scene.fields(str(m.__struct_config__.tag)) for m in ClientUnion.__args__]
    at = {"table": scene.table, "stream": "seat:0", "epoch": "e_x", "seq": 3}
    identify = scene.fields("identify")
    messages += [
        {**identify, "locale": "ko", "want": ["say"], "at": [at, {**at, "stream": "public"}]},
        {**scene.fields("standing"), "orders": {"mine": ["7"], "decline": ["return"]}},
        {**scene.fields("legal"), "tiles": ["5", "6", "X"]},
        {
            **scene.fields("act"),
            "action": {"type": "play", "tiles": ["3", "4", "X"], "as": "run", "low": 3},
        },
        {
            **scene.fields("create_table"),
            "options": {"rounds": 2, "claim_ms": 700},
            "speed": "instant",
            "bots": 1,
            "decks": [["1", "2"]],
            "seed": "0" * 64,
        },
        *[{**scene.fields("ask"), "what": what} for what in ("hand", "legal", "clock", "score")],
    ]
    return messages


@pytest.mark.parametrize("number", range(4))
def test_the_decoder_refuses_by_its_own_errors_alone(number: int) -> None:
    scene = Scene.__new__(Scene)
    scene.tokens, scene.table, scene.request = {"unidentified": "t"}, "t_1", "r1"
    scene.action, scene.seats = {"type": "pass"}, {}
    mutator = Mutator(SEED * 1_000_003 + number, stock(scene))
    outcomes: Counter[str] = Counter()
    for _ in range(max(5_000, FRAMES)):
        try:
            decode(mutator.text())
        except BadMessage as bad:
            outcomes[bad.code] += 1
        except NotAnObject:
            outcomes["closed"] += 1
        else:
            outcomes["taken"] += 1
    assert set(outcomes) <= {*ERRORS, "closed", "taken"}
    assert min(outcomes[name] for name in ("bad_message", "unknown_type", "closed", "taken")) > 50


async def test_spoiled_messages_of_everyone_are_answered(
    server: HanpanServer, scene: Scene
) -> None:
    mutator = Mutator(SEED, stock(scene))
    answers: Counter[str] = Counter()

    async def speak(role: str, count: int) -> None:
        one = scene.wires[role]
        token = scene.tokens.get(role) or await guest(server.url)
        known = role not in ("unidentified", "revoked")
        for number in range(count):
            if one.closed is not None:
                assert one.closed in CLOSES, one.closed
                one = scene.wires[role] = await dial(server.ws_url, token if known else None)
            if number % 200 == 0:
                one.frames.clear()
            message = mutator.message()
            if not isinstance(message, dict):
                continue
            wanted = message["id"] = f"f{role}{number}"
            await one.send_raw(json.dumps(message))
            answers[await _answered(one, wanted)] += 1

    roles = list(scene.wires)
    await asyncio.gather(*(speak(role, FRAMES // len(roles)) for role in roles))
    assert "internal" not in answers, answers
    assert answers["ok"] > 50, answers
    assert len(answers) > 8, answers
    report("fuzz messages", frames=sum(answers.values()), codes=len(answers))


async def _answered(one: Wire, wanted: str) -> str:
    """ok, or the code that the message was answered with; one that was closed upon counts as such."""
    place = 0
    async with asyncio.timeout(20):
        while True:
            frames = one.frames
            for frame in frames[place:]:
                if frame.get("re") == wanted:
                    return str(frame.get("code", "ok"))
            place = len(frames)
            if one.closed is not None:
                return f"closed {one.closed}"
            await asyncio.sleep(0.001)


async def test_spoiled_frames_close_one_connection_at_most(
    server: HanpanServer, scene: Scene
) -> None:
    mutator = Mutator(SEED + 1, stock(scene))
    token = await guest(server.url)
    hello = masked(1, json.dumps({"type": "identify", "id": 0, "token": token}).encode())
    sent = 0
    codes: Counter[int] = Counter()

    async def connection() -> None:
        nonlocal sent
        async with connected(server.port) as raw:
            if mutator.chance.random() < 0.5:
                raw.send(hello)
            for _ in range(mutator.chance.choice((1, 5, 20))):
                raw.send(mutator.frames())
                sent += 1
                if raw.writer.transport.is_closing():
                    break
                await asyncio.sleep(0)
            # A close frame, so that what waits for more bytes ends too.
            raw.send(masked(8, b"\x03\xe8"))
            codes[await _close_code(raw)] += 1

    async def connections() -> None:
        while sent < FRAMES:
            await connection()

    await asyncio.gather(*(connections() for _ in range(AT_ONCE)))
    assert set(codes) <= CLOSES, codes
    assert 1011 not in codes
    async with wire(server.ws_url, token) as one:
        await one.ok("list_tables")
    server.check_log()
    report("fuzz frames", frames=sent, connections=sum(codes.values()))


async def _close_code(raw: Raw) -> int:
    """The code in the server's close frame; 1006 where the line ended without."""
    try:
        while True:
            opcode, payload = await asyncio.wait_for(raw.frame(), 2)
            if opcode == 8:
                return int.from_bytes(payload[:2]) if payload else 1005
    except (asyncio.IncompleteReadError, ConnectionError, TimeoutError):
        # A spoiled length makes the close frame a part of a message that never ends.
        return 1006

"""A table of bad inputs: each gets its documented answer, and the game is untouched.

They are sent by the seat in turn at a running table; afterwards the public stream, every seat's stream
and all that they show must be as before.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from protocol.codes import ERRORS, Close
from tests.support.crowd import LIMITS
from tests.support.hanpan_server import HanpanServer, hanpan_server
from tests.support.scene import Scene
from tests.support.wire import Json, dial, guest, post

NUL = "\u0000"
BIG = 2**60
Make = Callable[[Scene], Any]
"""The frame of a case: a dict, or a text or bytes as they are."""


@pytest.fixture(scope="module")
def server() -> Iterator[HanpanServer]:
    with hanpan_server(connections=100_000, **LIMITS) as running:
        yield running


def act(**changed: Any) -> Make:
    """The right action with something changed; None leaves a field out."""

    def made(scene: Scene) -> Json:
        message = {**scene.fields("act"), **changed}
        return {name: value for name, value in message.items() if value is not None}

    return made


def about(tag: str, **changed: Any) -> Make:
    """A sensible message of this type with something changed."""
    return lambda scene: {**scene.fields(tag), **changed}


def as_it_is(frame: str | bytes) -> Make:
    """A frame that is no message."""
    return lambda scene: frame


def raw_action(text: str) -> Make:
    """An act whose action is this JSON text, valid or not."""

    def made(scene: Scene) -> str:
        head = json.dumps({**scene.fields("act"), "action": 0})
        return head.replace('"action": 0', f'"action": {text}')

    return made


def nested(depth: int, bracket: str = "[") -> str:
    """That many brackets in one another."""
    if bracket == "[":
        return "[" * depth + "]" * depth
    return '{"a":' * depth + "0" + "}" * depth


REFUSED: dict[str, tuple[Make, str]] = {
    # -- the envelope
    "no type": (lambda s: {"id": 1}, "bad_message"),
    "type is a number": (lambda s: {"type": 7, "id": 1}, "bad_message"),
    "unknown type": (lambda s: {"type": "cheat", "id": 1}, "unknown_type"),
    "a server's type": (lambda s: {"type": "update", "id": 1}, "unknown_type"),
    "unknown field": (about("ping", more=1), "bad_message"),
    "a field of another type": (about("ready", seat=0), "bad_message"),
    "id is an object": (about("ping", id={}), "bad_message"),
    "id is a fraction": (about("ping", id=1.5), "bad_message"),
    "id beyond 2^53": (about("ping", id=BIG), "bad_message"),
    "id is too long": (about("ping", id="x" * 65), "bad_message"),
    "id with a control": (about("ping", id="a\nb"), "bad_message"),
    "table is missing": (act(table=None), "bad_message"),
    "table is a number": (act(table=1), "bad_message"),
    "table with U+0000": (act(table=f"t_{NUL}"), "bad_message"),
    "table is a page long": (act(table="t" * 5000), "bad_message"),
    "no such table": (act(table="t_nothing"), "not_found"),
    # -- actions
    "request is missing": (act(request=None), "bad_message"),
    "no such request": (act(request="r99999"), "stale_request"),
    "action is missing": (act(action=None), "bad_message"),
    "action is a list": (act(action=[]), "bad_message"),
    "action is a text": (act(action="pass"), "bad_message"),
    "action is null": (raw_action("null"), "bad_message"),
    "action without type": (act(action={}), "bad_message"),
    "action of another game": (act(action={"type": "tsumo"}), "bad_message"),
    "action with an unknown field": (act(action={"type": "pass", "x": 1}), "bad_message"),
    "tiles are a text": (act(action={"type": "play", "tiles": "5"}), "bad_message"),
    "tiles that there are not": (act(action={"type": "play", "tiles": ["77"]}), "bad_message"),
    "a tile with U+0000": (act(action={"type": "play", "tiles": [f"5{NUL}"]}), "bad_message"),
    "more tiles than a hand": (act(action={"type": "play", "tiles": ["5"] * 60}), "illegal_action"),
    "no tiles": (act(action={"type": "play", "tiles": []}), "illegal_action"),
    "a reading that there is not": (
        act(action={"type": "play", "tiles": ["5"], "as": "royal"}),
        "bad_message",
    ),
    "low beyond 2^53": (raw_action(f'{{"type":"play","tiles":["5"],"low":{BIG}}}'), "bad_message"),
    "a claim without a window": (act(action={"type": "mine", "tiles": ["5", "5"]}), "illegal_action"),
    "an action nested deeply": (raw_action(nested(400)), "bad_message"),
    # -- the rest of the table
    "no held turn to withdraw": (about("withdraw"), "stale_request"),
    "orders are a list": (about("standing", orders=[]), "bad_message"),
    "an order of no claim": (about("standing", orders={"tsumo": "auto"}), "illegal_action"),
    "an order of a wrong form": (about("standing", orders={"mine": 7}), "illegal_action"),
    "an order nested deeply": (
        about("standing", orders={"mine": json.loads(nested(300))}),
        "illegal_action",
    ),
    "until when the cows come home": (about("standing", until="cows"), "bad_message"),
    "a question that there is not": (about("ask", what="deck"), "bad_message"),
    "legal of pieces that there are not": (about("legal", tiles=["77"]), "illegal_action"),
    "legal of too many pieces": (about("legal", tiles=["5"] * 257), "bad_message"),
    "another seat's stream": (lambda s: _stream_of_another(s), "forbidden"),
    "a stream that there is not": (about("watch", stream="seat:99"), "forbidden"),
    "a stream of a wrong form": (about("watch", stream="all"), "bad_message"),
    "another seat while seated": (lambda s: _seat_of_another(s), "already_seated"),
    "a seat beyond the table": (about("join_table", seat=16), "bad_message"),
    "a seat below the table": (about("join_table", seat=-1), "bad_message"),
    "chat of nothing": (about("chat", text=""), "bad_message"),
    "chat of controls": (about("chat", text="\u202e\u0007"), "bad_message"),
    "chat that is too long": (about("chat", text="x" * 501), "bad_message"),
    "chat that is a number": (about("chat", text=5), "bad_message"),
    "identified already": (about("identify"), "forbidden"),
    # -- making tables
    "no such game": (about("create_table", game="poker"), "not_found"),
    "a game's name of a wrong form": (about("create_table", game="../x"), "bad_message"),
    "no seats": (about("create_table", seats=0), "bad_message"),
    "seats of another game": (about("create_table", seats=9), "bad_options"),
    "seats are true": (about("create_table", seats=True), "bad_message"),
    "an option that there is not": (about("create_table", options={"x": 1}), "bad_options"),
    "an option of a wrong type": (about("create_table", options={"rounds": "1"}), "bad_options"),
    "an option beyond its bounds": (about("create_table", options={"rounds": BIG}), "bad_options"),
    "options nested deeply": (
        about("create_table", options={"x": json.loads(nested(300, "{"))}),
        "bad_options",
    ),
    "a deck of nothing": (about("create_table", decks=[[]]), "bad_options"),
    "a deck with foreign pieces": (about("create_table", decks=[["A♠"]]), "bad_message"),
    "too many decks": (about("create_table", decks=[[]] * 65), "bad_message"),
    "a first seat that there is not": (about("create_table", first=9), "bad_options"),
    "a seed that is too short": (about("create_table", seed="00"), "bad_message"),
    "rated with a seed": (about("create_table", rated=True, seed="0" * 64), "bad_options"),
    "more bots than seats": (about("create_table", bots=3), "bad_options"),
    "a bot that there is not": (about("create_table", bots=1, level="genius"), "bad_options"),
    "a delay beyond its bounds": (about("create_table", spectate_delay_ms=BIG), "bad_message"),
    "a speed that there is not": (about("create_table", speed="warp"), "bad_message"),
}  # fmt: skip

CLOSED: dict[str, tuple[Make, int]] = {
    "no JSON": (as_it_is("hello"), Close.BAD_FRAME),
    "half a message": (as_it_is('{"type":"ping"'), Close.BAD_FRAME),
    "an empty text": (as_it_is(""), Close.BAD_FRAME),
    "a list": (as_it_is("[]"), Close.BAD_FRAME),
    "null": (as_it_is("null"), Close.BAD_FRAME),
    "two messages": (as_it_is('{"type":"ping"}{"type":"ping"}'), Close.BAD_FRAME),
    "NaN": (as_it_is('{"type":"ping","id":NaN}'), Close.BAD_FRAME),
    "an infinite number": (as_it_is('{"type":"ping","id":Infinity}'), Close.BAD_FRAME),
    "a byte order mark": (as_it_is('\ufeff{"type":"ping"}'), Close.BAD_FRAME),
    "half a surrogate pair": (as_it_is('{"type":"ping","id":"\\ud800"}'), Close.BAD_FRAME),
    "nested beyond any stack": (as_it_is(nested(8_000)), Close.BAD_FRAME),
    "a nested message": (
        as_it_is('{"type":"create_table","options":' + nested(3_000, "{")[:15_000]),
        Close.BAD_FRAME,
    ),
    "a binary frame": (as_it_is(b'{"type":"ping"}'), Close.BAD_FRAME),
    "a frame that is too large": (
        as_it_is('{"type":"ping","id":"' + "x" * 20_000 + '"}'),
        1009,
    ),
}


def _stream_of_another(scene: Scene) -> Json:
    return {**scene.fields("watch"), "stream": f"seat:{scene.seats['out_of_turn']}"}


def _seat_of_another(scene: Scene) -> Json:
    return {**scene.fields("join_table"), "seat": scene.seats["out_of_turn"]}


@pytest.fixture
async def scene(server: HanpanServer) -> AsyncIterator[Scene]:
    made = Scene(server)
    try:
        await made.set_up()
        yield made
    finally:
        await made.close()


async def test_each_bad_message_is_refused_with_its_code_and_changes_nothing(scene: Scene) -> None:
    one = scene.wires["in_turn"]
    before = await scene.present()
    wrong = []
    for name, (make, code) in REFUSED.items():
        assert code in ERRORS
        frame = make(scene)
        place = len(one.frames)
        await one.send_raw(frame if isinstance(frame, str) else json.dumps(frame))
        answer = await one.find(lambda f: f["type"] in ("ok", "error"), place)
        if answer.get("code") != code:
            wrong.append(f"{name}: {answer}, expected {code}")
        elif not answer["message"]:
            wrong.append(f"{name}: no sentence")
        given = frame.get("id") if isinstance(frame, dict) and not name.startswith("id ") else None
        if given is not None and answer.get("re") != given:
            wrong.append(f"{name}: re is {answer.get('re')!r}")
    assert not wrong, "\n".join(wrong)
    assert await scene.present() == before
    # And the seat can still act.
    await one.ok("act", table=scene.table, request=scene.request, action=scene.action)


@pytest.mark.parametrize("name", CLOSED)
async def test_what_is_no_message_closes_the_connection_alone(scene: Scene, name: str) -> None:
    make, code = CLOSED[name]
    one = scene.wires["in_turn"]
    before = await scene.present()
    await one.send_raw(make(scene))
    assert await one.until_closed() == code
    again = await dial(scene.server.ws_url, scene.tokens["in_turn"])
    scene.wires["in_turn"] = again
    assert await scene.present() == before
    await again.ok("act", table=scene.table, request=scene.request, action=scene.action)


async def test_an_action_that_is_repeated_has_one_effect(scene: Scene) -> None:
    one = scene.wires["in_turn"]
    act = {"table": scene.table, "request": scene.request, "action": scene.action}
    first = await one.ok("act", **act)
    await scene.close_windows()
    after = await scene.present()
    for _ in range(3):
        repeated = await one.ok("act", **act)
        assert repeated == {**first, "re": repeated["re"]}
    # Another answer to an answered request is stale, and names what stands.
    other = {"type": "pass"} if scene.action["type"] != "pass" else {"type": "play", "tiles": ["1"]}
    refused = await one.ask("act", **{**act, "action": other})
    assert refused["code"] == "stale_request"
    assert refused.get("requests", []) == one.requests(scene.table)
    assert await scene.present() == after


async def test_another_seats_request_is_not_answered(scene: Scene) -> None:
    other = scene.wires["out_of_turn"]
    before = await scene.present()
    act = {"table": scene.table, "request": scene.request, "action": scene.action}
    assert (await other.ask("act", **act))["code"] == "stale_request"
    assert (await other.ask("legal", table=scene.table, request=scene.request))[
        "code"
    ] == "stale_request"
    assert await scene.present() == before


async def test_after_the_match_nothing_can_be_done_to_it(server: HanpanServer) -> None:
    one = await dial(server.ws_url, await guest(server.url))
    try:
        made = await one.ok("create_table", game="peeper", seats=2, bots=1, speed="instant")
        at = {"table": made["table"]}
        await one.ok("join_table", **at)
        await one.ok("ready", **at)
        first = None
        while not any(
            e["type"] == "match_ended" for f in one.of(made["table"]) for e in f.get("events", [])
        ):
            place = len(one.frames)
            for request in one.requests(made["table"]):
                first = first or request
                fields = {"request": request["request"], "action": request["legal"][0]}
                if request["kind"] == "claim":
                    fields["action"] = {"type": "decline"}
                await one.ask("act", **at, **fields)
            await one.find(lambda f: f["type"] == "update", place)
        assert first is not None
        # Not the answer that it got: that one again would be answered as before.
        late = {"request": first["request"], "action": {"type": "play", "tiles": ["15", "15"]}}
        assert (await one.ask("act", **at, **late))["code"] in ("match_over", "stale_request")
        late["request"] = "r99999"
        assert (await one.ask("act", **at, **late))["code"] == "match_over"
        assert (await one.ask("standing", **at, orders={}))["code"] == "match_over"
    finally:
        await one.close()


HTTP: dict[str, tuple[Any, int, str]] = {
    "no JSON": (b"{", 400, "bad_message"),
    "a list": (b"[]", 400, "bad_message"),
    "an unknown field": ({"name": "Someone", "admin": True}, 400, "bad_message"),
    "a name that is a number": ({"name": 7}, 400, "bad_message"),
    "a name of one letter": ({"name": "x"}, 400, "bad_message"),
    "a name of controls": ({"name": "ab\u0007cd"}, 400, "bad_message"),
    "a name with U+0000": ({"name": f"ab{NUL}cd"}, 400, "bad_message"),
    "a name that runs backwards": ({"name": "\u202eolleh"}, 400, "bad_message"),
    "a name of two scripts": ({"name": "раypal"}, 400, "bad_message"),
    "a name of piled marks": ({"name": "Za" + "\u0300" * 5 + "lgo"}, 400, "bad_message"),
    "a name that is too long": ({"name": "x" * 65}, 400, "bad_message"),
    "a large body": (b" " * 5_000, 413, "too_large"),
    "nested deeply": (nested(1_500).encode(), 400, "bad_message"),
    "invalid UTF-8": (b'{"name":"\xff\xfe"}', 400, "bad_message"),
}


@pytest.mark.parametrize("name", HTTP)
async def test_a_bad_body_is_a_problem(server: HanpanServer, name: str) -> None:
    body, status, code = HTTP[name]
    answer = await post(f"{server.url}/v1/guests", body)
    assert (answer["status"], answer["code"]) == (status, code), answer
    assert answer["detail"]


async def test_a_name_that_looks_like_another_is_taken(server: HanpanServer) -> None:
    await guest(server.url, "Paulina")
    answer = await post(f"{server.url}/v1/guests", {"name": "PauIina"})
    assert (answer["status"], answer["code"]) == (400, "bad_message"), answer

"""Who may send what: an expected answer for each role and message, at a running and a waiting table.

Messages and roles are taken from the protocol's client union and from the scene; one without a row fails.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from protocol.client import ClientUnion
from protocol.codes import ERRORS
from tests.support.crowd import LIMITS
from tests.support.hanpan_server import HanpanServer, hanpan_server
from tests.support.scene import ROLES, Scene
from tests.support.wire import guest, wire

TAGS = [str(message.__struct_config__.tag) for message in ClientUnion.__args__]
MOVES = {
    "act", "add_bot", "join_table", "leave_table", "ready", "rematch", "remove_bot", "standing",
    "start", "withdraw",
}  # fmt: skip
"""Messages that change a table where they are carried out."""

PEOPLE = 6
ANYBODY = ["ok"] * PEOPLE
SEATED = "not_seated"
HOST = "forbidden"

# The columns: stranger, spectator, in_turn, out_of_turn, host, left. Before them everything but `ping`
# and `identify` is `not_identified`.
RUNNING: dict[str, list[str]] = {
    "ping": ANYBODY,
    "identify": ["forbidden"] * PEOPLE,
    "list_games": ANYBODY,
    "list_tables": ANYBODY,
    "watch_lobby": ANYBODY,
    "unwatch_lobby": ANYBODY,
    "create_table": ANYBODY,
    "join_table": ["already_started", "already_started", "ok", "ok", "already_started", "already_started"],
    "leave_table": [SEATED, SEATED, "ok", "ok", SEATED, SEATED],
    "ready": [SEATED, SEATED, "already_started", "already_started", SEATED, SEATED],
    "add_bot": [HOST, HOST, HOST, HOST, "already_started", HOST],
    "remove_bot": [HOST, HOST, HOST, HOST, "not_found", HOST],
    "start": [HOST, HOST, HOST, HOST, "already_started", HOST],
    "rematch": [SEATED, SEATED, "already_started", "already_started", SEATED, SEATED],
    "watch": ANYBODY,
    "unwatch": ANYBODY,
    "act": [SEATED, SEATED, "ok", "stale_request", SEATED, SEATED],
    "withdraw": [SEATED, SEATED, "stale_request", "stale_request", SEATED, SEATED],
    "legal": [SEATED, SEATED, "ok", "stale_request", SEATED, SEATED],
    "standing": [SEATED, SEATED, "ok", "ok", SEATED, SEATED],
    "ask": ["forbidden", "ok", "ok", "ok", "ok", "forbidden"],
    "chat": ["forbidden", "ok", "ok", "ok", "ok", "forbidden"],
}  # fmt: skip
WAITING: dict[str, list[str]] = {
    **RUNNING,
    "join_table": ANYBODY,
    "ready": [SEATED, SEATED, "ok", "ok", SEATED, SEATED],
    "add_bot": [HOST, HOST, HOST, HOST, "ok", HOST],
    "start": [HOST, HOST, HOST, HOST, "not_ready", HOST],
    "rematch": [SEATED, SEATED, "not_ready", "not_ready", SEATED, SEATED],
    "act": [SEATED, SEATED, "not_your_turn", "not_your_turn", SEATED, SEATED],
    "withdraw": [SEATED, SEATED, "not_your_turn", "not_your_turn", SEATED, SEATED],
    "legal": [SEATED, SEATED, "stale_request", "stale_request", SEATED, SEATED],
    "standing": [SEATED, SEATED, "not_your_turn", "not_your_turn", SEATED, SEATED],
    "ask": ["forbidden", *["not_your_turn"] * 4, "forbidden"],
}  # fmt: skip
PHASES = {"running": RUNNING, "waiting": WAITING}
PRIVATE = {
    "join_table": "not_found", "watch": "not_found", "leave_table": SEATED, "ready": SEATED,
    "add_bot": HOST, "remove_bot": HOST, "start": HOST, "rematch": SEATED, "unwatch": "ok",
    "act": SEATED, "withdraw": SEATED, "legal": SEATED, "standing": SEATED, "ask": "forbidden",
    "chat": "forbidden",
}  # fmt: skip
"""What a stranger without the invite is answered at a private table."""


@pytest.fixture(scope="module")
def server() -> Iterator[HanpanServer]:
    with hanpan_server(**LIMITS) as running:
        yield running


def expected(phase: str, tag: str, role: str) -> str:
    """The code of the answer, or ok."""
    if role in ("unidentified", "revoked"):
        if tag == "ping":
            return "ok"
        if tag == "identify":
            return "ok" if role == "unidentified" else "bad_token"
        return "not_identified"
    return PHASES[phase][tag][ROLES.index(role) - 2]


@pytest.mark.parametrize("phase", PHASES)
def test_every_message_has_a_row(phase: str) -> None:
    assert sorted(PHASES[phase]) == sorted(TAGS)
    assert all(len(row) == len(ROLES) - 2 for row in PHASES[phase].values())
    assert {code for row in PHASES[phase].values() for code in row} <= {"ok", *ERRORS}


@pytest.mark.parametrize("phase", PHASES)
async def test_each_role_gets_its_answer_to_each_message(server: HanpanServer, phase: str) -> None:
    scene = Scene(server)
    await scene.set_up(phase)
    wrong = []
    for tag in TAGS:
        for role in ROLES:
            wanted = expected(phase, tag, role)
            message = scene.fields(tag)
            if tag == "identify":
                message["token"] = scene.tokens[role]
            before = await scene.present() if wanted != "ok" else None
            one = scene.wires[role]
            place = len(one.frames)
            await one.send(**message)
            answer = await one.find(lambda f, re=message["id"]: f.get("re") == re, place)  # type: ignore[misc]  # bound now
            found = answer.get("code", "ok")
            if found != wanted:
                wrong.append(f"{role} {tag}: {found}, expected {wanted}")
            if before is not None and await scene.present() != before:
                wrong.append(f"{role} {tag}: was refused and changed the table")
            if found == "ok" and (tag in MOVES or tag in ("identify", "unwatch")):
                await scene.close()
                scene = Scene(server)
                await scene.set_up(phase)
    await scene.close()
    assert not wrong, "\n".join(wrong)


async def test_a_private_table_is_not_there_for_who_has_no_invite(server: HanpanServer) -> None:
    async with (
        wire(server.ws_url, await guest(server.url)) as host,
        wire(server.ws_url, await guest(server.url)) as stranger,
    ):
        made = await host.ok("create_table", game="peeper", seats=2, visibility="private")
        about = [tag for tag in TAGS if "table" in _fields_of(tag)]
        assert sorted(about) == sorted(PRIVATE)
        scene = Scene(server)
        scene.table = made["table"]
        scene.tokens["unidentified"] = "-"
        for tag in about:
            for invite in [None, "00000000"] if "invite" in _fields_of(tag) else [None]:
                message = scene.fields(tag) | ({} if invite is None else {"invite": invite})
                message.pop("type")
                message.pop("id")
                answer = await stranger.ask(tag, **message)
                assert answer.get("code", "ok") == PRIVATE[tag], (tag, answer)
        listed = await stranger.ok("list_tables")
        assert made["table"] not in [table["table"] for table in listed.get("tables", [])]
        await stranger.ok("watch", table=made["table"], invite=made["invite"])


def _fields_of(tag: str) -> tuple[str, ...]:
    found = next(m for m in ClientUnion.__args__ if m.__struct_config__.tag == tag)
    return tuple(found.__struct_fields__)

"""One table with someone of every role on the wire, in a state that moves only when somebody acts."""

from __future__ import annotations

import asyncio
from typing import Any

from server.store.store import Store
from tests.support.hanpan_server import HanpanServer
from tests.support.wire import Json, Wire, dial, guest

ROLES = (
    "unidentified", "revoked", "stranger", "spectator", "in_turn", "out_of_turn", "host", "left",
)  # fmt: skip


class Scene:
    """A Peeper table of three without clocks: two people in it, one who gave up, its host outside.

    wires: by role. table: its id. request: the open turn of `in_turn`; action: what answers it.
    """

    def __init__(self, server: HanpanServer) -> None:
        self.server = server
        self.wires: dict[str, Wire] = {}
        self.tokens: dict[str, str] = {}
        self.table = ""
        self.request = "r0"
        self.action: Json = {"type": "pass"}
        self.seats: dict[str, int] = {}

    async def set_up(self, phase: str = "running") -> None:
        """Everyone where he belongs. phase: `waiting`: before the match, with one seat free."""
        for role in ROLES:
            token = self.tokens[role] = await guest(self.server.url)
            known = role not in ("unidentified", "revoked")
            self.wires[role] = await dial(self.server.ws_url, token if known else None)
        self.wires["watcher"] = await dial(self.server.ws_url, await guest(self.server.url))
        await self._revoke(self.tokens["revoked"])
        made = await self.wires["host"].ok("create_table", game="peeper", seats=3, speed="instant")
        self.table = made["table"]
        await self._sit(phase)
        await self.wires["spectator"].ok("watch", table=self.table)
        await self.wires["host"].ok("watch", table=self.table)
        await self.wires["watcher"].ok("watch", table=self.table)

    async def _sit(self, phase: str) -> None:
        people = ["left", "in_turn", "out_of_turn"]
        for role in people:
            joined = await self.wires[role].ok("join_table", table=self.table)
            self.seats[role] = joined["seat"]
        if phase == "waiting":
            await self.wires["left"].ok("leave_table", table=self.table)
            return
        for role in people:
            await self.wires[role].ok("ready", table=self.table)
        await self.wires["left"].ok("leave_table", table=self.table)
        await self._until_someones_turn()

    async def _until_someones_turn(self) -> None:
        """The bot in the given-up seat has played, and it is a person's turn: he is `in_turn`."""
        async with asyncio.timeout(20):
            while True:
                for role in ("in_turn", "out_of_turn"):
                    for request in self.wires[role].requests(self.table):
                        if request["kind"] == "claim":
                            await self._decline(role, request)
                        elif len(self._asked()) == 1:
                            self._in_turn(role, request)
                            return
                await asyncio.sleep(0.01)

    def _asked(self) -> list[Json]:
        people = ("in_turn", "out_of_turn")
        return [r for role in people for r in self.wires[role].requests(self.table)]

    async def close_windows(self) -> None:
        """Every person who is asked for a claim declines, until a turn is all that is asked."""
        async with asyncio.timeout(20):
            while True:
                shown = await self.present()
                people = {
                    role: shown[role].get("requests", []) for role in ("in_turn", "out_of_turn")
                }
                asked = [(role, request) for role in people for request in people[role]]
                if len(asked) == 1 and asked[0][1]["kind"] == "turn":
                    return
                for role, request in asked:
                    if request["kind"] == "claim":
                        await self._decline(role, request)
                await asyncio.sleep(0.01)

    async def _decline(self, role: str, request: Json) -> None:
        fields = {"table": self.table, "request": request["request"]}
        await self.wires[role].ask("act", action={"type": "decline"}, **fields)
        await self.wires[role].settle()

    def _in_turn(self, role: str, request: Json) -> None:
        if role != "in_turn":
            self._swap(self.wires)
            self._swap(self.tokens)
            self._swap(self.seats)
        self.request = request["request"]
        self.action = request["legal"][0]

    @staticmethod
    def _swap(names: dict[str, Any]) -> None:
        names["in_turn"], names["out_of_turn"] = names["out_of_turn"], names["in_turn"]

    async def _revoke(self, token: str) -> None:
        store = Store(f"sqlite:///{self.server.data / 'hanpan.sqlite'}")
        await store.start()
        try:
            assert await store.revoke(token) is not None
        finally:
            await store.stop()

    async def present(self) -> Json:
        """All of the table's state that a spectator and the seats see, and every stream's number."""
        shown: Json = {}
        for role in ("watcher", "in_turn", "out_of_turn"):
            one = self.wires[role]
            if one.closed is not None:
                continue
            before = len(one.frames)
            await one.ok("watch", table=self.table)
            found = await one.find(
                lambda f: f["type"] == "snapshot" and f["table"] == self.table, before
            )
            shown[role] = {k: v for k, v in found.items() if k not in ("info", "chat")}
        return shown

    def fields(self, tag: str) -> dict[str, Any]:
        """A whole and sensible message of this type about the table."""
        return {"id": f"m-{tag}", "type": tag, **self._fields()[tag]}

    def _fields(self) -> dict[str, dict[str, Any]]:
        at = {"table": self.table}
        asked = {**at, "request": self.request}
        return {
            "ping": {},
            "identify": {"token": self.tokens["unidentified"]},
            "list_games": {},
            "list_tables": {},
            "watch_lobby": {},
            "unwatch_lobby": {},
            "create_table": {"game": "peeper", "seats": 2},
            "join_table": at,
            "leave_table": at,
            "ready": at,
            "add_bot": at,
            "remove_bot": {**at, "seat": 0},
            "start": at,
            "rematch": at,
            "watch": at,
            "unwatch": at,
            "act": {**asked, "action": self.action},
            "withdraw": asked,
            "legal": asked,
            "standing": {**at, "orders": {}},
            "ask": {**at, "what": "turn"},
            "chat": {**at, "text": "hello"},
        }

    async def close(self) -> None:
        """Everyone goes."""
        for one in self.wires.values():
            await one.close()

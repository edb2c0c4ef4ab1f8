"""The HTTP endpoints under `/v1`: guests, games, tables, records, schemas."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from protocol.client import ListTables
from protocol.fields import Locale
from protocol.server import PlayerInfo
from server.core.names import NameRefused
from server.runtime.games import game_schema
from server.runtime.hub import Hub
from server.runtime.records import handed_out
from server.store.models import NameTaken, StoreError
from server.transport.accept import Gate
from server.transport.address import remote_address
from server.web.problems import Problem, json_response

MAX_BODY = 4_096


class NewGuest(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST /v1/guests; an empty body asks for a made-up name."""

    name: Annotated[str, Meta(max_length=64)] | None = None
    locale: Locale = "en"


class Guest(msgspec.Struct):
    """The answer: who it is, and the token that proves it."""

    player: PlayerInfo
    token: str


class Api:
    """The endpoints; a dozen lines each."""

    def __init__(self, hub: Hub, gate: Gate) -> None:
        self._hub = hub
        self._gate = gate

    def routes(self) -> list[Route]:
        """All routes."""
        return [
            Route("/v1/guests", self.guests, methods=["POST", "OPTIONS"]),
            Route("/v1/token", self.token, methods=["DELETE", "OPTIONS"]),
            Route("/v1/games", self.games),
            Route("/v1/tables", self.tables),
            Route("/v1/tables/{table}", self.table),
            Route("/v1/records/{match}", self.record),
            Route("/v1/schema/{game}.json", self.schema),
        ]

    async def guests(self, request: Request) -> Response:
        """A new guest and its token."""
        if request.method == "OPTIONS":
            return _preflight("POST", "content-type")
        after_ms = self._hub.limits.guest(self._address(request))
        if after_ms is not None:
            raise Problem("rate_limited", after_ms=after_ms)
        wish = _body(await _read(request))
        try:
            player, token = await self._hub.store.guest(wish.name, wish.locale)
        except NameRefused as error:
            raise Problem("bad_message", f"name: {error}") from error
        except NameTaken as error:
            raise Problem("bad_message", str(error)) from error
        except StoreError as error:
            raise Problem("unavailable") from error
        info = PlayerInfo(id=player.id, name=player.name, guest=True)
        return json_response(Guest(info, token), 201)

    async def token(self, request: Request) -> Response:
        """The end of the token in the header, and of its player's sockets in every process."""
        if request.method == "OPTIONS":
            return _preflight("DELETE", "authorization")
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not token:
            raise Problem("bad_token", "Name the token in the header `Authorization: Bearer …`.")
        try:
            player = await self._hub.revoke(token.strip())
        except StoreError as error:
            raise Problem("unavailable") from error
        if player is None:
            after_ms = self._hub.limits.sign_in(self._address(request))
            raise Problem("bad_token" if after_ms is None else "rate_limited", after_ms=after_ms)
        return json_response({"player": player})

    def _address(self, request: Request) -> str:
        client = request.client.host if request.client is not None else ""
        return remote_address(client, request.scope["headers"], self._gate.trusted)

    async def games(self, request: Request) -> Response:
        """All games."""
        return json_response({"games": self._hub.game_infos})

    async def tables(self, request: Request) -> Response:
        """The public tables that match the query's filters."""
        try:
            wish = msgspec.convert(dict(request.query_params), ListTables, strict=False)
        except msgspec.ValidationError as error:
            raise Problem("bad_message", str(error)) from error
        tables, more = self._hub.directory.lobby.listed(wish)
        return json_response({"tables": tables, "more": more})

    async def table(self, request: Request) -> Response:
        """One public table."""
        info = self._hub.directory.lobby.info(request.path_params["table"])
        if info is None or info.visibility != "public":
            raise Problem("not_found", "There is no such table, or it is private.")
        return json_response(info)

    async def record(self, request: Request) -> Response:
        """A finished match's record, as much of it as is handed out; with `?locale=` its sentences."""
        try:
            locale = request.query_params.get("locale")
            found = await handed_out(self._hub, request.path_params["match"], locale)
        except StoreError as error:
            raise Problem("unavailable") from error
        if found is None:
            raise Problem("not_found", "There is no record of such a match.")
        return json_response(found)

    async def schema(self, request: Request) -> Response:
        """The JSON schema of a game's actions, events, view and options."""
        game = self._hub.games.get(request.path_params["game"])
        if game is None:
            raise Problem("not_found", f"There are: {', '.join(self._hub.games)}.")
        return json_response(game_schema(game))


def _preflight(method: str, header: str) -> Response:
    """What a browser asks before it lets a page of another origin call."""
    allowed = {
        "access-control-allow-methods": method,
        "access-control-allow-headers": header,
    }
    return json_response({}, headers=allowed)


async def _read(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise Problem("too_large", f"The body is larger than {MAX_BODY} bytes.")
    return body


def _body(body: bytes) -> NewGuest:
    if not body.strip():
        return NewGuest()
    try:
        return msgspec.json.decode(body, type=NewGuest)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise Problem(
            "bad_message", f"The body must be an object with name and locale: {error}"
        ) from error

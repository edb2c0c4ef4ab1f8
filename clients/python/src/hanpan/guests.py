"""Guests: a token without an account, and the end of a token."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from typing import Any

import msgspec

from hanpan.address import Address
from hanpan.errors import Disconnected, HanpanError

TIMEOUT_S = 15


class GuestRefused(HanpanError):
    """The server does not take this guest, e.g. for his name, or this token. status: the HTTP status."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


class Guest(msgspec.Struct):
    """A new guest. token: to be kept by who wants to come back as the same player."""

    token: str
    player: dict[str, Any] = {}


async def guest(url: str, name: str | None = None) -> Guest:
    """Ask the server for a guest. Raises GuestRefused, or Disconnected when nobody answers."""
    body = msgspec.json.encode({"name": name} if name else {})
    answer = await asyncio.to_thread(
        _call, Address.of(url), "POST", "/v1/guests", {"content-type": "application/json"}, body
    )
    try:
        return msgspec.json.decode(answer, type=Guest)
    except msgspec.MsgspecError as error:
        raise Disconnected(f"no answer that makes sense: {error}") from None


async def end_token(url: str, token: str) -> None:
    """End a token for good, and every connection of its player. Raises GuestRefused for one that does
    not hold, or Disconnected when nobody answers."""
    headers = {"authorization": f"Bearer {token}"}
    await asyncio.to_thread(_call, Address.of(url), "DELETE", "/v1/token", headers, None)


def _call(
    address: Address, method: str, path: str, headers: dict[str, str], body: bytes | None
) -> bytes:
    request = urllib.request.Request(
        address.http(path),
        data=body,
        headers={"accept": "application/json", **headers},
        method=method,
    )
    handlers = [urllib.request.ProxyHandler({})] if address.local else []
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=TIMEOUT_S) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            raise GuestRefused(error.code, _detail(error)) from None
    except OSError as error:
        raise Disconnected(f"no answer from {address.http('')}: {error}") from None


def _detail(error: urllib.error.HTTPError) -> str:
    try:
        problem = msgspec.json.decode(error.read(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError):
        problem = {}
    return str(problem.get("detail") or problem.get("title") or error.reason)

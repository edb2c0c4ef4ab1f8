"""Guests: a token without an account."""

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
    """The server does not take this guest, e.g. for his name. status: the HTTP status."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


class Guest(msgspec.Struct):
    """A new guest. token: to be kept by who wants to come back as the same player."""

    token: str
    player: dict[str, Any] = {}


async def guest(url: str, name: str | None = None) -> Guest:
    """Ask the server for a guest. Raises GuestRefused, or Disconnected when nobody answers."""
    return await asyncio.to_thread(_post, Address.of(url), {"name": name} if name else {})


def _post(address: Address, body: dict[str, str]) -> Guest:
    request = urllib.request.Request(
        address.http("/v1/guests"),
        data=msgspec.json.encode(body),
        headers={"content-type": "application/json", "accept": "application/json"},
        method="POST",
    )
    handlers = [urllib.request.ProxyHandler({})] if address.local else []
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=TIMEOUT_S) as answer:
            return msgspec.json.decode(answer.read(), type=Guest)
    except urllib.error.HTTPError as error:
        with error:
            raise GuestRefused(error.code, _detail(error)) from None
    except (OSError, msgspec.MsgspecError) as error:
        raise Disconnected(f"no answer from {address.http('')}: {error}") from None


def _detail(error: urllib.error.HTTPError) -> str:
    try:
        problem = msgspec.json.decode(error.read(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError):
        problem = {}
    return str(problem.get("detail") or problem.get("title") or error.reason)

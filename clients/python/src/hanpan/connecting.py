"""Connecting: what a program calls first."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from hanpan.address import Address
from hanpan.backoff import Backoff
from hanpan.client import Client, Want
from hanpan.guests import guest
from hanpan.sockets import Dial, dial


class connect:
    """Connect to a server: `client = await connect(url)`, or `async with connect(url) as client`.

    url: `http://127.0.0.1:8000` or the socket's own. token: who this is; without one a guest called
    `name` is made. locale: en, ko or ja. want: `["say"]` for sentences. patience_s: how long to try
    to come back before giving up (None: for ever). dial, backoff: for tests.
    Raises Disconnected when nobody answers, GuestRefused for a bad name, BadToken.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        name: str | None = None,
        *,
        locale: str = "en",
        want: Iterable[Want] = (),
        client: str = "hanpan-py/0.1",
        patience_s: float | None = 300.0,
        dial: Dial = dial,
        backoff: Backoff | None = None,
    ) -> None:
        self._url = url
        self._token = token
        self._name = name
        self._fields = {"locale": locale, "want": want, "name": client}
        self._open = {"dial": dial, "backoff": backoff, "patience_s": patience_s}
        self._client: Client | None = None

    async def _connect(self) -> Client:
        address = Address.of(self._url)
        token = self._token or (await guest(self._url, self._name)).token
        client = Client(token, **self._fields)  # type: ignore[arg-type]
        await client.open(address, **self._open)  # type: ignore[arg-type]
        return client

    def __await__(self) -> Generator[Any, None, Client]:
        return self._connect().__await__()

    async def __aenter__(self) -> Client:
        self._client = await self._connect()
        return self._client

    async def __aexit__(self, *error: object) -> None:
        if self._client is not None:
            await self._client.close()

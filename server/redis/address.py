"""Where Redis is, out of its URL."""

from __future__ import annotations

import ssl
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec


class Address(msgspec.Struct, frozen=True):
    """host and port, or the path of a Unix socket. ca: a file of certificates to trust, for `tls`."""

    host: str = "127.0.0.1"
    port: int = 6379
    path: str | None = None
    db: int = 0
    username: str | None = None
    password: str | None = None
    tls: bool = False
    ca: str | None = None

    def __str__(self) -> str:
        """For sentences: without the password."""
        return self.path or f"{self.host}:{self.port}"

    def context(self) -> ssl.SSLContext | None:
        """How to encrypt, if at all."""
        return ssl.create_default_context(cafile=self.ca) if self.tls else None


def address(url: str) -> Address:
    """The address in `redis://`, `rediss://` (TLS; `?ssl_ca_certs=file`) or `unix://`.

    Raises ValueError with a sentence.
    """
    try:
        parts = urlsplit(url)
        database = parts.path.strip("/") if parts.scheme != "unix" else ""
        query = dict(parse_qsl(parts.query))
        if parts.scheme not in ("redis", "rediss", "unix"):
            raise ValueError(parts.scheme)
        return Address(
            host=parts.hostname or "127.0.0.1",
            port=parts.port or 6379,
            path=parts.path if parts.scheme == "unix" else None,
            db=int(database or query.get("db", "0")),
            username=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password) if parts.password else None,
            tls=parts.scheme == "rediss",
            ca=query.get("ssl_ca_certs"),
        )
    except ValueError as error:
        raise ValueError(
            "The Redis URL is none; it looks like redis://user:password@host:6379/0."
        ) from error

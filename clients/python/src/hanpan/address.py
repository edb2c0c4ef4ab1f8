"""Where a server is: the socket and the HTTP addresses of one URL."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

_SOCKET = "/v1/ws"
_SECURE = {"http": False, "ws": False, "https": True, "wss": True}


class Address(NamedTuple):
    """A server's addresses, from any of them: `http://host:port`, `wss://host/base/v1/ws`."""

    secure: bool
    host: str
    base: str

    @classmethod
    def of(cls, url: str) -> Address:
        """Read a URL; a bare `host:port` is taken as http. Raises ValueError with a sentence."""
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in _SECURE or not parts.netloc:
            raise ValueError(f"{url!r} is not the address of a server, e.g. http://127.0.0.1:8000")
        base = parts.path.rstrip("/").removesuffix(_SOCKET)
        return cls(_SECURE[parts.scheme], parts.netloc, base)

    @property
    def socket(self) -> str:
        """The WebSocket's URL."""
        return urlunsplit(("wss" if self.secure else "ws", self.host, self.base + _SOCKET, "", ""))

    def http(self, path: str) -> str:
        """The URL of an HTTP path, e.g. `/v1/guests`."""
        return urlunsplit(("https" if self.secure else "http", self.host, self.base + path, "", ""))

    @property
    def local(self) -> bool:
        """Whether the server is this machine, which no proxy should stand before."""
        name = urlsplit(f"//{self.host}").hostname or ""
        return name in ("localhost", "::1") or name.startswith("127.")

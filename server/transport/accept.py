"""The way in: who may connect, which subprotocol is spoken, which kind of socket it becomes."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping, Sequence
from typing import Any

from server.transport import codes
from server.transport.address import Addresses, Network, is_trusted, remote_address
from server.transport.asgi import AsgiSocket, Receive, Send
from server.transport.base import Socket, TransportLimits
from server.transport.faults import Faults
from server.transport.uvicorn_ws import EXTENSION

SUBPROTOCOL = "hanpan.v1.json"

Scope = MutableMapping[str, Any]

CROWDED_S = 10
CROWDED = b"Too many connections from this address.\n"
FAULTY = (
    b"Too many connections from this address were closed for their own fault; wait and come back.\n"
)
_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


class Gate:
    """What every connection of this process is held to.

    origins: those allowed, as `https://example.org`; None allows any (no cookie ever authenticates).
    trusted: proxies whose forwarded address is believed. addresses: the sockets now, by address.
    faults: closings for the peer's own fault, by address.
    """

    def __init__(
        self,
        limits: TransportLimits,
        origins: Iterable[str] | None = None,
        trusted: tuple[Network, ...] = (),
    ) -> None:
        self.limits = limits
        self.origins = None if origins is None else frozenset(o.lower() for o in origins)
        self.trusted = trusted
        self.addresses = Addresses(limits.per_address)
        self.faults = Faults(limits.faults_per_minute)

    def wait_s(self, peer: str) -> int:
        """How many seconds a peer has to wait, as far as that is known before it says anything: of what
        comes by a trusted proxy the address is not."""
        wait_s = self.faults.wait_s(peer)
        return 0 if wait_s and is_trusted(peer, self.trusted) else wait_s

    def left(self, remote: str, code: int) -> None:
        """A connection that was counted has ended with this code."""
        self.addresses.leave(remote)
        self.faults.note(remote, code)

    def admits_origin(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Only browsers send an origin, so only they are narrowed."""
        if self.origins is None:
            return True
        sent = [value.decode("latin-1").lower() for name, value in headers if name == b"origin"]
        return all(origin in self.origins for origin in sent)


def negotiate(offered: Sequence[str]) -> tuple[str | None, bool]:
    """The subprotocol to answer, and whether it is one that we speak.

    None offered is version 1. Of only unknown ones the first is named, to be closed with 4006 at once:
    a browser would not show its page the code of a connection that answers none of its offers.
    """
    if not offered:
        return None, True
    if SUBPROTOCOL in offered:
        return SUBPROTOCOL, True
    first = offered[0]
    return (first if first and _TOKEN.issuperset(first) else None), False


async def accept(scope: Scope, receive: Receive, send: Send, gate: Gate) -> Socket | None:
    """Answers the handshake; None when there is nothing left to do for the endpoint.

    Refused are an origin that is not allowed (403), and an address with too many sockets or that has to
    wait (429, or 403 where the server cannot say it).
    """
    event = await receive()
    if event["type"] != "websocket.connect":
        return None
    headers = scope["headers"]
    if not gate.admits_origin(headers):
        await send({"type": "websocket.close"})
        return None
    client = scope.get("client")
    remote = remote_address(client[0] if client else "", headers, gate.trusted)
    wait_s = gate.faults.wait_s(remote)
    if wait_s:
        await _refuse_busy(scope, send, wait_s, FAULTY)
        return None
    if not gate.addresses.enter(remote):
        await _refuse_busy(scope, send, CROWDED_S, CROWDED)
        return None
    socket = _socket(scope, receive, send, remote, gate)
    subprotocol, known = negotiate(scope.get("subprotocols") or ())
    try:
        await send({"type": "websocket.accept", "subprotocol": subprotocol, "headers": []})
    except OSError:
        socket.drop()
        return None
    socket.start()
    if not known:
        socket.close(codes.VERSION, "no common version")
    if not socket.is_open:
        await socket.run()
        return None
    return socket


def _socket(scope: Scope, receive: Receive, send: Send, remote: str, gate: Gate) -> Socket:
    offer = (scope.get("extensions") or {}).get(EXTENSION)
    if offer is not None:
        socket: Socket = offer["claim"](remote, gate.limits)
    else:
        socket = AsgiSocket(remote, gate.limits, receive, send)
    socket.hold(lambda code: gate.left(remote, code))
    return socket


async def _refuse_busy(scope: Scope, send: Send, wait_s: int, why: bytes) -> None:
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close"})
        return
    head = [(b"content-type", b"text/plain; charset=utf-8"), (b"retry-after", b"%d" % wait_s)]
    await send({"type": "websocket.http.response.start", "status": 429, "headers": head})
    await send({"type": "websocket.http.response.body", "body": why})

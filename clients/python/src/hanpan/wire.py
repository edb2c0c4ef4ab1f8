"""Messages to bytes and bytes to messages, lenient toward what a newer server may send."""

from __future__ import annotations

import logging
from typing import Any, TypeVar

import msgspec

from hanpan._messages import ClientMessage, ServerMessage, ServerUnion, TableInfo

SUBPROTOCOL = "hanpan.v1.json"
T = TypeVar("T")
log = logging.getLogger("hanpan")
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(ServerUnion)


def encode(message: ClientMessage) -> bytes:
    """The message as JSON bytes, without what has its default."""
    return _encoder.encode(message)


def decode(data: bytes) -> ServerMessage | None:
    """The server's message; None for a type that this version does not know."""
    try:
        return _decoder.decode(data)
    except msgspec.ValidationError as error:
        log.info("a message of the server was not understood: %s", error)
    except msgspec.DecodeError as error:
        log.warning("the server sent what is not JSON: %s", error)
    return None


def tables(found: list[Any] | None) -> list[TableInfo]:
    """The tables of a list's answer."""
    return msgspec.convert(found or [], list[TableInfo])


def plain(value: Any) -> Any:
    """The value as plain dicts and lists, as it stands in JSON."""
    return msgspec.to_builtins(value)


def convert(value: Any, kind: type[T]) -> T:
    """Plain JSON values as a type; fields that it does not know are ignored."""
    return msgspec.convert(value, kind)

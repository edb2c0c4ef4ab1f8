"""Bytes to client messages and server messages to bytes."""

from __future__ import annotations

import re

import msgspec

from protocol.client import ClientMessage, ClientUnion
from protocol.fields import RequestId
from protocol.server import ServerMessage

VERSION = "1.0"
SUBPROTOCOL = "hanpan.v1.json"

encoder = msgspec.json.Encoder()
_client = msgspec.json.Decoder(ClientUnion)
_AT = re.compile(r" - at `\$\.?(.*?)`$")


class _Envelope(msgspec.Struct):
    id: RequestId | None = None


class _Type(msgspec.Struct):
    type: str


_envelope = msgspec.json.Decoder(_Envelope)
_type = msgspec.json.Decoder(_Type)
_TYPES = frozenset(str(t.__struct_config__.tag) for t in ClientUnion.__args__)


class BadMessage(ValueError):
    """A message that the protocol does not allow; to be answered, nothing was done.

    code: `bad_message` or `unknown_type`. field: where it breaks the form, if known. re: its id.
    """

    def __init__(
        self, code: str, message: str, field: str | None = None, re: RequestId | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.re = re


class NotAnObject(ValueError):
    """A frame that is not even a JSON object: the connection is closed with 4002."""


def decode(payload: bytes) -> ClientMessage:
    """The client's message. Raises BadMessage, or NotAnObject for a frame that is no JSON object."""
    try:
        return _client.decode(payload)
    except msgspec.ValidationError as error:
        reason = str(error)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise NotAnObject("the frame is not a JSON object") from error
    if not payload.lstrip().startswith(b"{"):
        raise NotAnObject("the frame is not a JSON object")
    raise _bad(payload, reason)


def _bad(payload: bytes, reason: str) -> BadMessage:
    try:
        re_id = _envelope.decode(payload).id
    except (msgspec.MsgspecError, RecursionError):
        re_id = None
    try:
        known = _type.decode(payload).type in _TYPES
    except (msgspec.MsgspecError, RecursionError):
        return BadMessage("bad_message", "`type` is missing or not a string", "type", re_id)
    if not known:
        return BadMessage("unknown_type", "there is no message of this type", "type", re_id)
    message, field = without_values(reason)
    return BadMessage("bad_message", message, field, re_id)


def without_values(reason: str) -> tuple[str, str | None]:
    """A decoder's error text without what the client had sent, and the field's path."""
    found = _AT.search(reason)
    field = found.group(1) if found else None
    text = _AT.sub("", reason)
    if text.startswith(("Invalid value", "Invalid enum value")):
        text = "this value is not allowed"
    if text.startswith("Object contains unknown field"):
        text = "there is no such field"
    return (f"{field}: {text}" if field else text), field


def encode(message: ServerMessage) -> bytes:
    """The message as JSON bytes."""
    return encoder.encode(message)

"""Error codes with their classes, and close codes with what a client does about them."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

ErrorClass = Literal["client", "state", "limit", "server"]

ERRORS: dict[str, tuple[ErrorClass, str]] = {
    "bad_message": ("client", "The message does not have the form that the protocol asks for."),
    "unknown_type": ("client", "There is no message of this type."),
    "not_identified": ("client", "Send identify first."),
    "bad_token": ("client", "The token is unknown or was revoked; get a new one."),
    "forbidden": ("client", "This player may not do that."),
    "not_found": ("client", "There is no such thing, or it is not for this player."),
    "bad_options": ("client", "The game does not take these options; the message names the field."),
    "too_large": ("client", "The body of an HTTP request is too large."),
    "table_full": ("state", "Every seat is taken."),
    "already_seated": ("state", "This player has a seat at the table already."),
    "already_started": ("state", "The match is running; wait for it to end."),
    "not_ready": ("state", "The table cannot start yet; the message says what is missing."),
    "not_seated": ("state", "This player has no seat at the table."),
    "not_your_turn": ("state", "Nothing is asked of this seat that this action would answer."),
    "stale_request": ("state", "The request was answered or is over; look at those that stand."),
    "claim_closed": ("state", "The claim window is closed."),
    "match_over": ("state", "The match is over."),
    "illegal_action": ("state", "The rules forbid it; the message names the rule."),
    "ambiguous_action": ("state", "The pieces have several readings; declare which is meant."),
    "rate_limited": ("limit", "Too many of these; wait after_ms."),
    "moving": ("server", "The table changes its owner; the same message is safe to repeat."),
    "draining": ("server", "This server stops; resume elsewhere."),
    "unavailable": ("server", "The journal or the store is away or full; nothing was done."),
    "internal": ("server", "A fault of ours; nothing was done."),
}


def retry(code: str) -> bool:
    """Whether the same message may succeed later without anything else being done."""
    return ERRORS[code][0] in ("limit", "server")


class Close(IntEnum):
    """Why the server closed a connection."""

    BYE = 4000
    DRAINING = 4001
    BAD_FRAME = 4002
    IDENTIFY = 4003
    CONNECTIONS = 4004
    TOO_FAST = 4005
    VERSION = 4006
    TOO_SLOW = 4007
    HEARTBEAT = 4009
    BANNED = 4011


CLOSES: dict[Close, tuple[bool, str]] = {
    Close.BYE: (False, "The client said goodbye or the server is done with it."),
    Close.DRAINING: (True, "The server stops: resume after the in_ms that `draining` named."),
    Close.BAD_FRAME: (False, "A frame that is no message: stop and mend the client."),
    Close.IDENTIFY: (True, "No identify within 5 s, or the token ended: identify again."),
    Close.CONNECTIONS: (False, "More connections than this token may have; the oldest was closed."),
    Close.TOO_FAST: (True, "Too many frames a second: wait, then resume."),
    Close.VERSION: (False, "No common protocol version: stop and update the client."),
    Close.TOO_SLOW: (True, "The client read too slowly: resume."),
    Close.HEARTBEAT: (True, "No sign of life within two heartbeats: resume."),
    Close.BANNED: (False, "This player is banned: stop."),
}
"""Whether to resume, and what it means."""

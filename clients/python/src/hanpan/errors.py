"""What can go wrong, as types: refusals by code, and ends of a connection by close code."""

from __future__ import annotations

from hanpan._messages import CLOSES, ERRORS, Close, Error, RequestInfo


class HanpanError(Exception):
    """Base of everything that this package raises on purpose."""


class Refused(HanpanError):
    """The server did not carry out a request; nothing was changed.

    code: a stable string. message: a sentence in the connection's language. retry: whether the same
    request may succeed later. after_ms: how long to wait first. field: where the message is wrong.
    requests: the open requests of the seat, where the server names them.
    """

    def __init__(self, error: Error) -> None:
        super().__init__(f"{error.code}: {error.message}")
        self.code = error.code
        self.message = error.message
        self.retry = error.retry
        self.field = error.field
        self.after_ms = error.after_ms
        self.requests: list[RequestInfo] | None = error.requests


class ClientError(Refused):
    """The request is wrong as such; sending it again is no use."""


class StateError(Refused):
    """The table has moved on, or the rules forbid it; look again."""


class LimitError(Refused):
    """Too many of these; wait `after_ms`."""


class ServerError(Refused):
    """A passing fault of the server; nothing was done, it may be tried again."""


class BadToken(ClientError):
    """The token is unknown or was revoked."""


class Forbidden(ClientError):
    """This player may not do that."""


class NotFound(ClientError):
    """There is no such thing, or it is not for this player."""


class BadOptions(ClientError):
    """The game does not take these options."""


class IllegalAction(StateError):
    """The rules forbid it; the message names the rule."""


class AmbiguousAction(StateError):
    """The pieces have several readings; one has to be declared."""


class StaleRequest(StateError):
    """The request was answered or is over."""


class ClaimClosed(StateError):
    """The claim window is closed."""


class NotYourTurn(StateError):
    """Nothing is asked of this seat that this action would answer."""


class NotSeated(StateError):
    """This player has no seat at the table."""


class AlreadySeated(StateError):
    """This player has a seat at the table already."""


class TableFull(StateError):
    """Every seat is taken."""


class MatchOver(StateError):
    """The match is over."""


class RateLimited(LimitError):
    """Too many of these; wait `after_ms`."""


class Unavailable(ServerError):
    """The server's journal or store is away; nothing was done."""


_BY_CODE: dict[str, type[Refused]] = {
    "bad_token": BadToken,
    "forbidden": Forbidden,
    "not_found": NotFound,
    "bad_options": BadOptions,
    "illegal_action": IllegalAction,
    "ambiguous_action": AmbiguousAction,
    "stale_request": StaleRequest,
    "claim_closed": ClaimClosed,
    "not_your_turn": NotYourTurn,
    "not_seated": NotSeated,
    "already_seated": AlreadySeated,
    "table_full": TableFull,
    "match_over": MatchOver,
    "rate_limited": RateLimited,
    "unavailable": Unavailable,
}
_BY_CLASS: dict[str, type[Refused]] = {
    "client": ClientError,
    "state": StateError,
    "limit": LimitError,
    "server": ServerError,
}


def refusal(error: Error) -> Refused:
    """The exception for an `error` message; an unknown code is judged by its `retry`."""
    known = _BY_CODE.get(error.code)
    if known is None:
        kind = ERRORS[error.code][0] if error.code in ERRORS else "server" if error.retry else ""
        known = _BY_CLASS.get(kind, Refused)
    return known(error)


class Uncertain(HanpanError):
    """The connection was lost under a request that may not be repeated blindly; look at the table."""


class Disconnected(HanpanError):
    """There is no connection (any more): it could not be made, or not made again in time."""


class Unseated(HanpanError):
    """The table was taken from this connection. why: replaced, left, closed."""

    def __init__(self, table: str, why: str) -> None:
        super().__init__(f"table {table}: {why}")
        self.table = table
        self.why = why


class Stopped(HanpanError):
    """The server closed the connection for good; coming back is no use. code: its close code."""

    def __init__(self, code: int, reason: str = "") -> None:
        known = CLOSES.get(Close(code)) if code in Close.__members__.values() else None
        super().__init__(f"{code}: {reason or (known[1] if known else 'closed')}")
        self.code = code


class BadFrame(Stopped):
    """4002: this client sent what is no message; a fault of the client."""


class TooManyConnections(Stopped):
    """4004: this token has more connections than it may have; this one was the oldest."""


class WrongVersion(Stopped):
    """4006: no common version of the protocol; update the client."""


class Banned(Stopped):
    """4011: this player is banned."""


_STOPS: dict[int, type[Stopped]] = {
    Close.BAD_FRAME: BadFrame,
    Close.CONNECTIONS: TooManyConnections,
    Close.VERSION: WrongVersion,
    Close.BANNED: Banned,
}


def stop(code: int, reason: str = "") -> Stopped | None:
    """The exception for a close code after which a client must not come back; None for all others."""
    if code not in Close.__members__.values() or CLOSES[Close(code)][0]:
        return None
    return _STOPS.get(code, Stopped)(code, reason)

"""Async Python SDK for Hanpan tables: connect, resume by itself, one object a table."""

from hanpan._messages import (
    Clock,
    GameInfo,
    Ok,
    PlayerInfo,
    Say,
    SeatInfo,
    TableInfo,
)
from hanpan.backoff import Backoff
from hanpan.client import Client
from hanpan.connecting import connect
from hanpan.errors import (
    AlreadySeated,
    AmbiguousAction,
    BadFrame,
    BadOptions,
    BadToken,
    Banned,
    ClaimClosed,
    ClientError,
    Disconnected,
    Forbidden,
    HanpanError,
    IllegalAction,
    LimitError,
    MatchOver,
    NotFound,
    NotSeated,
    NotYourTurn,
    RateLimited,
    Refused,
    ServerError,
    StaleRequest,
    StateError,
    Stopped,
    TableFull,
    TooManyConnections,
    Unavailable,
    Uncertain,
    Unseated,
    WrongVersion,
)
from hanpan.guests import Guest, GuestRefused, end_token, guest
from hanpan.requests import Action, Request, pieces
from hanpan.state import Event, Frame
from hanpan.table import Table

__all__ = [
    "Action", "AlreadySeated", "AmbiguousAction", "Backoff", "BadFrame", "BadOptions", "BadToken",
    "Banned", "ClaimClosed", "Client", "ClientError", "Clock", "Disconnected", "Event", "Forbidden",
    "Frame", "GameInfo", "Guest", "GuestRefused", "HanpanError", "IllegalAction", "LimitError",
    "MatchOver", "NotFound", "NotSeated", "NotYourTurn", "Ok", "PlayerInfo", "RateLimited",
    "Refused", "Request", "Say", "SeatInfo", "ServerError", "StaleRequest", "StateError", "Stopped",
    "Table", "TableFull", "TableInfo", "TooManyConnections", "Unavailable", "Uncertain", "Unseated",
    "WrongVersion", "connect", "end_token", "guest", "pieces",
]  # fmt: skip

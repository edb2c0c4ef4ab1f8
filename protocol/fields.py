"""Field types with their bounds. Everything a client sends passes through one of these."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

SAFE = 2**53 - 1
"""Largest integer that every JSON reader keeps exact."""

RequestId = (
    Annotated[int, Meta(ge=-SAFE, le=SAFE)]
    | Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[ -~]+$")]
)
Id = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$")]
"""An opaque id: printable ASCII without spaces."""
Name = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[a-z][a-z0-9_]*$")]
Piece = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[!-~]+$")]
Seat = Annotated[int, Meta(ge=0, le=15)]
Sequence = Annotated[int, Meta(ge=0, le=SAFE)]
Locale = Annotated[str, Meta(min_length=2, max_length=16, pattern=r"^[A-Za-z0-9-]+$")]
Text = Annotated[str, Meta(min_length=1, max_length=500)]
Milliseconds = Annotated[int, Meta(ge=0, le=600_000)]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
StreamName = Annotated[str, Meta(pattern=r"^(seat:[0-9]{1,2}|public|public:delayed)$")]

Speed = Literal["blitz", "standard", "relaxed", "instant"]
Visibility = Literal["public", "private"]
AwayPolicy = Literal["bot", "forfeit"]
Detail = Literal["view", "events"]
Until = Literal["round", "match"]
Topic = Literal["hand", "table", "turn", "counts", "last", "clock", "legal", "score"]
SeatState = Literal["open", "here", "away", "left", "bot"]
Phase = Literal["waiting", "running", "ended"]

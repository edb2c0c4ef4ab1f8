"""Tests of server/core/public_record.py: what spectators saw, shown only if it fits together."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.kit.registry import AnyGame
from server.core.public_record import check, is_public, parse
from server.core.record import RecordError
from tests.server.core.bench import GAMES, PEEPER, Bench


def public(game: AnyGame = PEEPER) -> dict[str, Any]:
    """The public record of a match that bots have played."""
    bench = Bench(game, game.min_seats, bots=tuple(range(game.min_seats)), pace_ms=700)
    bench.play_bots()
    frames = []
    for one in bench.stream("public")[game.min_seats :]:
        parts = msgspec.json.decode(one.data)
        frame = {"at": one.at, "seq": one.seq, "events": parts["events"], "view": parts["view"]}
        frames.append({key: value for key, value in frame.items() if value is not None})
    return {
        "format": "hanpan.record/1",
        "kind": "public",
        "game": game.name,
        "seats": game.min_seats,
        "options": msgspec.to_builtins(bench.table.options),
        "names": list("ABCDE"[: game.min_seats]),
        "frames": frames,
        "scores": bench.table.match.scores,
        "places": bench.table.match.places,
    }


def checked(fields: dict[str, Any]) -> None:
    check(parse(msgspec.json.encode(fields)), GAMES)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
def test_what_a_table_has_shown_fits_together(game: AnyGame) -> None:
    fields = public(game)
    assert is_public(msgspec.json.encode(fields))
    checked(fields)


def spoilt(path: list[Any], value: Any) -> dict[str, Any]:
    fields = public()
    place: Any = fields
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return fields


@pytest.mark.parametrize(
    ("path", "value", "part"),
    [
        (["frames", 3, "seq"], 99, "frames[3]"),
        (["frames", 3, "at"], 0, "frames[3]"),
        (["frames", 2, "events", 0, "type"], "castled", "castled"),
        (["frames", 2, "events"], [], "does not follow"),
        (["frames", 2, "view", "turn"], None, "does not follow"),
        (["frames", 2, "view", "hand"], 7, "not a view"),
        (["game"], "whist", "whist"),
        (["seats"], 9, "2 to 6"),
        (["options", "claim_ms"], -1, "claim_ms"),
        (["kind"], "full", "not a public record"),
        (["unheard"], 1, "unheard"),
    ],
)
def test_what_does_not_is_told(path: list[Any], value: Any, part: str) -> None:
    with pytest.raises(RecordError) as caught:
        checked(spoilt(path, value))
    assert part in str(caught.value)


def test_an_event_that_spectators_may_not_see_is_found() -> None:
    fields = public()
    first = fields["frames"][0]
    started = next(e for e in first["events"] if e["type"] == "round_started")
    started["hand"] = ["5"] * 16
    with pytest.raises(RecordError, match="may not know"):
        checked(fields)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"kind":"full"}', b'{"kind":7}', b"\xff"])
def test_what_does_not_call_itself_public_is_not(data: bytes) -> None:
    assert not is_public(data)

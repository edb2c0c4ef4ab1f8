"""Streams folded into a state: every event once, in order, whatever comes twice or is missing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpan._messages import Snapshot, TableInfo, Top, Update
from hanpan.state import Frame, Gap, State

INFO = TableInfo(
    table="t", game="g", ruleset="standard", options={}, speed="standard", seats=[],
    phase="running", visibility="public",
)  # fmt: skip


def snapshot(seq: int, epoch: str = "e", **fields: Any) -> Snapshot:
    fields.setdefault("stream", "seat:0")
    return Snapshot(table="t", epoch=epoch, seq=seq, info=INFO, seats=[], **fields)


def update(seq: int, **fields: Any) -> Update:
    fields.setdefault("events", [{"type": f"e{seq}"}])
    return Update(table="t", stream="seat:0", seq=seq, **fields)


def at(seq: int) -> State:
    state = State("t")
    state.snapshot(snapshot(seq))
    return state


def test_the_next_frame_is_taken_and_absent_parts_stay() -> None:
    state = at(3)
    state.update(update(4, view={"a": 1}))
    frame = state.update(update(5))
    assert isinstance(frame, Frame)
    assert [(e.type, e.seq, e.replay) for e in frame.events] == [("e5", 5, False)]
    assert state.view == {"a": 1}


def test_a_known_frame_is_dropped_and_a_missing_one_is_noticed_once() -> None:
    state = at(3)
    assert state.update(update(3)) is Gap.KNOWN
    assert state.update(update(5)) is Gap.MISSING
    assert state.update(update(6)) is Gap.KNOWN, "asked for already"
    assert state.update(update(4)) is Gap.KNOWN, "nothing is taken before the snapshot"
    frame = state.snapshot(snapshot(6))
    assert [e.type for e in frame.events] == ["snapshot"]
    assert isinstance(state.update(update(7)), Frame)


def test_another_stream_is_none_of_it() -> None:
    state = at(3)
    assert state.update(Update(table="t", stream="public", seq=4)) is Gap.KNOWN
    assert state.seq == 3


def test_the_first_snapshot_and_the_same_again_are_no_jump() -> None:
    state = State("t")
    assert state.snapshot(snapshot(3)).events == []
    assert state.snapshot(snapshot(3)).events == []
    assert [e.type for e in state.snapshot(snapshot(3, "f")).events] == ["snapshot"]


def test_frames_up_to_the_top_are_the_replay() -> None:
    state = at(3)
    state.resumed(Top(table="t", stream="seat:0", epoch="e", seq=5))
    frames = [state.update(update(seq)) for seq in (4, 5, 6)]
    assert [f.replay for f in frames if isinstance(f, Frame)] == [True, True, False]


def test_a_snapshot_in_a_resume_is_replay_and_a_later_one_is_not() -> None:
    state = at(3)
    state.resumed(Top(table="t", stream="seat:0", epoch="e", seq=9))
    assert state.snapshot(snapshot(9)).replay
    assert not state.snapshot(snapshot(12)).replay
    state.resumed(Top(table="t", stream="seat:0", epoch="e", seq=12))
    state.settled()
    assert not state.snapshot(snapshot(15)).replay


def test_windows_and_phases_follow_the_events() -> None:
    state = at(1)
    state.update(update(2, events=[{"type": "window_opened", "window": "w1"}]))
    opened = state.window
    assert opened == {"type": "window_opened", "window": "w1"}
    state.update(update(3, events=[{"type": "window_closed", "window": "w1"}]))
    assert state.window is None
    state.update(update(4, events=[{"type": "match_ended"}]))
    assert state.info is not None
    assert state.info.phase == "ended"


@pytest.mark.parametrize("end", ["match_ended", "match_voided"])
def test_a_match_that_ends_under_an_open_window_takes_it_along(end: str) -> None:
    state = at(1)
    state.update(update(2, events=[{"type": "window_opened", "window": "w1"}]))
    state.update(update(3, events=[{"type": end}]))
    assert state.window is None
    assert state.clock is None


def test_the_place_names_the_detail() -> None:
    assert State("t").place("view") is None
    place = at(3).place("events")
    assert place is not None
    assert (place.stream, place.epoch, place.seq, place.detail) == ("seat:0", "e", 3, "events")


def test_only_the_same_stream_can_be_behind() -> None:
    state = at(3)
    assert state.behind(Top(table="t", stream="seat:0", epoch="e", seq=4))
    assert not state.behind(Top(table="t", stream="seat:0", epoch="e", seq=3))
    assert not state.behind(Top(table="t", stream="seat:0", epoch="f", seq=4))
    assert not state.behind(Top(table="t", stream="public", epoch="e", seq=4))


@given(st.lists(st.tuples(st.sampled_from(["next", "again", "lose", "resume"]), st.integers(0, 9))))
def test_no_event_is_lost_or_repeated_whatever_the_network_does(steps: list[Any]) -> None:
    """What is not seen as an event is covered by a snapshot event; nothing is seen twice."""
    state, top, covered = at(0), 0, 0
    seen: list[int] = []
    for step, back in steps:
        frames: list[int] = []
        if step == "next":
            top += 1
            frames = [top]
        elif step == "again":
            frames = list(range(max(1, top - back), top + 1))
        elif step == "lose":
            top += back
        else:
            state.resumed(Top(table="t", stream="seat:0", epoch="e", seq=top))
            frames = list(range(state.seq + 1, top + 1))
        for seq in frames:
            result = state.update(update(seq))
            if result is Gap.MISSING:
                result = state.snapshot(snapshot(top))
            if isinstance(result, Frame):
                for event in result.events:
                    if event.type == "snapshot":
                        covered = event.seq
                    else:
                        assert event.seq == max([covered, *seen[-1:]]) + 1
                        seen.append(event.seq)
    assert len(seen) == len(set(seen))
    assert state.seq <= top

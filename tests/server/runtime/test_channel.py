"""A stream's listeners, and what is kept for those who come back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from server.core.events import TimedOut
from server.core.frames import Frame
from server.runtime.channel import KEEP_BYTES, Channel, Subscription
from server.runtime.parts import Parts
from server.transport.base import Message


class FakeLine:
    def __init__(self) -> None:
        self.is_open = True
        self.got: list[Message] = []

    def send(self, message: Message, bulk: bool = False) -> None:
        self.got.append(message)

    @property
    def numbers(self) -> list[int]:
        return [json.loads(message.payload)["seq"] for message in self.got]


class FakeSession:
    def __init__(self, language: str | None = None) -> None:
        self.language = language
        self.socket = FakeLine()


def parts(seq: int, view: Any = None, say: bytes = b'[{"text":"tick"}]') -> Parts:
    frame = Frame(0, "public", seq, 0)
    frame.events = [TimedOut(1)]
    frame.view = view
    return Parts("t_1", frame, {"en": say})


def listen(
    channel: Channel, language: str | None = None, view: bool = True, after: int = 0
) -> FakeSession:
    session: Any = FakeSession(language)
    channel.listeners[session] = Subscription(session, view, after)
    found: FakeSession = session
    return found


def test_nobody_wants_anything_of_a_stream_without_listeners() -> None:
    assert Channel("public").wanted() == 0


@pytest.mark.parametrize(("view", "wanted"), [(False, 1), (True, 2)])
def test_what_is_wanted_follows_the_listeners(view: bool, wanted: int) -> None:
    channel = Channel("public")
    listen(channel, view=view)
    assert channel.wanted() == wanted


def test_an_absent_players_stream_is_rendered_for_his_return() -> None:
    channel = Channel("seat:0")
    channel.keeps_on, channel.kept_language = True, "ko"
    assert channel.wanted() == 2
    assert channel.languages == {"ko"}


def test_a_listener_gets_what_comes_after_its_number_only() -> None:
    channel = Channel("public")
    early, late = listen(channel, after=3), listen(channel, after=5)
    for seq in (4, 5, 6):
        channel.deliver(parts(seq), bulk=False)
    assert early.socket.numbers == [4, 5, 6]
    assert late.socket.numbers == [6]


def test_equal_listeners_get_the_very_same_message() -> None:
    channel = Channel("public")
    one, two = listen(channel, "en"), listen(channel, "en")
    other = listen(channel, None)
    channel.deliver(parts(1), bulk=False)
    assert one.socket.got[0] is two.socket.got[0]
    assert other.socket.got[0] is not one.socket.got[0]
    assert "say" not in json.loads(other.socket.got[0].payload)


def test_a_return_gets_exactly_the_missing_frames() -> None:
    channel = Channel("seat:1")
    for seq in range(5, 12):
        channel.keep(parts(seq))
    missing = channel.since(8, 11)
    assert missing is not None
    assert [p.seq for p in missing] == [9, 10, 11]
    assert channel.since(11, 11) == []


@pytest.mark.parametrize(("seq", "top"), [(3, 11), (12, 11), (8, 12)])
def test_a_return_that_cannot_be_served_whole_is_not_served_in_part(seq: int, top: int) -> None:
    channel = Channel("seat:1")
    for number in range(5, 12):
        channel.keep(parts(number))
    assert channel.since(seq, top) is None


def test_a_gap_in_what_is_kept_forgets_what_was_before() -> None:
    channel = Channel("seat:1")
    for seq in (1, 2, 5, 6):
        channel.keep(parts(seq))
    assert channel.since(2, 6) is None
    assert channel.since(4, 6) is not None


def test_what_is_kept_is_bounded_in_bytes() -> None:
    channel = Channel("seat:1")
    for seq in range(1, 400):
        channel.keep(parts(seq, say=b'["' + b"x" * 200 + b'"]'))
    kept = channel.since(398, 399)
    assert kept is not None
    assert channel.since(1, 399) is None
    size = 0
    first = 399
    while channel.since(first - 1, 399) is not None:
        first -= 1
        size += parts(first, say=b'["' + b"x" * 200 + b'"]').size
    assert size <= KEEP_BYTES + 400


def test_what_was_never_committed_is_not_sent_to_who_comes_back() -> None:
    channel = Channel("public")
    channel.keeps_on = True
    for seq in (1, 2, 3, 4):
        channel.keep(parts(seq))
    channel.forget_after(2)
    # The numbers go on while nobody listens, so nothing is kept of them.
    assert channel.since(1, 4) is None
    found = channel.since(1, 2)
    assert found is not None
    assert [one.seq for one in found] == [2]

"""Requests on their way."""

from __future__ import annotations

import asyncio

import pytest

from hanpan import AlreadySeated, Disconnected, IllegalAction, Uncertain
from hanpan._messages import (
    Act,
    AddBot,
    Chat,
    ClientMessage,
    CreateTable,
    Error,
    JoinTable,
    LeaveTable,
    Ok,
    Start,
)
from hanpan.calls import TRIES, Call, Calls


def made(calls: Calls, message: ClientMessage, sends: int = 1) -> Call:
    call = calls.make(message)
    call.sends = sends
    return call


def error(call: Call, code: str) -> Error:
    return Error(re=call.id, code=code, message=code)


async def test_an_answer_goes_to_its_call_once() -> None:
    calls = Calls()
    first, second = made(calls, Start(table="t")), made(calls, Start(table="t"))
    assert first.message.id == first.id != second.id
    calls.answered(Ok(re=second.id, seq=7))
    assert (await second.answer).seq == 7
    assert not first.answer.done()
    assert calls.answered(Ok(re=second.id)) is None
    assert calls.answered(Ok(re="beat")) is None
    assert list(calls) == [first]


async def test_a_refusal_is_raised() -> None:
    calls = Calls()
    call = made(calls, Act(table="t", request="r", action={}))
    calls.answered(error(call, "illegal_action"))
    with pytest.raises(IllegalAction):
        await call.answer


async def test_what_moves_is_sent_again_but_not_for_ever() -> None:
    calls = Calls()
    call = made(calls, Act(table="t", request="r", action={}))
    for _ in range(TRIES):
        assert calls.answered(error(call, "moving")) is call
    assert calls.answered(error(call, "moving")) is None
    assert call.answer.exception() is not None


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (JoinTable(table="t"), "already_seated"),
        (LeaveTable(table="t"), "not_seated"),
        (Start(table="t"), "already_started"),
    ],
)
async def test_a_repeat_that_was_done_before_is_done(message: ClientMessage, code: str) -> None:
    calls = Calls()
    call = made(calls, message, sends=2)
    calls.answered(error(call, code))
    assert (await call.answer).re == call.id


async def test_the_first_time_it_is_a_refusal() -> None:
    calls = Calls()
    call = made(calls, JoinTable(table="t"))
    calls.answered(error(call, "already_seated"))
    with pytest.raises(AlreadySeated):
        await call.answer


async def test_a_lost_connection_fails_only_what_cannot_be_repeated() -> None:
    calls = Calls()
    repeated = [
        made(calls, Act(table="t", request="r", action={})),
        made(calls, Chat(table="t", text="a", key="k")),
        made(calls, CreateTable(game="g", seats=2, key="k")),
        made(calls, AddBot(table="t"), sends=0),
    ]
    failed = [made(calls, AddBot(table="t")), made(calls, CreateTable(game="g", seats=2))]
    calls.lost()
    assert list(calls) == repeated
    for call in failed:
        with pytest.raises(Uncertain):
            await call.answer


async def test_the_end_fails_everything() -> None:
    calls = Calls()
    call = made(calls, Start(table="t"))
    cancelled = made(calls, Start(table="t"))
    cancelled.answer.cancel()
    await asyncio.sleep(0)
    calls.end(Disconnected("over"))
    with pytest.raises(Disconnected):
        await call.answer
    assert not list(calls)

"""Refusals and close codes as types."""

from __future__ import annotations

import pytest

from hanpan import (
    BadFrame,
    Banned,
    ClientError,
    HanpanError,
    LimitError,
    RateLimited,
    Refused,
    ServerError,
    StaleRequest,
    StateError,
    Stopped,
    TooManyConnections,
    WrongVersion,
)
from hanpan._messages import CLOSES, ERRORS, Close, Error
from hanpan.errors import refusal, stop

CLASSES = {"client": ClientError, "state": StateError, "limit": LimitError, "server": ServerError}


@pytest.mark.parametrize("code", sorted(ERRORS))
def test_every_code_has_the_type_of_its_class(code: str) -> None:
    error = refusal(Error(code=code, message="why", retry=True, after_ms=5))
    assert isinstance(error, CLASSES[ERRORS[code][0]])
    assert (error.code, error.message, error.retry, error.after_ms) == (code, "why", True, 5)


def test_a_code_of_tomorrow_is_judged_by_its_retry() -> None:
    assert isinstance(refusal(Error(code="new", message="", retry=True)), ServerError)
    assert type(refusal(Error(code="new", message=""))) is Refused


def test_some_codes_have_a_type_of_their_own() -> None:
    assert isinstance(refusal(Error(code="stale_request", message="")), StaleRequest)
    assert isinstance(refusal(Error(code="rate_limited", message="")), RateLimited)


@pytest.mark.parametrize("code", list(Close))
def test_close_codes_say_whether_to_come_back(code: Close) -> None:
    error = stop(code, "why")
    assert (error is None) is CLOSES[code][0]
    if error is not None:
        assert isinstance(error, HanpanError)
        assert error.code == code


def test_a_stop_says_what_to_do() -> None:
    kinds = {
        4000: Stopped,
        4002: BadFrame,
        4004: TooManyConnections,
        4006: WrongVersion,
        4011: Banned,
    }
    for code, kind in kinds.items():
        assert type(stop(code)) is kind
    assert "banned" in str(stop(4011))


@pytest.mark.parametrize("code", [1000, 1001, 1006, 1012, 4042])
def test_any_other_close_is_a_lost_connection(code: int) -> None:
    assert stop(code) is None

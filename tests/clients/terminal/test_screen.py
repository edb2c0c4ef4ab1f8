"""Lines in and out."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from hanpan_terminal.screen import PlainScreen, PromptScreen, choose_screen, clean


async def test_plain_lines_come_and_end() -> None:
    target = io.StringIO()
    with PlainScreen(io.StringIO("5 5\n패스\n"), target) as screen:
        screen.show("너의 차례", urgent=True)
        assert [await screen.line(), await screen.line(), await screen.line()] == [
            "5 5", "패스", None,
        ]  # fmt: skip
    assert target.getvalue() == "너의 차례\n"


async def test_prompted_lines_come_and_end() -> None:
    with (
        create_pipe_input() as source,
        create_app_session(input=source, output=DummyOutput()),
        PromptScreen() as screen,
    ):
        source.send_text("5 5\r\x04")
        screen.show("turn", urgent=True)
        assert await screen.line() == "5 5"
        assert await screen.line() is None


@pytest.mark.parametrize(
    ("plain", "environment"),
    [(True, {}), (None, {"ACCESSIBLE": "1"}), (None, {"TERM": "dumb"}), (None, {})],
)
def test_it_is_plain_where_asked_or_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, plain: bool | None, environment: dict[str, str]
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert isinstance(choose_screen(plain), PlainScreen)


@given(st.text())
def test_no_text_can_steer_the_terminal(text: str) -> None:
    shown = clean(text + "\x1b[2J\x07\r\n\u202e\u2028")
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in shown)
    assert "\u202e" not in shown


def test_ordinary_text_stays() -> None:
    assert clean("민지: 5 싱글, 残り4枚!") == "민지: 5 싱글, 残り4枚!"

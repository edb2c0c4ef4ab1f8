"""Lines out and lines in: with editing where there is a terminal, plain where that is wanted."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import unicodedata
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Protocol, TextIO

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.patch_stdout import patch_stdout


class Screen(Protocol):
    """Where the player reads and types."""

    def show(self, text: str, urgent: bool = False) -> None:
        """One line; an urgent one is marked where the screen can mark."""

    async def line(self) -> str | None:
        """The next line typed; None when there will be no more."""

    def __enter__(self) -> Screen: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None: ...


class PlainScreen:
    """Lines without any escape sequence: for screen readers, pipes and files."""

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None) -> None:
        self._source = source or sys.stdin
        self._target = target or sys.stdout
        self._lines: asyncio.Queue[str | None] | None = None

    def show(self, text: str, urgent: bool = False) -> None:
        """One line."""
        print(clean(text), file=self._target, flush=True)

    async def line(self) -> str | None:
        """The next line typed, read by a thread of its own, which ends with the program."""
        if self._lines is None:
            self._lines = asyncio.Queue()
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop, self._lines), daemon=True).start()
        return await self._lines.get()

    def _read(self, loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[str | None]) -> None:
        try:
            for line in self._source:
                loop.call_soon_threadsafe(lines.put_nowait, line.rstrip("\n"))
            loop.call_soon_threadsafe(lines.put_nowait, None)
        except (RuntimeError, ValueError):
            return  # the loop or the source was closed: the program has ended

    def __enter__(self) -> PlainScreen:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing to put back."""


class PromptScreen:
    """A prompt with editing and history that stays below what is said."""

    def __init__(self) -> None:
        self._session: PromptSession[str] = PromptSession(
            "> ", reserve_space_for_menu=0, complete_while_typing=False
        )
        self._patched: AbstractContextManager[None] | None = None

    def show(self, text: str, urgent: bool = False) -> None:
        """One line above the prompt, an urgent one bold."""
        print_formatted_text(FormattedText([("bold" if urgent else "", clean(text))]))

    async def line(self) -> str | None:
        """The next line typed."""
        try:
            return await self._session.prompt_async()
        except (EOFError, KeyboardInterrupt):
            return None

    def __enter__(self) -> PromptScreen:
        self._patched = patch_stdout()
        self._patched.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._patched is not None:
            self._patched.__exit__(kind, error, at)


def choose_screen(plain: bool | None = None) -> Screen:
    """Plain where it is asked for, with ACCESSIBLE=1, TERM=dumb, or without a terminal."""
    if plain is None:
        plain = (
            os.environ.get("ACCESSIBLE", "") not in ("", "0")
            or os.environ.get("TERM") == "dumb"
            or not (sys.stdin.isatty() and sys.stdout.isatty())
        )
    return PlainScreen() if plain else PromptScreen()


def clean(text: str) -> str:
    """The text without control characters, which a name or a chat line could bring."""
    return "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp"))

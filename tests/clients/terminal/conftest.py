"""A screen that a test types on and reads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest


class TestScreen:
    """What was shown, and what is to be typed."""

    __test__ = False

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.urgent: list[str] = []
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._news = asyncio.Event()

    def show(self, text: str, urgent: bool = False) -> None:
        self.shown.append(text)
        if urgent:
            self.urgent.append(text)
        self._news.set()

    async def line(self) -> str | None:
        return await self._typed.get()

    def type(self, *lines: str | None) -> None:
        for line in lines:
            self._typed.put_nowait(line)

    async def until(self, wanted: str | Callable[[str], bool], seconds: float = 5) -> str:
        """The first line not yet asked for that is this, or fits this."""
        async with asyncio.timeout(seconds):
            while True:
                for index, text in enumerate(self.shown):
                    if wanted in text if isinstance(wanted, str) else wanted(text):
                        del self.shown[: index + 1]
                        return text
                self._news.clear()
                await self._news.wait()

    def __enter__(self) -> TestScreen:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing to put back."""


@pytest.fixture
def screen() -> TestScreen:
    return TestScreen()

"""A real Chromium and a real server for the page's tests.

The browser and the server live for the session; a page and its storage are a test's own. Everything runs on
one session-wide event loop, because Playwright's objects belong to the loop that made them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from tests.support.hanpan_server import HanpanServer, hanpan_server
from tests.support.node import chromium
from tests.web.player import Player

LOOSE: dict[str, Any] = {
    "joins_per_minute": 10_000,
    "guests_per_minute": 10_000,
    "frames": 2_000,
    "frame_burst": 4_000,
}
"""Limits that a test run from one address would meet."""
SMALL_MS = 15_000
"""How long a busy machine may take for one step."""
expect.set_options(timeout=SMALL_MS)

NewPlayer = Callable[..., Awaitable[Player]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder share the session's loop."""
    for item in items:
        if "tests/web/" in str(item.path) and isinstance(item, pytest.Function):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session")
def server() -> Iterator[HanpanServer]:
    """The server that most tests share."""
    with hanpan_server(**LOOSE) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Debian's Chromium."""
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(
            executable_path=chromium(),
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        )
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="session")
async def new_player(browser: Browser, server: HanpanServer) -> AsyncIterator[NewPlayer]:
    """Makes players, each with a browser of its own; at the end none of them may have seen an error."""
    async with AsyncExitStack() as stack:
        made: list[Player] = []

        async def make(
            settings: dict[str, Any] | None = None, url: str | None = None, **context: Any
        ) -> Player:
            opened: BrowserContext = await browser.new_context(
                **{"locale": "en", "viewport": {"width": 1280, "height": 860}, **context}
            )
            stack.push_async_callback(opened.close)
            opened.set_default_timeout(SMALL_MS)
            page: Page = await opened.new_page()
            player = Player(page, url or server.url)
            await player.prepare({"speed": "instant", **(settings or {})})
            made.append(player)
            return player

        yield make
        for player in made:
            assert player.errors == [], player.errors

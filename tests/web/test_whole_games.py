"""Whole matches of each game, by keyboard alone and by touch alone."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import pytest
from playwright.async_api import Locator, TimeoutError, expect

from tests.web.conftest import NewPlayer
from tests.web.player import Player

MATCH_S = 150


SHORT = {"chamsaejak": "Times that each player deals", "pepper": "Points that end the match"}
"""Options by which a match of the longer games is made short."""


async def focus_on(player: Player, target: Locator) -> None:
    """Tab until this has the focus."""
    for _ in range(80):
        if await target.evaluate("(element) => element === document.activeElement"):
            return
        await player.press("Tab")
    raise AssertionError("the tab key does not get there")


async def make_short(player: Player, game: str) -> None:
    """A table with two bots and a short match, made in the dialog by keys."""
    page = player.page
    await focus_on(player, page.get_by_role("button", name="New private table"))
    await player.press("Enter")
    dialog = page.get_by_role("dialog")
    for label, typed in (("Game", game[:5]), ("Players", "3"), ("Of these, bots", "2")):
        await focus_on(player, dialog.get_by_label(label, exact=True))
        await page.keyboard.type(typed)
    await focus_on(player, dialog.locator("summary"))
    await player.press("Enter")
    await focus_on(player, dialog.get_by_label(SHORT[game]))
    await player.press("Control+a")
    await page.keyboard.type("1")
    await player.press("Enter")
    await focus_on(player, page.get_by_role("button", name="I am ready"))
    await player.press("Enter")


async def to_the_game(player: Player, game: str, ruleset: str) -> None:
    """From the address to the hand by keys alone."""
    await player.open()
    if game in SHORT:
        await make_short(player, game)
        await player.page.locator(".hand [role=option]").first.wait_for()
        return
    if (game, ruleset) == ("peeper", "standard"):
        await player.press("Tab", "Enter")
    else:
        card = f'li.game-card[data-game="{game} {ruleset}"] button.primary'
        await focus_on(player, player.page.locator(card))
        await player.press("Enter")
    await player.page.locator(".hand [role=option]").first.wait_for()


async def answer(player: Player, state: dict[str, Any], tried: int) -> None:
    """One answer by keys to what the page asked; `tried`: answers in a row that changed nothing.

    `state` is the one that was seen to ask: the page may ask nothing any more, and have no hand.
    """
    if state["dialog"]:
        await player.press("Enter")
    elif state["claims"]:
        await player.press("m" if "mine" in state["claims"] else "n")
    elif "pass" in state["bare"] and tried == 0:
        await player.press("p")
    elif "challenge" in state["bare"]:
        await player.press("d")
    elif state["bare"]:
        # Bids and trump have buttons alone: they follow the hand in the order of the tab key.
        await player.page.evaluate("() => document.querySelector(`.hand [tabindex='0']`)?.focus()")
        await player.press("Tab")
        for _ in range(12):
            if await player.page.evaluate("() => !!document.activeElement.closest('.bare')"):
                break
            await player.press("Tab")
        await player.press("Enter")
    else:
        keys = state["hand"]
        wanted = next((k for k in keys if k not in state["dull"]), keys[0])
        await player.press("Backspace", "Home", *["ArrowRight"] * keys.index(wanted), "Enter")


async def play_on(player: Player) -> None:
    """Answer whatever is asked until the match is over."""
    until = time.monotonic() + MATCH_S
    tried = 0
    before = -1
    while time.monotonic() < until:
        state = await player.state()
        if state["over"]:
            return
        asked = state["claims"] or (state["turn"] and not state["held"])
        if not asked:
            await player.page.wait_for_timeout(15)
            continue
        await answer(player, state, tried)
        await player.page.wait_for_timeout(15)
        now = len(player.frames)
        tried = tried + 1 if now == before else 0
        before = now
    raise AssertionError(f"no end after {MATCH_S} s: {await player.state()}")


@pytest.mark.parametrize(
    ("game", "ruleset"),
    [
        ("peeper", "standard"),
        ("peeper", "ibc"),
        ("cockroach_duel", "standard"),
        ("pepper", "standard"),
        ("chamsaejak", "standard"),
    ],
)
async def test_a_whole_match_by_keyboard_alone(
    new_player: NewPlayer, game: str, ruleset: str
) -> None:
    player = await new_player()
    await to_the_game(player, game, ruleset)
    await play_on(player)
    await expect(player.page.locator("#result-title")).to_be_focused()
    assert "Finished" in await player.page.title()
    said = player.said
    log = await player.log()
    assert len(log) == min(200, len(said))
    assert log == said[-200:], "the log is what the server said, complete and in order"
    assert await player.heard() == said


async def test_from_the_address_to_the_first_hand_in_two_keys(new_player: NewPlayer) -> None:
    player = await new_player({"speed": "relaxed"})
    await player.open()
    await player.press("Tab")
    await expect(player.page.locator(":focus")).to_have_text("Play Peeper with bots now")
    await player.press("Enter")
    await expect(player.page.locator(".hand [role=option]").first).to_be_focused()


async def test_a_whole_match_of_peeper_by_touch(new_player: NewPlayer) -> None:
    player = await new_player(
        has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}
    )
    page = player.page
    await player.open()
    await page.get_by_role("button", name="Play Peeper with bots now").tap()
    await page.locator(".hand [role=option]").first.wait_for()
    until = time.monotonic() + MATCH_S
    while time.monotonic() < until:
        state = await player.state()
        if state["over"]:
            break
        # What was there to be tapped may be gone by now.
        with suppress(TimeoutError):
            if state["claims"]:
                await page.locator(".claims button").last.tap(timeout=1000)
            elif state["turn"] and "pass" in state["bare"]:
                await page.locator(".bare button[data-act=pass]").tap(timeout=1000)
            elif state["turn"] and not state["held"]:
                await page.locator(".hand [role=option]").first.tap(timeout=1000)
                await page.locator(".ways button").first.tap(timeout=1000)
        await page.wait_for_timeout(15)
    await expect(page.locator(".result")).to_be_visible()
    assert await player.heard() == player.said

"""Whole matches of each game, by keyboard alone and by touch alone."""

from __future__ import annotations

import time

import pytest
from playwright.async_api import expect

from tests.web.conftest import NewPlayer
from tests.web.player import Player

MATCH_S = 150


async def to_the_game(player: Player, game: str, ruleset: str) -> None:
    """From the address to the hand by keys alone."""
    await player.open()
    if (game, ruleset) == ("peeper", "standard"):
        await player.press("Tab", "Enter")
    else:
        button = player.page.locator(f'li.game-card[data-game="{game} {ruleset}"] button.primary')
        for _ in range(60):
            await player.press("Tab")
            if await button.evaluate("(b) => b === document.activeElement"):
                break
        await player.press("Enter")
    await player.page.locator(".hand [role=option]").first.wait_for()


async def answer(player: Player, tried: int) -> None:
    """One answer by keys to what the page asks; `tried`: answers in a row that changed nothing."""
    state = await player.state()
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
        await player.page.locator(".hand [tabindex='0']").focus()
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
        await answer(player, tried)
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
        if state["claims"]:
            await page.locator(".claims button").last.tap()
        elif state["turn"] and "pass" in state["bare"]:
            await page.locator(".bare button[data-act=pass]").tap()
        elif state["turn"] and not state["held"]:
            await page.locator(".hand [role=option]").first.tap()
            await page.locator(".ways button").first.tap()
        await page.wait_for_timeout(15)
    await expect(page.locator(".result")).to_be_visible()
    assert await player.heard() == player.said

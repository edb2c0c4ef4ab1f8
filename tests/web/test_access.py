"""Accessibility and layout of every screen: axe, reflow at 320 px, targets, forced colours."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.support.node import modules
from tests.web.conftest import NewPlayer
from tests.web.player import Player

GAMES = {"peeper": 4, "cockroach_duel": 2, "pepper": 4, "chamsaejak": 4}
LONG = "Wilhelminess"


async def each_screen(player: Player) -> AsyncIterator[str]:
    """Bring up one screen after the other and yield its name."""
    page = player.page
    await player.open()
    yield "lobby"
    buttons = page.locator("section[aria-labelledby=with-title] > .row button")
    for number, name in ((0, "create"), (2, "join")):
        await buttons.nth(number).click()
        if name == "create":
            await page.locator("dialog summary").click()
        yield name
        await player.press("Escape")
    for number, name in ((0, "help"), (1, "settings")):
        await page.locator("#tools button").nth(number).click()
        if name == "settings":
            await page.locator("dialog summary").click()
        yield name
        await player.press("Escape")
    for game, seats in GAMES.items():
        await player.make_table(
            ready=False,
            game=game,
            seats=seats,
            bots=seats - 1,
            speed="relaxed",
            visibility="private",
        )
        yield f"{game} waiting"
        await page.locator(".waiting button.primary").click()
        await page.locator(".hand [role=option]").first.wait_for()
        yield game
        await page.locator(".table-head button").first.click()
        await page.locator("dialog .rules").wait_for()
        yield f"{game} rules"
        await player.press("Escape")
    table = await player.make_table(
        game="cockroach_duel", seats=2, bots=1, speed="instant", options={"target": 1}
    )
    for _ in range(400):
        state = await player.state()
        if state["over"]:
            break
        if state["bare"]:
            await player.click_at_once(".bare button")
        await page.wait_for_timeout(10)
    await page.locator(".result").wait_for()
    yield f"result of {table}"
    await page.locator(".result a").first.click()
    await page.locator("#record-slider").wait_for()
    yield "record"
    await page.goto(f"{player.url}/#/rules/pepper/bid")
    await page.locator("article .rules").wait_for()
    yield "rules page"
    await page.goto(f"{player.url}/#/table/t_nowhere")
    await page.locator("article.page h1").wait_for()
    yield "no such table"


async def violations(player: Player) -> list[str]:
    """What axe finds wrong with the page as it is."""
    page = player.page
    if not await page.evaluate("() => 'axe' in window"):
        # Through the debugger, as the page's policy lets no foreign script in.
        await page.evaluate((modules() / "axe-core" / "axe.min.js").read_text("utf-8"))
    found: dict[str, Any] = await page.evaluate(
        "() => axe.run(document, { resultTypes: ['violations'] })"
    )
    return [
        f"{rule['id']}: {rule['help']}: {[node['html'][:160] for node in rule['nodes']][:3]}"
        for rule in found["violations"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_on_any_screen(new_player: NewPlayer, scheme: str) -> None:
    player = await new_player(color_scheme=scheme)
    found = {}
    async for screen in each_screen(player):
        await player.page.wait_for_timeout(350)
        for problem in await violations(player):
            found[screen, problem] = problem
    assert not found, "\n".join(f"{screen}: {problem}" for (screen, problem) in found)


WIDE = """
() => {
  const wide = [];
  const limit = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > limit) wide.push(['page', document.documentElement.scrollWidth]);
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.unseen, [hidden], svg, #top .line, .alerts p:not(.error)')) continue;
    const box = element.getBoundingClientRect();
    if (box.width && (box.right > limit + 1 || box.left < -1)) wide.push([element.outerHTML.slice(0, 80), box.left, box.right]);
    const style = getComputedStyle(element);
    if (style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1 && !element.matches('input, select, textarea'))
      wide.push(['cut: ' + element.outerHTML.slice(0, 80), element.scrollWidth, element.clientWidth]);
  }
  return wide;
}
"""

SMALL = """
() => [...document.querySelectorAll('button, select, input:not([type=checkbox]):not([type=radio]), .button, [role=option]')]
  .filter((element) => element.offsetParent && !element.closest('.unseen'))
  .map((element) => [element.outerHTML.slice(0, 80), element.getBoundingClientRect()])
  .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
  .map(([html, box]) => [html, box.width, box.height])
"""


@pytest.mark.parametrize("locale", ["en", "ko", "ja"])
async def test_nothing_is_wider_than_320_px_and_targets_are_44(
    new_player: NewPlayer, locale: str
) -> None:
    player = await new_player(viewport={"width": 320, "height": 640}, locale=locale)
    wide, small = {}, {}
    async for screen in each_screen(player):
        await player.page.wait_for_timeout(100)
        if found := await player.page.evaluate(WIDE):
            wide[screen] = found[:3]
        if found := await player.page.evaluate(SMALL):
            small[screen] = found[:3]
    assert not wide
    assert not small


OVERLAP = """
() => {
  const boxes = [...document.querySelectorAll('.plate, .middle > *, .ring, .prompt, .actions button, .hand')]
    .filter((element) => element.offsetParent)
    .map((element) => [element.className, element.getBoundingClientRect()]);
  const hit = [];
  for (let i = 0; i < boxes.length; i += 1)
    for (let j = i + 1; j < boxes.length; j += 1) {
      const [a, b] = [boxes[i][1], boxes[j][1]];
      if (a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2)
        hit.push([boxes[i][0], boxes[j][0]]);
    }
  return hit;
}
"""


@pytest.mark.parametrize(("width", "height"), [(320, 640), (390, 844), (768, 1024), (1280, 860)])
async def test_nothing_overlaps_with_long_names(
    new_player: NewPlayer, width: int, height: int
) -> None:
    player = await new_player(
        {"name": f"{LONG[:-3]}{width}"}, viewport={"width": width, "height": height}
    )
    await player.open()
    table = await player.make_table(ready=False, game="peeper", seats=6, speed="relaxed")
    await player.company(table, *[f"{LONG[:-4]}{letter}{width}" for letter in "bcdef"])
    await player.page.locator(".waiting button.primary").click()
    await player.page.locator(".hand [role=option]").first.wait_for()
    for _ in range(4):
        await player.page.wait_for_timeout(700)
        assert await player.page.evaluate(OVERLAP) == []
        assert await player.page.evaluate(WIDE) == []


async def test_forced_colours_keep_turn_and_choice_visible(new_player: NewPlayer) -> None:
    player = await new_player({"speed": "relaxed"}, forced_colors="active")
    await player.play_with_bots("cockroach_duel")
    page = player.page
    await page.locator(".hand [role=option]").first.click()
    widths = await page.evaluate(
        """() => [...document.querySelectorAll('.seat')].map((seat) =>
          [seat.dataset.turn, getComputedStyle(seat.querySelector('.plate')).borderTopWidth])"""
    )
    for turn, border in widths:
        assert border == ("4px" if turn == "true" else "2px")
    outline = await page.evaluate(
        "() => getComputedStyle(document.querySelector('[aria-selected=true] .piece')).outlineStyle"
    )
    assert outline == "solid"
    assert await violations(player) == []


async def test_less_motion_where_that_is_asked_for(new_player: NewPlayer) -> None:
    player = await new_player({"speed": "relaxed"}, reduced_motion="reduce")
    await player.play_with_bots("cockroach_duel")
    moving = await player.page.evaluate(
        """() => document.getAnimations().filter((a) => a.effect.getComputedTiming().duration > 50).length"""
    )
    assert moving == 0

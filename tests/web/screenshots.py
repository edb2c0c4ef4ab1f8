"""Pictures of every screen, to be looked at: `python -m tests.web.screenshots [FOLDER]`.

Phone to desktop, light and dark, names of twelve letters, in English and Korean.
"""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright

from tests.support.hanpan_server import HanpanServer, hanpan_server
from tests.support.node import chromium
from tests.web.conftest import LOOSE
from tests.web.player import Player

SIZES = {"320": (320, 640), "390": (390, 844), "768": (768, 1024), "1280": (1280, 860)}
GAMES = {
    "peeper": {"seats": 4},
    "cockroach_duel": {"seats": 2},
    "pepper": {"seats": 4},
    "chamsaejak": {"seats": 4},
}
LETTERS = {
    "en": "abcdefghiklmnoprstuvwy",
    "ko": "가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허",
}
LENGTH = 12
SEED = "5" * 64
SETTLE_MS = 900


def new_name(locale: str, rng: random.Random) -> str:
    """A name of twelve letters that nobody has."""
    name = "".join(rng.choice(LETTERS[locale]) for _ in range(LENGTH))
    return name.capitalize()


async def shoot(player: Player, folder: Path, name: str) -> None:
    """The whole page as one picture."""
    await player.page.wait_for_timeout(SETTLE_MS)
    await player.page.screenshot(path=folder / f"{name}.png", full_page=True)


async def screens(player: Player, folder: Path, tag: str, locale: str, rng: random.Random) -> None:
    """All screens of one size and scheme."""
    page = player.page
    await player.open()
    await shoot(player, folder, f"{tag}-lobby")
    for screen, button in (("create", 3), ("join", 5)):
        buttons = page.locator("section[aria-labelledby=with-title] > .row button")
        await buttons.nth(button - 3).click()
        await shoot(player, folder, f"{tag}-{screen}")
        await player.press("Escape")
    for screen, number in (("help", 0), ("settings", 1)):
        await page.locator("#tools button").nth(number).click()
        await shoot(player, folder, f"{tag}-{screen}")
        await player.press("Escape")
    for game, shape in GAMES.items():
        names = [new_name(locale, rng) for _ in range(shape["seats"] - 1)]
        await one_game(player, folder, tag, game, shape, names)


async def one_game(
    player: Player, folder: Path, tag: str, game: str, shape: dict[str, Any], names: list[str]
) -> None:
    """A table waiting, in play, and its rules."""
    page = player.page
    seats = shape["seats"]
    table = await player.make_table(
        ready=False, game=game, seats=seats, speed="relaxed", seed=SEED, first=0
    )
    await shoot(player, folder, f"{tag}-{game}-waiting")
    await player.company(table, *names)
    await page.locator(".waiting button.primary").click()
    await page.locator(".hand [role=option]").first.wait_for()
    await shoot(player, folder, f"{tag}-{game}-start")
    for _ in range(3):
        await act(player)
        await page.wait_for_timeout(1500)
    await shoot(player, folder, f"{tag}-{game}-play")
    await page.locator(".table-head button").first.click()
    await shoot(player, folder, f"{tag}-{game}-rules")
    await player.press("Escape")
    await page.evaluate("() => { for (const t of company) t.leave().catch(() => {}); }")
    await page.evaluate("() => { location.hash = '#/'; }")


async def act(player: Player) -> None:
    """Something legal, if anything is asked."""
    state = await player.state()
    page = player.page
    if state["claims"]:
        await page.locator(".claims button").first.click()
    elif state["bare"] and state["bare"][0] not in ("pass", "challenge"):
        await page.locator(".bare button").nth(1).click()
    elif state["turn"] and not state["held"]:
        await page.locator(".hand [role=option]:not(.dull)").last.click()
        await page.wait_for_timeout(500)
        if await page.locator(".ways button").count():
            await page.locator(".ways button").first.click()
        elif await page.locator(".bare button").count():
            await page.locator(".bare button").first.click()


async def take(browser: Browser, server: HanpanServer, folder: Path) -> None:
    """Every size in light and dark; Korean on the phone and the desktop."""
    rng = random.Random(12)
    shots = [(size, "light" if size in ("320", "1280") else "dark", "en") for size in SIZES]
    shots += [("390", "light", "ko"), ("1280", "dark", "ko")]
    for size, scheme, locale in shots:
        width, height = SIZES[size]
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale=locale,
        )
        player = Player(await context.new_page(), server.url)
        await player.prepare({"name": new_name(locale, rng)})
        await screens(player, folder, f"{size}-{scheme}-{locale}", locale, rng)
        print(f"{size} {scheme} {locale}: {player.errors or 'no errors'}", flush=True)
        await context.close()


async def main(folder: Path) -> None:
    """Take them all."""
    with hanpan_server(**LOOSE) as server:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=chromium(), args=["--no-sandbox"]
            )
            await take(browser, server, folder)
            await browser.close()


if __name__ == "__main__":
    to = Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots")
    to.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(to))

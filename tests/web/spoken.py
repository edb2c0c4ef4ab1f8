"""What a screen reader says on its way through the page, by Guidepup's virtual one."""

from __future__ import annotations

import re

from playwright.async_api import Page

from tests.support.node import modules

WALK = """
async (selector) => {
  const { virtual } = await import("/virtual-screen-reader.js");
  await virtual.start({ container: document.querySelector(selector) });
  const last = `end of ${await virtual.lastSpokenPhrase()}`;
  while ((await virtual.lastSpokenPhrase()) !== last) await virtual.next();
  const spoken = await virtual.spokenPhraseLog();
  await virtual.stop();
  return spoken;
}
"""
SILENT = re.compile(r"end of .*|paragraph|strong|rowgroup|main|document")
"""Structure that the virtual screen reader spells out and real ones pass over."""
PLACE = re.compile(
    r", not selected, position (\d+), set size (\d+)$|, level 1, position (\d+), set size (\d+)$"
)
GLYPHS = re.compile(r"[▶◀↻↺♥♡♠♣♦♢·•⚠✓✗×⠀-⣿]")
"""Signs for the eye: their names are noise to the ear."""


async def walk(page: Page, selector: str = "body") -> list[str]:
    """Every phrase from the beginning of a part of the page to its end; places are told as `n of m`."""
    library = modules() / "@guidepup" / "virtual-screen-reader" / "lib" / "esm" / "index.browser.js"
    await page.route(
        "**/virtual-screen-reader.js",
        lambda route: route.fulfill(path=library, content_type="text/javascript"),
    )
    phrases: list[str] = await page.evaluate(WALK, selector)
    return [PLACE.sub(_place, phrase) for phrase in phrases if not SILENT.fullmatch(phrase)]


def _place(found: re.Match[str]) -> str:
    number, of = [group for group in found.groups() if group is not None]
    return f", {number} of {of}"

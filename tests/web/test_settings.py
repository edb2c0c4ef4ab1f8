"""What the player chooses, and what follows from it on the page at once."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Locator, expect

from tests.web.conftest import NewPlayer
from tests.web.player import Player

VOICE = "Built-in voice reads the log aloud"
SOUNDS = "Sounds for turns, windows and warnings"
SHARED = "Others in the room hear this device"


def box(player: Player, label: str, where: str = "hanpan-lobby") -> Locator:
    """A check box of the lobby or of the dialog."""
    return player.page.locator(where).get_by_label(label)


async def stored(player: Player) -> dict[str, Any]:
    """What the next visit will find."""
    found: dict[str, Any] = await player.page.evaluate(
        "JSON.parse(localStorage.getItem('hanpan.settings'))"
    )
    return found


async def open_settings(player: Player) -> None:
    await player.page.get_by_role("button", name="Settings").click()
    await player.page.locator("#settings").wait_for()


@pytest.mark.parametrize("label", [VOICE, SOUNDS])
async def test_who_lets_the_page_sound_is_taken_to_have_speakers(
    new_player: NewPlayer, label: str
) -> None:
    player = await new_player()
    await player.open()
    await expect(box(player, SHARED)).not_to_be_checked()
    await box(player, label).check()
    await expect(box(player, SHARED)).to_be_checked()
    assert "With headphones" in (await player.heard("status"))[0]
    await box(player, SHARED).uncheck()
    await box(player, label).uncheck()
    await box(player, label).check()
    await expect(box(player, SHARED)).not_to_be_checked()
    assert (await stored(player))["shared"] is False
    await player.page.reload()
    await expect(box(player, label)).to_be_checked()
    await expect(box(player, SHARED)).not_to_be_checked()


async def test_both_places_show_what_follows_at_once(new_player: NewPlayer) -> None:
    player = await new_player()
    await player.open()
    await open_settings(player)
    await box(player, SOUNDS, "#settings").check()
    for where in ("#settings", "hanpan-lobby"):
        await expect(box(player, SHARED, where)).to_be_checked()
        await expect(box(player, SOUNDS, where)).to_be_checked()
    await box(player, SHARED, "#settings").uncheck()
    await expect(box(player, SHARED)).not_to_be_checked()

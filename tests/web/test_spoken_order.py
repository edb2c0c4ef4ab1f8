"""What is heard, in which order: the page as a screen reader goes through it from top to bottom."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from engines.kit import golden
from engines.kit.registry import load
from tests.web.conftest import NewPlayer
from tests.web.fake import OPENED, FakeLine, claim, say, turn
from tests.web.golden_states import states
from tests.web.player import Player
from tests.web.spoken import GLYPHS, walk
from tests.web.test_table import MINE, PASS, play, view

HEAD = ["button, Rules", "button, Leave", "region, Table", "heading, Table, level 2"]
HAND = [
    "region, Your hand",
    "heading, Your hand, level 2",
    "listbox, Your tiles, orientated horizontally, multi-selectable",
    "option, red 1, 1 of 6",
    "option, 5, 2 of 6",
    "option, 5, 3 of 6",
    "option, 9, 4 of 6",
    "option, 12, 5 of 6",
    "option, X, 6 of 6",
]
COMMAND = ["form", "Or type", "textbox, Or type", "button, Do it"]
OTHERS = ["list, Other players", "listitem, 1 of 2", "Ada", "8 left", "4 points"]
OWN = ["list, Your seat", "listitem, 1 of 1", "민지", "you"]
TABLE = [
    *("heading, Peeper – Your turn, level 1", "Peeper", "–", "Your turn"),
    *HEAD,
    *OTHERS,
    *("listitem, 2 of 2", "Grace", "3 left", "2 points"),
    *("turns go clockwise", "Grace", ":", "4 single"),
    *(*OWN, "– to play", "6 left", "0 points"),
    *HAND,
    *("Your turn.", "You can:", "link, Play", ",", "link, Pass", ".", "button, Pass"),
    "Choose tiles, then play them; or pass.",
    *COMMAND,
]
WINDOW = [
    *("heading, Peeper – You can: Mine, level 1", "Peeper", "–", "You can: Mine"),
    *HEAD,
    *OTHERS,
    *("listitem, 2 of 2", "Grace", "– to play", "3 left", "2 points"),
    *("Mine?", "turns go clockwise", "Ada", ":", "5 single"),
    *(*OWN, "6 left", "0 points"),
    *HAND,
    *("A window is open for you!", "You can:", "link, Mine", ",", "link, Let it go", "."),
    *("Grace", "to play.", "button, Mine: 5, 5", "button, Let it go"),
    *COMMAND,
]
RESULT = [
    *("heading, Peeper – Finished, level 1", "Peeper", "–", "Finished"),
    *HEAD,
    *("list, Other players", "listitem, 1 of 2", "Ada", "4 points"),
    *("listitem, 2 of 2", "Grace", "2 points"),
    *("region, Finished", "heading, Finished, level 2", "table", "row, Place Player Points"),
    *("columnheader, Place", "columnheader, Player", "columnheader, Points"),
    *("row, 1 민지 10", "cell, 1", "rowheader, 민지", "민지", "cell, 10"),
    *("row, 2 Grace 5", "cell, 2", "rowheader, Grace", "Grace", "cell, 5"),
    *("row, 3 Ada 2", "cell, 3", "rowheader, Ada", "Ada", "cell, 2"),
    *("button, Another match", "link, See it again", "link, To the lobby"),
    *(*OWN, "0 points"),
    *("region, Your hand", "heading, Your hand, level 2", "The match is over."),
    *COMMAND,
]
BESIDE = [
    *("complementary, What is said", "heading, What is said, level 2"),
    *(
        "region, Log",
        "heading, Log, level 2",
        "group, Log",
        "log",
        "Grace: 4 single.",
        "Your turn.",
    ),
    *(
        "region, Chat",
        "heading, Chat, level 2",
        "list, Chat lines",
        "listitem, 1 of 1",
        "Ada",
        ":",
        "hi",
    ),
    *("form", "Message to the table", "textbox, Message to the table", "button, Send"),
    *("group, Quick phrases", "button, Hello!", "button, Well played!", "button, Thank you!"),
    *("button, One moment, please.", "button, Sorry!", "button, Goodbye!"),
    *("navigation, Tools", "button, Help", "button, Settings"),
]
LOBBY = [
    *("heading, 한판 Hanpan, level 1", "button, Play Peeper with bots now", "group, Play by ear"),
    "checkbox, Built-in voice reads the log aloud, not checked",
    "checkbox, Sounds for turns, windows and warnings, not checked",
    *("region, Games", "heading, Games, level 2", "heading, Peeper, level 3", "2 to 6 players"),
    *("button, Play with bots Peeper", "button, Rules Peeper", "heading, Cockroach Duel, level 3"),
    *("button, Play with bots Cockroach Duel", "heading, Pepper, level 3"),
    *("heading, Chamsae-jak, level 3", "button, Rules Chamsae-jak"),
    *("region, Play with people", "button, New public table", "button, New private table"),
    *("button, Join with a code", "heading, Public tables, level 3", "group, Which tables"),
    *("checkbox, Only with a free seat, not checked", "navigation, Tools", "button, Help"),
]

NAMED = {"button", "link", "image", "option", "listbox", "list", "region", "textbox", "checkbox"}
"""Roles that say nothing without a name."""
SHOW = """
async (snapshot) => {
  const { client } = await import('/web/app/session.js');
  client.table('t_1').receive(snapshot);
  await null; await null; await null;
}
"""


async def at_table(new_player: NewPlayer) -> tuple[Player, FakeLine]:
    """A player at a Peeper table whose frames are the test's."""
    line = FakeLine("peeper", 3)
    line.push(view=view(), requests=[turn(play("1r"), play("5"), play("5", "5"), PASS)])
    player = await new_player()
    await line.attach(player.page)
    await player.open(f"/#/table/{line.table}")
    await player.page.locator("hanpan-table .felt").wait_for()
    return player, line


def in_order(spoken: list[str], wanted: list[str]) -> list[str]:
    """Those of the wanted phrases that are not spoken after the ones before them."""
    rest = iter(spoken)
    return [phrase for phrase in wanted if phrase not in rest]


async def test_the_table_is_heard_in_the_order_of_play(new_player: NewPlayer) -> None:
    player, line = await at_table(new_player)
    top = {"tiles": ["4"], "as": "single", "low": 4}
    line.push(
        events=[{"type": "played", "seat": 2, **top}],
        view=view(top={"seat": 2, **top}),
        say=[say("Grace: 4 single."), say("Your turn.", "high", "turn")],
    )
    line.send(
        {"type": "chat", "table": "t_1", "player": "p_1", "name": "Ada", "text": "hi", "at": 1}
    )
    await player.page.locator(".chat-lines li").wait_for()
    spoken = await walk(player.page)
    start = spoken.index(TABLE[0])
    assert spoken[:start] == ["link, Skip to the hand", "banner", "link, Hanpan", "Connected"]
    assert spoken[start : start + len(TABLE + BESIDE)] == TABLE + BESIDE


async def test_a_window_is_heard_as_one(new_player: NewPlayer) -> None:
    player, line = await at_table(new_player)
    top = {"seat": 1, "tiles": ["5"], "as": "single", "low": 5}
    line.push(
        events=[{"type": "played", **top}, OPENED],
        view=view(turn=2, top=top),
        requests=[claim(MINE, can=1)],
    )
    await expect(player.page.locator(".claims button")).to_have_count(2)
    assert await walk(player.page, "main") == WINDOW


async def test_the_result_is_heard_before_what_can_be_done_next(new_player: NewPlayer) -> None:
    player, line = await at_table(new_player)
    ended = {"match": "m1", "places": [1, 3, 2], "scores": [10, 2, 5], "record": "r_1"}
    line.push(
        events=[{"type": "match_ended", **ended}],
        view=view([], turn=None, counts=[None, None, None]),
        requests=[],
    )
    await player.page.locator(".result").wait_for()
    assert await walk(player.page, "main") == RESULT


async def test_the_lobby_is_heard_in_its_order(new_player: NewPlayer) -> None:
    player = await new_player()
    await player.open()
    await player.page.locator("#tables-title").wait_for()
    assert in_order(await walk(player.page), LOBBY) == []


@pytest.mark.parametrize("name", load())
async def test_nothing_on_a_table_is_nameless_or_a_mere_sign(
    new_player: NewPlayer, name: str
) -> None:
    game = load()[name]
    script = golden.parse(golden.files(game)[0].read_text("utf-8"))
    shown = [state.snapshot for state in states(game, script)]
    line = FakeLine(name, script.seats)
    line.push(view=shown[0]["view"], requests=[])
    player = await new_player()
    await line.attach(player.page)
    await player.open(f"/#/table/{line.table}")
    await player.page.locator("hanpan-table .felt").wait_for()
    for snapshot in shown[:: len(shown) // 4]:
        await player.page.evaluate(SHOW, snapshot)
        spoken = await walk(player.page, "main")
        assert [phrase for phrase in spoken if GLYPHS.search(phrase)] == []
        assert [phrase for phrase in spoken if phrase in NAMED] == []
        hand = [phrase for phrase in spoken if phrase.startswith("option, ")]
        assert len(hand) == len(snapshot["view"].get("hand", []))

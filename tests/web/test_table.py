"""The table against frames of the test's own: hand, keys, live regions, windows, errors, the line."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest_asyncio
from playwright.async_api import expect

from tests.web.conftest import NewPlayer
from tests.web.fake import OPENED, FakeLine, claim, say, turn
from tests.web.player import Player

HAND = ["1r", "5", "5", "9", "12", "X"]
PASS = {"type": "pass"}
MINE = {"type": "mine", "tiles": ["5", "5"]}

AtTable = Callable[..., Awaitable[tuple[Player, FakeLine]]]


def play(*tiles: str, **declared: Any) -> dict[str, Any]:
    return {"type": "play", "tiles": list(tiles), **declared}


def view(hand: list[str] | None = None, **fields: Any) -> dict[str, Any]:
    return {
        "seat": 0,
        "turn": 0,
        "hand": HAND if hand is None else hand,
        "counts": [6, 8, 3],
        "scores": [0, 4, 2],
        "round": 1,
        **fields,
    }


@pytest_asyncio.fixture(loop_scope="session")
async def at_table(new_player: NewPlayer) -> AtTable:
    """Makes a player who sits at a fake table."""

    async def make(
        game: str = "peeper", settings: dict[str, Any] | None = None, **rest: Any
    ) -> tuple[Player, FakeLine]:
        line = FakeLine(game, **{k: rest.pop(k) for k in ("n", "seat") if k in rest})
        first = rest.pop("view", view())
        requests = rest.pop("requests", [turn(play("1r"), play("5"), play("5", "5"), PASS)])
        line.push(view=first, requests=requests)
        player = await new_player(settings, **rest)
        await line.attach(player.page)
        await player.open(f"/#/table/{line.table}")
        await player.page.locator("hanpan-table .felt").wait_for()
        return player, line

    return make


# -- the hand --------------------------------------------------------------------------------------
async def test_the_hand_is_a_listbox_with_one_tab_stop(at_table: AtTable) -> None:
    player, _ = await at_table()
    hand = player.page.get_by_role("listbox", name="Your tiles")
    await expect(hand).to_have_attribute("aria-multiselectable", "true")
    options = hand.get_by_role("option")
    await expect(options).to_have_count(6)
    await expect(options.first).to_have_accessible_name("red 1")
    assert await hand.locator("[tabindex='0']").count() == 1
    await expect(options.first).to_be_focused()


async def test_arrows_home_end_and_digits_move_in_the_hand(at_table: AtTable) -> None:
    player, _ = await at_table()
    focused = player.page.locator(":focus")
    for key, name in [
        ("ArrowRight", "5"),
        ("End", "X"),
        ("ArrowLeft", "12"),
        ("Home", "red 1"),
        ("9", "9"),
        ("x", "X"),
    ]:
        await player.press(key)
        await expect(focused).to_have_accessible_name(name)
    await player.page.wait_for_timeout(900)
    await player.press("1")
    await expect(focused).to_have_accessible_name("red 1")
    await player.press("2")
    await expect(focused).to_have_accessible_name("12")


async def test_space_chooses_enter_plays_backspace_clears(at_table: AtTable) -> None:
    player, line = await at_table()
    await player.press("5", "Space", "ArrowRight", "Space")
    chosen = player.page.locator("[role=option][aria-selected=true]")
    await expect(chosen).to_have_count(2)
    await player.press("Backspace")
    await expect(chosen).to_have_count(0)
    await player.press("Space", "ArrowLeft", "Space", "Enter")
    sent = await line.wait_for("act")
    assert sent["action"] == play("5", "5")
    assert sent["request"] == "r1"


async def test_enter_plays_the_focused_tile_where_none_is_chosen(at_table: AtTable) -> None:
    player, line = await at_table()
    await player.press("Home", "Enter")
    assert (await line.wait_for("act"))["action"] == play("1r")


async def test_focus_and_choice_survive_what_others_do(at_table: AtTable) -> None:
    player, line = await at_table()
    await player.press("9", "Space")
    line.push(events=[{"type": "passed", "seat": 1}], view=view(turn=2), requests=[])
    line.push(view=view(["1r", "3", "5", "9", "12", "X"]))
    focused = player.page.locator(":focus")
    await expect(focused).to_have_accessible_name("9")
    await expect(focused).to_have_attribute("aria-selected", "true")
    line.push(view=view(["1r", "3", "5", "12", "X"]))
    await expect(focused).to_have_accessible_name("12")
    await expect(player.page.locator("[role=option][aria-selected=true]")).to_have_count(0)


async def test_several_readings_are_asked_about(at_table: AtTable) -> None:
    legal = [
        play("12", "X", **{"as": "pair", "low": 12}),
        play("12", "X", **{"as": "straight", "low": 12}),
    ]
    player, line = await at_table(requests=[turn(*legal, PASS)])
    await player.press("End", "Space", "ArrowLeft", "Space", "Enter")
    dialog = player.page.get_by_role("dialog")
    await expect(dialog.get_by_role("heading")).to_have_text("Which one do you mean?")
    await player.press("Tab", "Enter")
    assert (await line.wait_for("act"))["action"] == legal[1]


async def test_what_is_not_listed_is_asked_of_the_server(at_table: AtTable) -> None:
    player, line = await at_table(requests=[turn(play("1r"), PASS, more=True)])
    line.answers["legal"] = lambda m: {"legal": [play(*m["tiles"], low=5)]}
    await player.press("5", "Space", "Enter")
    assert (await line.wait_for("legal"))["tiles"] == ["5"]
    assert (await line.wait_for("act"))["action"] == play("5", low=5)


# -- keys ------------------------------------------------------------------------------------------
async def test_keys_work_under_a_korean_input_method(at_table: AtTable) -> None:
    player, line = await at_table()
    line.answers["ask"] = lambda m: {"what": m["what"], "say": [say(f"answer to {m['what']}")]}
    await player.page.locator("[role=option]").first.focus()
    await player.page.evaluate(
        """() => document.activeElement.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'ㅅ', code: 'KeyT', bubbles: true, cancelable: true }))"""
    )
    assert (await line.wait_for("ask"))["what"] == "turn"


async def test_keys_can_be_switched_off_and_remapped(at_table: AtTable) -> None:
    player, line = await at_table(settings={"keysOn": False})
    await player.press("p")
    await player.page.wait_for_timeout(200)
    assert not [m for m in line.received if m["type"] == "act"]
    player, line = await at_table(settings={"keys": {"pass": "KeyO"}})
    await player.press("p")
    await player.page.wait_for_timeout(100)
    assert not [m for m in line.received if m["type"] == "act"]
    await player.press("o")
    assert (await line.wait_for("act"))["action"] == PASS


async def test_keys_do_nothing_in_the_text_field_nor_outside_the_game(at_table: AtTable) -> None:
    player, line = await at_table()
    await player.page.locator("#command").focus()
    await player.press("p")
    await player.page.locator("#chat-text").focus()
    await player.press("p")
    await player.page.locator("#tools button").first.focus()
    await player.press("p")
    await player.page.wait_for_timeout(200)
    assert not [m for m in line.received if m["type"] == "act"]


async def test_question_mark_lists_the_keys(at_table: AtTable) -> None:
    player, _ = await at_table()
    await player.press("Shift+Slash")
    dialog = player.page.get_by_role("dialog", name="Help")
    await expect(dialog.get_by_role("row", name="what can I do?")).to_contain_text("G")
    await player.press("Escape")
    await expect(player.page.locator(":focus")).to_have_accessible_name("red 1")


async def test_the_text_field_takes_it_all(at_table: AtTable) -> None:
    player, line = await at_table(locale="ko")
    line.answers["ask"] = lambda m: {"what": m["what"], "say": [say(f"답 {m['what']}")]}
    field = player.page.locator("#command")

    async def typed(text: str) -> None:
        await field.fill(text)
        await field.press("Enter")

    await typed("5 5")
    assert (await line.wait_for("act"))["action"] == play("5", "5")
    line.push(requests=[turn(play("1r"), PASS, request="r8")])
    await typed("1")
    assert (await line.wait_for("act", 2))["action"] == play("1r")
    await typed("손패")
    assert (await line.wait_for("ask"))["what"] == "hand"
    await typed("who")
    assert (await line.wait_for("ask", 2))["what"] == "turn"
    line.push(requests=[turn(play("9"), PASS, request="r9")])
    await typed("패스")
    assert (await line.wait_for("act", 3))["action"] == PASS
    await typed("뭐라고")
    assert "뭐라고" in (await player.heard("alert"))[-1]


# -- what is heard ---------------------------------------------------------------------------------
async def test_live_regions_are_there_and_empty_at_load(new_player: NewPlayer) -> None:
    player = await new_player()
    await player.page.goto(player.url)
    regions = await player.page.evaluate(
        """async () => {
          const text = await (await fetch('/')).text();
          const page = new DOMParser().parseFromString(text, 'text/html');
          return ['log', 'status', 'alert'].map((id) => {
            const region = page.getElementById(id);
            return [region.getAttribute('role'), region.getAttribute('aria-live'), region.textContent];
          });
        }"""
    )
    assert regions == [
        ["log", None, ""],
        ["status", "polite", ""],
        ["alert", "assertive", ""],
    ]


async def test_twenty_events_in_one_frame_are_all_in_the_log(at_table: AtTable) -> None:
    player, line = await at_table()
    sentences = [say(f"line {i}") for i in range(20)] + [say("line 3")]
    line.push(events=[{"type": "passed", "seat": 1}] * 20, say=sentences)
    await expect(player.page.locator("#log > p")).to_have_count(21)
    assert await player.heard("log") == [s["text"] for s in sentences]


async def test_high_lines_are_alerts_and_silent_in_the_log(at_table: AtTable) -> None:
    player, line = await at_table()
    line.push(say=[say("Ada: 5."), say("Your turn.", "high", "turn")])
    await expect(player.page.locator("#log > p")).to_have_count(2)
    assert await player.heard("alert") == ["Your turn."]
    quiet = await player.page.locator("#log > p").evaluate_all(
        "(all) => all.map((p) => p.getAttribute('aria-live'))"
    )
    assert quiet == [None, "off"]


VOICE = """
window.spoken = [];
speechSynthesis.speak = (utterance) => window.spoken.push([utterance.lang, utterance.text]);
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) { window.tones += 1; return start.apply(this, at); };
0;
"""


async def test_voice_and_sounds_are_off_until_chosen(at_table: AtTable) -> None:
    for chosen in (False, True):
        player, line = await at_table(settings={"voice": chosen, "sounds": chosen}, locale="ko")
        await player.page.evaluate(VOICE)
        line.push(events=[OPENED], say=[say("민지: 5 싱글"), say("내 차례", "high", "turn")])
        await expect(player.page.locator("#log > p")).to_have_count(2)
        spoken = await player.page.evaluate("spoken")
        assert spoken == ([["ko-KR", "민지: 5 싱글"], ["ko-KR", "내 차례"]] if chosen else [])
        assert (await player.page.evaluate("tones") > 0) is chosen


async def test_the_log_is_trimmed_at_two_hundred(at_table: AtTable) -> None:
    player, line = await at_table()
    for i in range(25):
        line.push(say=[say(f"{i}.{j}") for j in range(10)])
    await expect(player.page.locator("#log > p").last).to_have_text("24.9")
    assert await player.page.locator("#log > p").count() == 200


async def test_what_was_missed_is_in_the_log_and_is_not_read_aloud(at_table: AtTable) -> None:
    player, line = await at_table()
    line.push(say=[say("before")])
    await expect(player.page.locator("#log > p")).to_have_count(1)
    await line.drop()
    line.push(say=[say("missed 1"), say("missed 2", "high", "turn")])
    await line.wait_for("identify", 2)
    await expect(player.page.locator("#earlier > p")).to_have_count(3)
    line.push(say=[say("after")])
    await expect(player.page.locator("#log > p")).to_have_text(["after"])
    assert await player.log() == ["before", "missed 1", "missed 2", "after"]
    assert await player.heard("log") == ["before", "after"]
    assert "missed 2" not in await player.heard("alert")


async def test_messages_are_read_back_by_keys_and_by_buffer(at_table: AtTable) -> None:
    player, line = await at_table()
    line.push(say=[say("one"), say("two", "high", "turn"), say("three")])
    line.send(
        {"type": "chat", "table": "t_1", "player": "p_1", "name": "Ada", "text": "hi", "at": 1}
    )
    await player.page.locator(".chat-lines li").wait_for()
    await player.page.locator(".hand [tabindex='0']").focus()
    assert await player.status_after("Comma") == "Ada: hi"
    assert (await player.status_after("Comma")).startswith("three")
    assert (await player.status_after("Comma")).startswith("two")
    assert (await player.status_after("Period")).startswith("three")
    assert await player.status_after("BracketRight") == "Important: 1 message"
    assert await player.status_after("Comma") == "two"


# -- windows ---------------------------------------------------------------------------------------
async def test_a_window_is_a_ring_and_a_claim_a_button_and_a_key(at_table: AtTable) -> None:
    player, line = await at_table(requests=[])
    line.push(
        events=[{"type": "played", "seat": 1, "tiles": ["5"], "as": "single", "low": 5}, OPENED],
        view=view(turn=2, top={"seat": 1, "tiles": ["5"], "as": "single", "low": 5}),
        requests=[claim(MINE, can=1)],
        say=[say("You can mine 5.", "high", "claim")],
    )
    page = player.page
    await expect(page.locator(".ring")).to_be_visible()
    await expect(page.locator(".ring-label")).to_have_text("Mine?")
    await expect(page.get_by_role("button", name="Mine: 5, 5")).to_be_visible()
    assert "You can mine 5." in await player.heard("alert")
    line.answers["act"] = {"sealed": True}
    await player.press("m")
    assert (await line.wait_for("act"))["action"] == MINE
    await expect(page.locator(".claims button")).to_have_count(0)
    line.push(events=[{"type": "window_closed", "window": "w1", "claims": []}], requests=[])
    await expect(page.locator(".ring")).to_be_hidden()


async def test_only_what_the_hand_holds_is_offered(at_table: AtTable) -> None:
    offer = [MINE, {"type": "mine", "tiles": ["7", "7"]}]
    player, line = await at_table(requests=[])
    line.push(events=[OPENED], requests=[claim(*offer, can=1)])
    buttons = player.page.locator(".claims button")
    await expect(buttons).to_have_text(["Mine: 5, 5", "Let it go"])


async def test_in_a_shared_room_a_window_tells_nothing_by_itself(at_table: AtTable) -> None:
    player, line = await at_table(settings={"shared": True}, requests=[])
    line.push(
        events=[OPENED],
        requests=[claim(MINE, can=1)],
        say=[
            say("For 3 seconds: mine.", "low", "window_opened"),
            say("You can mine 5.", "high", "claim"),
        ],
    )
    page = player.page
    await expect(page.locator("#log > p")).to_have_count(2)
    assert "You can mine 5." not in await player.heard("alert")
    assert await page.locator("#log > p").last.get_attribute("aria-live") == "off"
    await expect(page).not_to_have_title("You can: Mine – Peeper")
    line.answers["ask"] = lambda m: {"what": m["what"], "say": [say("You can claim: mine.")]}
    await player.page.locator(".hand [tabindex='0']").focus()
    assert "claim" in await player.status_after("g")


async def test_a_held_turn_is_shown_and_can_be_taken_back(at_table: AtTable) -> None:
    player, line = await at_table(requests=[])
    line.push(events=[OPENED], requests=[turn(play("9"), PASS)])
    line.answers["act"] = {"held": True}
    await player.press("9", "Enter")
    await line.wait_for("act")
    line.push(requests=[turn(play("9"), PASS, held=play("9"))])
    held = player.page.locator(".held-turn")
    await expect(held).to_contain_text("Play: 9")
    await player.press("u")
    sent = await line.wait_for("withdraw")
    assert sent["request"] == "r1"
    line.push(requests=[turn(play("9"), PASS)])
    await expect(held).to_be_hidden()


# -- errors and the line ---------------------------------------------------------------------------
async def test_a_refusal_is_told_and_shown_with_its_rule(at_table: AtTable) -> None:
    player, line = await at_table()
    line.answers["act"] = {
        "type": "error",
        "code": "illegal_action",
        "message": "The leader may not pass.",
    }
    await player.press("p")
    await expect(player.page.locator(".hint")).to_have_text("The leader may not pass.")
    assert await player.heard("alert") == ["The leader may not pass."]


async def test_a_lost_line_is_told_once_and_so_is_its_return(at_table: AtTable) -> None:
    player, line = await at_table()
    await line.drop()
    await line.wait_for("identify", 2)
    await expect(player.page.locator("#line")).to_have_text("Connected")
    lost = [text for text in await player.heard("alert") if "lost" in text]
    assert len(lost) == 1
    assert await player.heard("status") == ["The connection is back."]


async def test_a_close_that_says_stop_is_explained(at_table: AtTable) -> None:
    player, line = await at_table()
    await line.drop(4004)
    await expect(player.page.locator("#line")).to_contain_text("too many tabs")
    await player.page.wait_for_timeout(500)
    assert line.connections == 1


async def test_a_frozen_table_says_so(at_table: AtTable) -> None:
    player, line = await at_table()
    line.send({"type": "frozen", "table": "t_1"})
    await expect(player.page.locator(".banner")).to_contain_text("stands still")
    line.send({"type": "thawed", "table": "t_1"})
    await expect(player.page.locator(".banner")).to_be_hidden()


async def test_unknown_messages_events_and_fields_are_ignored(at_table: AtTable) -> None:
    player, line = await at_table()
    line.send({"type": "weather", "table": "t_1", "sky": "blue"})
    line.push(events=[{"type": "meteor", "seat": 1}], view=view(moon="full"), mood="odd")
    line.push(say=[say("still here")])
    await expect(player.page.locator("#log > p")).to_have_text("still here")


async def test_a_focused_button_that_goes_leaves_the_focus_in_the_hand(at_table: AtTable) -> None:
    player, line = await at_table(requests=[])
    line.push(events=[OPENED], requests=[claim(MINE, can=0)])
    await player.page.locator(".claims button").last.focus()
    line.push(events=[{"type": "window_closed", "window": "w1", "claims": []}], requests=[])
    await expect(player.page.locator(".claims button")).to_have_count(0)
    await expect(player.page.locator(":focus")).to_have_role("option")


async def test_a_refused_chat_line_is_told_and_seen(at_table: AtTable) -> None:
    player, line = await at_table()
    line.answers["chat"] = {"type": "error", "code": "rate_limited", "message": "Too fast."}
    await player.page.get_by_role("button", name="Hello!").click()
    shown = player.page.locator("#alert .error")
    await expect(shown).to_be_visible()
    await expect(shown).to_have_text("Too fast.")


async def test_a_standing_order_is_a_switch(at_table: AtTable) -> None:
    seen = view(["1", "2", "3r", "F", "C"], dora="5", stock=20, discards=[[], [], []], dealer=1)
    player, line = await at_table("chamsaejak", view=seen, requests=[])
    await player.page.get_by_label("Ron by itself").check()
    sent = await line.wait_for("standing")
    assert (sent["orders"], sent["until"]) == ({"ron": "auto"}, "match")
    await player.page.get_by_label("Ron by itself").uncheck()
    assert (await line.wait_for("standing", 2))["orders"] == {}


async def test_names_and_chat_are_never_read_as_markup(at_table: AtTable) -> None:
    player, line = await at_table()
    evil = "<img src=x onerror=alert(1)>"
    line.push(seats=[{**seat, "name": evil} for seat in line.seats], say=[say(evil)])
    line.send(
        {"type": "chat", "table": "t_1", "player": "p_1", "name": evil, "text": evil, "at": 2}
    )
    await expect(player.page.locator(".chat-lines li bdi").last).to_have_text(evil)
    await expect(player.page.locator(".seat bdi").first).to_have_text(evil)
    assert await player.page.locator("img").count() == 0


async def test_seats_tell_turn_count_absence_and_score(at_table: AtTable) -> None:
    player, line = await at_table()
    away = {**line.seats[1], "state": "away", "policy": "bot", "policy_in_ms": 55_000}
    line.push(seats=[line.seats[0], away, line.seats[2]], view=view(turn=2), requests=[])
    ada = player.page.locator(".seat", has_text="Ada")
    await expect(ada).to_contain_text("away, a bot in 55 s")
    await expect(ada).to_contain_text("8")
    await expect(ada).to_contain_text("4 points")
    grace = player.page.locator(".seat", has_text="Grace")
    await expect(grace).to_have_attribute("data-turn", "true")
    await expect(player.page).to_have_title("Grace to play – Peeper")


async def test_the_braille_line_has_one_cell_a_tile(at_table: AtTable) -> None:
    player, _ = await at_table(settings={"braille": True})
    await expect(player.page.locator(".braille")).to_have_text("⠁⠑⠑⠊⠇⠭")


async def test_a_spectator_sees_no_hand_and_who_watches(at_table: AtTable) -> None:
    seen = view(seat=None, hand=[], top={"seat": 1, "tiles": ["5"], "as": "single", "low": 5})
    player, line = await at_table(seat=None, view=seen, requests=[])
    line.send({"type": "audience", "table": "t_1", "count": 7})
    page = player.page
    await expect(page.locator(".audience")).to_have_text("7 watching")
    await expect(page.locator(".hand-zone")).to_be_hidden()
    await expect(page.locator(".middle")).to_contain_text("Ada: 5 single")
    await expect(page.locator("#skip")).to_be_hidden()

"""Several browsers at one table of a real server: people, spectators, tabs, reloads, restarts."""

from __future__ import annotations

import asyncio
import time

from playwright.async_api import Page, expect

from tests.support.hanpan_server import hanpan_server
from tests.web.conftest import LOOSE, NewPlayer
from tests.web.player import Player

END_S = 60


async def finish(*players: Player) -> None:
    """Everyone takes the last action offered until the match is over."""
    until = time.monotonic() + END_S
    while time.monotonic() < until:
        for player in players:
            state = await player.state()
            if state["over"]:
                return
            if state["bare"]:
                await player.click_at_once(".bare button")
        await asyncio.sleep(0.02)
    raise AssertionError("the match did not end")


async def private_duel(host: Player, guest: Player) -> str:
    """Two people at a private table of Cockroach Duel, by its code; the table's id."""
    await host.open()
    table = await host.make_table(
        ready=False,
        game="cockroach_duel",
        seats=2,
        visibility="private",
        options={"target": 1},
        speed="relaxed",
    )
    code = (await host.page.locator(".code").inner_text()).replace(" ", "")
    assert len(code) == 8
    await guest.open()
    await guest.page.get_by_role("button", name="Join with a code").click()
    await guest.page.get_by_role("textbox", name="Code").fill(f"{code[:4]} {code[4:]}")
    await guest.press("Enter")
    await guest.page.locator("hanpan-table .felt").wait_for()
    return table


async def ready(page: Page) -> None:
    await page.get_by_role("button", name="I am ready").click()


BARE = """
async () => {
  const { board } = await import('/web/boards/generic.js');
  return board('echo').middle({ view: { seat: 0, turn: 0 } })[0].textContent;
}
"""
"""What the generic board shows of a view with nothing of its own."""


async def test_two_people_and_a_spectator(new_player: NewPlayer) -> None:
    host, guest, watcher = [await new_player() for _ in range(3)]
    table = await private_duel(host, guest)
    code = (await host.page.locator(".code").inner_text()).replace(" ", "")
    await watcher.open(f"/#/table/{table}/{code}")
    await expect(watcher.page.locator("hanpan-table .felt")).to_be_visible()
    await expect(host.page.locator(".audience")).to_have_text("1 watching")

    await host.page.get_by_role("button", name="Hello!").click()
    await expect(guest.page.locator(".chat-lines li")).to_contain_text("Hello!")
    await expect(watcher.page.locator(".chat-lines li")).to_contain_text("Hello!")

    await ready(host.page)
    await ready(guest.page)
    for player in (host, guest):
        await player.page.locator(".hand [role=option]").first.wait_for()
    await expect(watcher.page.locator(".hand-zone")).to_be_hidden()
    titles = {await host.page.title(), await guest.page.title()}
    assert "Your turn – Cockroach Duel" in titles
    assert len(titles) == 2

    await finish(host, guest)
    for player in (host, guest, watcher):
        await expect(player.page.locator(".result")).to_be_visible()
        assert await player.log() == player.said
    standings = [await p.page.locator(".result tbody").inner_text() for p in (host, guest, watcher)]
    assert standings[0] == standings[1] == standings[2]

    await host.page.get_by_role("button", name="Another match").click()
    await expect(host.page.locator(".result")).to_contain_text("waiting for the others")
    await guest.page.get_by_role("button", name="Another match").click()
    for player in (host, guest, watcher):
        await expect(player.page.locator(".result")).to_have_count(0)
    await host.page.locator(".hand [role=option]").first.wait_for()


async def test_a_wrong_code_is_explained(new_player: NewPlayer) -> None:
    player = await new_player()
    await player.open()
    await player.page.get_by_role("button", name="Join with a code").click()
    await player.page.get_by_role("textbox", name="Code").fill("0000 0000")
    await player.press("Enter")
    await expect(player.page.locator("dialog .error")).to_contain_text("no such table")


async def test_a_public_table_is_seen_joined_and_watched_from_the_lobby(
    new_player: NewPlayer,
) -> None:
    host, guest = [await new_player() for _ in range(2)]
    await guest.open()
    await host.open()
    await host.page.get_by_role("button", name="New public table").click()
    dialog = host.page.get_by_role("dialog")
    await dialog.get_by_label("Game", exact=True).select_option(label="Cockroach Duel")
    await dialog.get_by_label("Relaxed").check()
    await dialog.locator("summary").click()
    await dialog.get_by_label("Rounds that win the match").fill("2")
    await dialog.get_by_label("No more blockers than attackers").check()
    await dialog.get_by_role("button", name="Make the table").click()
    terms = host.page.locator(".terms")
    await expect(terms).to_contain_text("No more blockers than attackers: yes")
    await expect(terms).to_contain_text("Rounds that win the match: 2")
    name = await host.page.locator(".seats.own bdi").inner_text()
    row = guest.page.locator(".table-row", has_text=name)
    await expect(row).to_contain_text("1 free seat")
    await guest.page.get_by_label("Game", exact=True).select_option(label="Pepper")
    await expect(row).to_have_count(0)
    await guest.page.get_by_label("Game", exact=True).select_option(label="All games")
    await row.get_by_role("button", name="Sit down").click()
    await expect(guest.page.locator(".waiting")).to_be_visible()
    await expect(host.page.locator(".sitting")).not_to_contain_text("Seat 2")
    await guest.page.locator("#brand a").click()
    await expect(guest.page.get_by_role("link", name="Back to Cockroach Duel")).to_be_visible()


async def test_reload_in_mid_window_and_the_back_button_keep_the_seat(
    new_player: NewPlayer,
) -> None:
    player = await new_player({"speed": "relaxed"})
    page = player.page
    await player.open()
    table = await player.make_table(
        game="peeper", seats=2, bots=1, early_close=False, options={"claim_ms": 15_000}
    )
    await page.locator(".hand [role=option]").first.wait_for()
    until = time.monotonic() + END_S
    while not await page.locator(".ring").is_visible():
        assert time.monotonic() < until
        state = await player.state()
        if state["turn"] and not state["held"]:
            await page.locator(".hand [role=option]").last.click()
            await page.wait_for_timeout(400)
            if await page.locator(".ways button").count():
                await player.click_at_once(".ways button", 0)
            elif state["bare"]:
                await player.click_at_once(".bare button", 0)
        await page.wait_for_timeout(200)
    hand = (await player.state())["hand"]
    await page.reload()
    await page.locator(".hand [role=option]").first.wait_for()
    await expect(page.locator(".ring")).to_be_visible()
    assert (await player.state())["hand"] == hand
    await page.locator("#brand a").click()
    await expect(page.locator(".hero")).to_be_visible()
    await page.go_back()
    await page.locator(".hand [role=option]").first.wait_for()
    assert table in page.url


async def test_a_second_tab_takes_over_and_the_first_says_so(new_player: NewPlayer) -> None:
    player = await new_player({"speed": "relaxed"})
    await player.play_with_bots("cockroach_duel")
    second = Player(await player.page.context.new_page(), player.url)
    await second.page.goto(player.page.url)
    await second.page.locator(".hand [role=option]").first.wait_for()
    banner = player.page.locator(".banner")
    await expect(banner).to_contain_text("Another tab")
    assert any("Another tab" in text for text in await player.heard("alert"))
    await expect(second.page.locator(".banner")).to_be_hidden()
    await banner.get_by_role("button", name="Play on here").click()
    await expect(banner).to_be_hidden()
    await expect(second.page.locator(".banner")).to_contain_text("Another tab")
    assert second.errors == []


async def test_leaving_a_running_match_asks_first(new_player: NewPlayer) -> None:
    player = await new_player({"speed": "relaxed"})
    page = player.page
    await player.play_with_bots("cockroach_duel")
    await page.locator(".table-head button", has_text="Leave").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("cannot come back")
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(page.locator(".felt")).to_be_visible()
    await page.locator(".table-head button", has_text="Leave").click()
    await dialog.get_by_role("button", name="Leave", exact=True).click()
    await expect(page.locator(".hero")).to_be_visible()


async def test_query_keys_answer_every_part_of_the_view(new_player: NewPlayer) -> None:
    player = await new_player({"speed": "relaxed"}, locale="ko")
    await player.play_with_bots("peeper")
    await player.page.locator(".hand [tabindex='0']").focus()
    for key, what in [
        ("h", "hand"),
        ("b", "table"),
        ("l", "last"),
        ("t", "turn"),
        ("s", "score"),
        ("c", "counts"),
        ("k", "clock"),
        ("g", "legal"),
    ]:
        said = await player.status_after(key)
        asked = [m for m in player.sent if m["type"] == "ask"]
        assert asked[-1]["what"] == what
        answer = next(m for m in reversed(player.frames) if m.get("re") == asked[-1]["id"])
        assert said == " ".join(line["text"] for line in answer["say"])
        assert said.strip()


async def test_a_record_is_shown_again_with_slider_and_keys(new_player: NewPlayer) -> None:
    player = await new_player()
    page = player.page
    await player.open()
    await player.make_table(
        game="cockroach_duel", seats=2, bots=1, speed="instant", options={"target": 1}
    )
    await finish(player)
    await page.get_by_role("link", name="See it again").click()
    slider = page.get_by_label("Moment")
    await expect(slider).to_be_focused()
    where = page.locator("output")
    await expect(where).to_contain_text("1 of ")
    await player.press("End")
    last = await where.inner_text()
    assert last.split(" of ")[0] == last.split(" of ")[1]
    await expect(page.locator(".said-now")).to_contain_text("match")
    await player.press("ArrowLeft")
    assert int((await where.inner_text()).split(" of ")[0]) == int(last.split(" of ")[1]) - 1
    await page.get_by_role("button", name="To the beginning").click()
    await expect(where).to_contain_text("1 of ")
    await page.get_by_role("button", name="Play", exact=True).click()
    await expect(where).to_contain_text("2 of ")
    await page.get_by_role("button", name="Pause").click()


async def test_a_language_is_changed_at_the_table(new_player: NewPlayer) -> None:
    player = await new_player({"speed": "relaxed"})
    page = player.page
    await player.play_with_bots("cockroach_duel")
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_label("Language").select_option("ko")
    await expect(page.locator("html")).to_have_attribute("lang", "ko")
    await page.locator(".hand [tabindex='0']").focus()
    said = await player.status_after("h")
    assert any("가" <= char <= "힣" for char in said)
    await expect(page.locator(".state")).to_contain_text("차례")


async def test_the_page_survives_a_restart_of_the_server_in_mid_game(
    new_player: NewPlayer,
) -> None:
    with hanpan_server(**LOOSE) as server:
        player = await new_player(url=server.url)
        page = player.page
        await player.open()
        await player.make_table(game="cockroach_duel", seats=2, bots=1, speed="relaxed")
        await page.locator(".hand [role=option]").first.wait_for()
        hand = (await player.state())["hand"]
        server.kill()
        await expect(page.locator("#line")).not_to_have_attribute("data-state", "open")
        server.start()
        await expect(page.locator("#line")).to_have_attribute("data-state", "open", timeout=20_000)
        assert (await player.state())["hand"] == hand
        until = time.monotonic() + END_S
        before = len(player.said)
        while len(player.said) < before + 4:
            assert time.monotonic() < until
            if (await player.state())["bare"]:
                await player.click_at_once(".bare button", 0)
            await page.wait_for_timeout(100)
        assert await player.heard() == player.said


async def test_a_sixth_game_plays_on_the_generic_board(new_player: NewPlayer) -> None:
    with hanpan_server(games="tests.games.echo", **LOOSE) as server:
        player = await new_player(url=server.url)
        page = player.page
        await player.play_with_bots("echo")
        await expect(page.locator(".generic")).to_be_visible()
        until = time.monotonic() + END_S
        while not (state := await player.state())["over"]:
            assert time.monotonic() < until
            if state["claims"]:
                await player.click_at_once(".claims button")
            elif state["turn"]:
                await page.evaluate("() => document.querySelector(`.hand [tabindex='0']`)?.focus()")
                await player.press("Enter")
            await page.wait_for_timeout(20)
        assert await player.log() == player.said
        bare = await page.evaluate(BARE)
        assert bare == "Nothing lies on the table yet."


async def test_the_page_asks_no_other_host(new_player: NewPlayer) -> None:
    player = await new_player()
    await player.play_with_bots("pepper")
    assert player.hosts == {player.url.split("/")[2]}


async def test_what_is_said_during_a_dialog_is_said_in_it(new_player: NewPlayer) -> None:
    player = await new_player({"speed": "relaxed"})
    page = player.page
    await player.open()
    table = await player.make_table(ready=False, game="cockroach_duel", seats=2, speed="relaxed")
    await page.get_by_role("button", name="Help").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("status")).to_be_attached()
    await expect(dialog.get_by_role("alert")).to_be_attached()
    await player.company(table, "Ada")
    await expect(dialog.get_by_role("status")).to_contain_text("Ada")
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(page.locator("body > #status")).to_be_attached()
    await expect(page.locator("body > #alert")).to_be_attached()

"""At every state of every golden game the page says whose decision it is, what is possible, and the rule."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engines.kit import golden
from engines.kit.registry import load
from tests.support.node import CLIENTS
from tests.web.conftest import NewPlayer
from tests.web.fake import NAMES, FakeLine
from tests.web.golden_states import State, states

GAMES = load()

SHOW = """
async (snapshots) => {
  const { client } = await import('/web/app/session.js');
  const table = client.table('t_1');
  const shown = [];
  for (const snapshot of snapshots) {
    table.receive(snapshot);
    await null; await null; await null;
    shown.push({
      prompt: document.getElementById('prompt').textContent,
      title: document.title,
      links: [...document.querySelectorAll('#prompt a')].map((a) => a.getAttribute('href')),
      turn: [...document.querySelectorAll('.seat[data-turn=true] bdi')].map((b) => b.textContent),
      hand: document.querySelectorAll('.hand [role=option]').length,
      dead: document.querySelectorAll('.middle:empty').length,
    });
  }
  return shown;
}
"""


def anchors(game: str) -> set[str]:
    """What the rules on the page can be linked to about."""
    text = (CLIENTS / "web" / "rules" / game / "en.html").read_text("utf-8")
    return {word for words in re.findall(r'data-about="([^"]+)"', text) for word in words.split()}


def check(state: State, shown: dict[str, Any], known: set[str]) -> str | None:
    """What is wrong with what the page shows of a state."""
    game = state.snapshot["info"]["game"]
    if len(shown["links"]) != len(state.kinds):
        return f"possible: {state.kinds}, linked: {shown['links']}"
    for kind in state.kinds:
        if f"#/rules/{game}/{kind}" not in shown["links"]:
            return f"{kind} is not linked"
        if kind not in known:
            return f"the rules say nothing about {kind}"
    if state.seat is not None and len(state.snapshot["view"].get("hand", [])) != shown["hand"]:
        return "the hand is not the view's"
    if state.turn is not None:
        name = NAMES[state.turn % 4]
        if shown["turn"] != [name]:
            return f"{name} is to act, marked: {shown['turn']}"
        words = "Your turn" if state.turn == state.seat else f"{name} to play"
        beside = "You may already play" if state.turn == state.seat and state.window else words
        if words not in shown["prompt"] and beside not in shown["prompt"]:
            return f"whose turn it is is not said: {shown['prompt']}"
    claims = state.turn is None and state.seat is not None and state.kinds
    if claims and "window is open" not in shown["prompt"]:
        return f"the window is not told: {shown['prompt']}"
    return None


@pytest.mark.parametrize("name", GAMES)
async def test_every_state_says_who_what_and_which_rule(new_player: NewPlayer, name: str) -> None:
    found = [
        (path.stem, state)
        for path in golden.files(GAMES[name])
        for state in states(GAMES[name], golden.parse(path.read_text("utf-8")))
    ]
    line = FakeLine(name, len(found[0][1].snapshot["seats"]))
    line.push(view=found[0][1].snapshot["view"], requests=[])
    player = await new_player()
    await line.attach(player.page)
    await player.open(f"/#/table/{line.table}")
    await player.page.locator("hanpan-table .felt").wait_for()
    shown = await player.page.evaluate(SHOW, [state.snapshot for _, state in found])
    known = anchors(name)
    wrong = [
        (file, number, state.seat, problem)
        for number, ((file, state), seen) in enumerate(zip(found, shown, strict=True))
        if (problem := check(state, seen, known)) is not None
    ]
    assert len(found) > 50
    assert not wrong, wrong[:5]

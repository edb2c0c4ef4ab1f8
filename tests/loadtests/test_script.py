"""What is recorded of a match is what a table needs to play it again."""

from __future__ import annotations

import msgspec

from loadtests.script import Script


def test_a_script_answers_every_window_of_its_singles(scripts: list[Script]) -> None:
    script = scripts[0]
    assert script.actions > 20
    assert not script.steps[0].claim
    for turn, answer in zip(script.steps, script.steps[1:], strict=False):
        if not turn.claim:
            assert turn.opens == answer.claim
        tiles = msgspec.json.decode(turn.action).get("tiles", [])
        assert not turn.opens or len(tiles) == 1


def test_declines_are_no_actions(scripts: list[Script]) -> None:
    steps = scripts[0].steps
    declines = [step for step in steps if step.decline]
    assert all(step.claim for step in declines)
    assert scripts[0].actions == len(steps) - len(declines)

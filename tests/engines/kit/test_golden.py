from __future__ import annotations

from pathlib import Path

import pytest

from engines.kit.golden import (
    GoldenError,
    Script,
    difference,
    files,
    folder,
    main,
    parse,
    play,
    replay,
)
from engines.peeper import GAME

SCRIPT = """Two players and a Mine

game peeper
ruleset standard
options {"wild_mine":true}
seats 2
key 00
first 1

> 0 {"type":"pass"}
> claim 1 {"type":"mine","tiles":["5","5"]}
"""


def test_a_script_is_read_from_header_and_calls() -> None:
    script = parse(SCRIPT)
    assert (script.title, script.game, script.seats) == ("Two players and a Mine", "peeper", 2)
    assert (script.options, script.key, script.first) == ({"wild_mine": True}, "00", 1)
    assert script.calls == ['0 {"type":"pass"}', 'claim 1 {"type":"mine","tiles":["5","5"]}']


def test_what_was_written_reads_back_to_itself() -> None:
    text = replay(GAME, parse(SCRIPT))
    assert replay(GAME, parse(text)) == text
    assert "refused, claim_closed: There is nothing to claim now" in text


def test_a_whole_match_of_bots_can_be_written(tmp_path: Path) -> None:
    script = play(GAME, Script("Bots", "peeper", seats=3, key="ab" * 32), "steady")
    text = replay(GAME, script)
    assert "finished True" in text
    path = tmp_path / "bots.txt"
    path.write_text(text, encoding="utf-8")
    assert difference(GAME, path) == ""
    path.write_text(text.replace("finished True", "finished False"), encoding="utf-8")
    assert "+  finished True" in difference(GAME, path)


def test_windows_and_their_ends_are_told() -> None:
    text = (folder(GAME) / "mine_and_return.txt").read_text(encoding="utf-8")
    assert "open: mine; could claim: 2" in text
    assert '"Cleo: Mine! 5, 5."' in text
    assert '"Bo: Return! 5."' in text
    assert "rank 0, valid" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty file"),
        ("title\nseats many\n", "line 2"),
        ("title\noptions {\n", "line 2"),
        ("title\nsomething else\n", "line 2"),
    ],
)
def test_a_file_that_is_no_golden_game_is_refused(text: str, message: str) -> None:
    with pytest.raises(GoldenError, match=message):
        parse(text)


@pytest.mark.parametrize("call", ["0 {}", "settle {}", "nobody {}", '0 {"type":"fly"}'])
def test_a_call_that_makes_no_sense_is_refused(call: str) -> None:
    script = parse(SCRIPT)
    script.calls = [call]
    with pytest.raises(GoldenError, match="> "):
        replay(GAME, script)


def test_the_command_writes_new_games_and_checks_those_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new.txt"
    new = ["golden", "--new", str(path), "peeper", "--seats", "2", "--title", "New"]
    monkeypatch.setattr("sys.argv", new)
    assert main() == 0
    written = path.read_text(encoding="utf-8")
    assert written.startswith("New\n")

    path.write_text(written.replace('  "', '  "!'), encoding="utf-8")
    monkeypatch.setattr("engines.kit.golden.load", lambda: {"peeper": GAME})
    monkeypatch.setattr("sys.argv", ["golden", "--write", str(path)])
    assert main() == 0
    assert path.read_text(encoding="utf-8") == written
    assert f"{files(GAME)[0].name}: as written" in capsys.readouterr().out

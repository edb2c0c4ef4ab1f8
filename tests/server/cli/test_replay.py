"""Tests of server/cli/replay.py: the lines, the end, several files, malformed ones, sentences."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.cli import main
from server.core.record import build
from tests.server.core.bench import CHAMSAEJAK, DUEL, PASS, PEEPER, Bench, mine, peeper_deck, single
from tests.server.core.test_public_record import public

DECK = peeper_deck("1r 5 9", "6 7 5", "5 5 8", "10 11")


def write(folder: Path, log: list[dict[str, Any]], name: str = "r.json", **fields: Any) -> str:
    """A file with a record of Peeper."""
    base: dict[str, Any] = {
        "format": "hanpan.record/1",
        "game": "peeper",
        "seats": 4,
        "decks": [DECK],
        "log": log,
    }
    path = folder / name
    path.write_bytes(msgspec.json.encode({**base, **fields}))
    return str(path)


LOG: list[dict[str, Any]] = [
    {"at": 0, "seat": 0, "action": single("5")},
    {"at": 900, "seat": 3, "action": single("10")},
    {"at": 1_000, "seat": 2, "action": mine("5", "5")},
]


class Run(msgspec.Struct):
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(line) for line in self.out.splitlines()]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Any:
    """The `hanpan` command, run in this process."""

    def call(*args: str) -> Run:
        code = main.main(list(args))
        done = capfd.readouterr()
        return Run(code, done.out, done.err)

    return call


def test_one_line_an_entry_and_the_end(run: Any, tmp_path: Path) -> None:
    done = run("replay", "--json", write(tmp_path, LOG))
    assert done.code == 0
    first, refused, mined, end = done.lines
    assert list(first) == ["i", "at", "ok", "events"]
    assert (first["i"], first["at"], first["ok"]) == (0, 0, True)
    assert [event["type"] for event in first["events"]] == ["played", "window_opened"]
    assert list(refused) == ["i", "at", "ok", "error"]
    assert refused["ok"] is False
    assert refused["error"]["code"] == "not_your_turn"
    assert refused["error"]["message"]
    assert [event["type"] for event in mined["events"]][:2] == ["window_closed", "mined"]
    assert list(end) == ["end", "finished", "scores", "places", "view", "hands"]
    assert (end["end"], end["finished"]) == (True, False)
    assert (end["scores"], end["places"]) == ([0, 0, 0, 0], [])
    assert [len(hand) for hand in end["hands"]] == [15, 16, 14, 16]
    assert end["view"]["turn"] == 2
    assert "hand" not in end["view"]


def test_messages_are_in_the_language_asked_for(run: Any, tmp_path: Path) -> None:
    said = {
        lang: run("replay", "--json", "--lang", lang, write(tmp_path, LOG)).lines[1]["error"]
        for lang in ("en", "ko", "ja")
    }
    assert len({error["message"] for error in said.values()}) == 3
    assert {error["code"] for error in said.values()} == {"not_your_turn"}


def test_what_time_brings_after_a_refused_entry_is_in_its_line(run: Any, tmp_path: Path) -> None:
    log = [LOG[0], {"at": 1, "seat": 1, "action": PASS}, {"at": 2, "seat": 3, "action": PASS}]
    lines = run("replay", "--json", write(tmp_path, log)).lines
    assert [e["type"] for e in lines[2]["events"]] == ["window_closed", "passed"]
    assert lines[2]["ok"] is False


def test_several_files_are_played_one_after_the_other_and_named(run: Any, tmp_path: Path) -> None:
    one, two = write(tmp_path, LOG[:1], "a.json"), write(tmp_path, [], "b.json")
    lines = run("replay", "--json", one, two).lines
    assert [line["file"] for line in lines] == [one, one, two]
    assert [line.get("end", False) for line in lines] == [False, True, True]


def test_a_malformed_file_is_told_in_a_sentence_and_the_others_are_played(
    run: Any, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    good = write(tmp_path, LOG[:1])
    done = run("replay", "--json", str(bad), good)
    assert done.code == 2
    assert done.err.startswith(f"hanpan: {bad}: not a full record")
    assert [line["file"] for line in done.lines] == [good, good]
    late = [LOG[0], {"at": 1, "seat": 0, "action": {"type": "castle"}}]
    broken = run("replay", "--json", write(tmp_path, late))
    assert (broken.code, broken.out) == (2, "")
    missing = run("replay", str(tmp_path / "none.json"))
    assert missing.code == 2
    assert "No such file" in missing.err


def test_another_engine_is_a_warning(run: Any, tmp_path: Path) -> None:
    done = run("replay", "--json", write(tmp_path, [], engine="0"))
    assert done.code == 0
    assert "warning" in done.err
    assert not run("replay", "--json", write(tmp_path, [], engine=PEEPER.version)).err


def test_standard_input_is_a_file(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Path(write(tmp_path, LOG)).read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run("replay", "--json", "-").lines[-1]["end"]


@pytest.mark.parametrize("game", [PEEPER, DUEL, CHAMSAEJAK], ids=lambda g: g.name)
def test_a_whole_match_ends_with_the_tables_scores_and_places(
    run: Any, tmp_path: Path, game: Any
) -> None:
    bench = Bench(game, game.min_seats, bots=tuple(range(game.min_seats)), level="steady")
    bench.play_bots()
    match = bench.table.match
    record = build(bench.table.state.config, match, game.version, bench.entries)
    path = tmp_path / "m.json"
    path.write_bytes(msgspec.json.encode(record))
    lines = run("replay", "--json", str(path)).lines
    end = lines[-1]
    assert (end["finished"], end["scores"], end["places"]) == (True, match.scores, match.places)
    assert all(line["ok"] for line in lines[:-1])
    events = [event for line in lines[:-1] for event in line["events"]]
    live = [
        {key: value for key, value in event.items() if key != "at"}
        for event in bench.events("public")
    ]
    assert events == live[len(live) - len(events) :]


@pytest.mark.parametrize("lang", ["en", "ko", "ja"])
def test_without_json_the_match_is_told_in_sentences(run: Any, tmp_path: Path, lang: str) -> None:
    names = ["민지", "Ann", "Bo", "さくら"]
    done = run("replay", "--lang", lang, write(tmp_path, LOG, names=names))
    assert done.code == 0
    assert "민지" in done.out.splitlines()[0]
    assert PEEPER.text.title(lang) in done.out.splitlines()[0]
    refused = [line for line in done.out.splitlines() if "  ! さくら: " in line]
    assert len(refused) == 1
    assert '{"scores":[0,0,0,0],"places":[]}' in done.out
    assert len(done.out.splitlines()) > 10
    # Each sentence has the time of its event: the window closed after its 3 s.
    assert [line.split()[0] for line in done.out.splitlines()[-8:-5]] == ["0:03.000"] * 3


def test_a_public_record_is_shown_and_checked(run: Any, tmp_path: Path) -> None:
    fields = public()
    path = tmp_path / "p.json"
    path.write_bytes(msgspec.json.encode(fields))
    lines = run("replay", "--json", str(path)).lines
    assert len(lines) == len(fields["frames"]) + 1
    end = lines[-1]
    assert (end["finished"], end["places"]) == (True, fields["places"])
    assert end["view"] == [f["view"] for f in fields["frames"] if "view" in f][-1]
    told = run("replay", "--lang", "ko", str(path))
    assert (told.code, told.out.count("\n") > 20) == (0, True)
    fields["frames"][4]["seq"] += 1
    path.write_bytes(msgspec.json.encode(fields))
    broken = run("replay", "--json", str(path))
    assert (broken.code, broken.out) == (2, "")
    assert "frames[4]" in broken.err


def test_further_games_are_named(run: Any, tmp_path: Path) -> None:
    done = run("replay", "--games", "no.such.package", write(tmp_path, []))
    assert done.code == 2
    assert "no.such.package" in done.err

"""The command line."""

from __future__ import annotations

import pytest

from hanpan_terminal.options import Options, parse


def test_nothing_given(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HANPAN_URL", "HANPAN_TOKEN", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert parse([]) == ("http://127.0.0.1:8000", Options())


def test_everything_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANPAN_TOKEN", "secret")
    url, options = parse(
        [
            "--url",
            "http://h:1",
            "--game",
            "peeper",
            "--ruleset",
            "ibc",
            "--speed",
            "relaxed",
            "--seats",
            "3",
            "--bots",
            "1",
            "--level",
            "random",
            "--private",
            "--name",
            "민지",
            "--lang",
            "ko",
            "--hear",
            "high",
            "--plain",
        ]
    )
    assert url == "http://h:1"
    assert options == Options(
        locale="ko", name="민지", token="secret", game="peeper", ruleset="ibc", speed="relaxed",
        seats=3, bots=1, level="random", private=True, hear="high", plain=True,
    )  # fmt: skip


def test_a_table_is_watched_or_joined() -> None:
    watch, join = parse(["--watch", "t_1"])[1], parse(["--join", "t_1", "--invite", "7"])[1]
    assert (watch.table, watch.watch) == ("t_1", True)
    assert (join.table, join.watch, join.invite) == ("t_1", False, "7")


def test_a_wrong_speed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--speed", "warp"])
    assert "warp" in capsys.readouterr().err

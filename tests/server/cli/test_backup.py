"""`hanpan backup` of a running server, and a server that starts from the copy."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import hanpan
from server.cli.backup import copy
from server.cli.main import main
from tests.server.test_crash import crowd_at
from tests.support.crowd import LIMITS
from tests.support.hanpan_server import hanpan_server


async def test_a_server_goes_on_from_a_backup_taken_under_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "backup"
    with hanpan_server(**LIMITS) as server:
        async with crowd_at(server, 4, 4, seed=3) as crowd:
            await crowd.progress()
            before = {acked.table for acked in crowd.acked}
            assert main(["backup", str(target), "--data", str(server.data)]) == 0
            await crowd.progress()
            token = crowd.clients[0].token
    assert {path.name for path in target.iterdir()} == {"journal.sqlite", "hanpan.sqlite"}
    assert "journal.sqlite" in capsys.readouterr().out
    with hanpan_server(data=target, **LIMITS) as restored:
        async with hanpan.connect(restored.url, token) as client:
            found = {table.table for table in await client.list_tables()}
            assert before <= found
            # Whoever was seated is known by his token, and seated still.
            assert client.seated


def test_an_empty_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", str(tmp_path / "to"), "--data", str(tmp_path)]) == 2
    assert "nothing to back up" in capsys.readouterr().err


def test_what_is_no_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = ["--database-url", "postgresql://db/hanpan"]
    assert main(["backup", str(tmp_path / "to"), "--data", str(tmp_path), *url]) == 2
    said = capsys.readouterr()
    assert "pg_dump" in said.err
    assert "append-only" in said.out


def test_a_damaged_file_leaves_the_last_copy(tmp_path: Path) -> None:
    source, target = tmp_path / "journal.sqlite", tmp_path / "copy.sqlite"
    source.write_bytes(b"no database" * 100)
    target.write_bytes(b"the last copy")
    with pytest.raises(sqlite3.DatabaseError):
        copy(source, target)
    assert target.read_bytes() == b"the last copy"

"""The bot in the README is short, and it plays."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import Any

import hanpan
from hanpan.testing import FakeServer, FakeTable
from tests.support.hanpan_server import HanpanServer

README = Path(__file__).parents[3] / "clients" / "python" / "README.md"


def first_block() -> str:
    found = re.search(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found.group(1)


def test_the_bot_has_at_most_twenty_lines() -> None:
    assert len([line for line in first_block().splitlines() if line.strip()]) <= 20


async def test_the_bot_plays_a_match(live: HanpanServer, tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(first_block(), "utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "error", str(script), live.url,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    assert re.fullmatch(r"scores: \[\d(, \d){3}\]\n", out.decode())


async def test_the_fake_servers_example_runs() -> None:
    found = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)[-1]
    body = "".join(f"    {line}\n" for line in found.splitlines())
    space: dict[str, Any] = {"hanpan": hanpan, "FakeTable": FakeTable, "FakeServer": FakeServer}
    exec(f"async def example():\n{body}", space)
    async with asyncio.timeout(10):
        await space["example"]()

"""The terminal in a terminal, and through a pipe, against a real server."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import subprocess
import sys

import pytest

from tests.support.hanpan_server import HanpanServer, hanpan_server

CLEAN = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, url: str, *arguments: str, **environment: str) -> None:
        self.text = ""
        self.raw = b""
        self._read = 0
        self._fd, end = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hanpan_terminal", "--url", url, *arguments],
            env={**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", **environment},
            stdin=end,
            stdout=end,
            stderr=end,
            start_new_session=True,
        )
        os.close(end)
        asyncio.get_running_loop().add_reader(self._fd, self._take)

    def press(self, keys: str) -> None:
        """Press keys; `\\r` is Enter."""
        os.write(self._fd, keys.encode())

    async def until(self, wanted: str, seconds: float = 30) -> str:
        """The text shown since the last call, once this pattern is in it."""
        for _ in range(int(seconds / 0.02)):
            fresh = self.text[self._read :]
            found = re.search(wanted, fresh)
            if found:
                self._read += found.end()
                return fresh[: found.end()]
            await asyncio.sleep(0.02)
        raise AssertionError(f"{wanted} is not in {self.text[self._read :]!r}")

    async def ended(self, seconds: float = 20) -> int:
        """Its exit code."""
        code = await asyncio.to_thread(self._process.wait, seconds)
        asyncio.get_running_loop().remove_reader(self._fd)
        os.close(self._fd)
        return code

    def _take(self) -> None:
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._fd)
        self.text += CLEAN.sub("", data.decode("utf-8", "replace"))
        self.raw += data


@pytest.fixture(params=["0", "1"], ids=["prompt", "plain"])
def accessible(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


async def test_one_key_leads_to_a_hand_and_a_match_can_be_played(
    live: HanpanServer, accessible: str
) -> None:
    terminal = Terminal(live.url, "--lang", "ko", "--speed", "relaxed", ACCESSIBLE=accessible)
    await terminal.until("엔터: 피퍼")
    terminal.press("\r")
    await terminal.until(r"내 패 16개: \S+")
    terminal.press("손패\r")
    await terminal.until(r"내 패 1\d개: ")
    terminal.press("점수\r")
    await terminal.until("점수: .*나 0점")
    terminal.press("abracadabra\r")
    await terminal.until("모르는 말입니다: abracadabra")
    terminal.press("나가기\r")
    await terminal.until("안녕히 가세요")
    assert await terminal.ended() == 0
    assert (b"\x1b" in terminal.raw) is (accessible == "0")


async def test_a_whole_match_through_a_pipe(live: HanpanServer) -> None:
    """No terminal: plain lines; every turn and window is answered by what a line can say."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "hanpan_terminal", "--url", live.url, "--lang", "en",
        "--game", "cockroach_duel", "--speed", "instant",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    lines: list[str] = []
    async with asyncio.timeout(60):
        async for data in process.stdout:
            lines.append(data.decode())
            if "rematch" in lines[-1]:
                process.stdin.write(b"rematch\n")
                break
            if "our turn" in lines[-1] or "You" in lines[-1]:
                process.stdin.write(b"pass\naccept\n")
        async for data in process.stdout:
            lines.append(data.decode())
            if "1:" in lines[-1] or "ask for a rematch" in lines[-1]:
                break
        process.stdin.close()
        await process.wait()
    assert process.returncode == 0
    assert not [line for line in lines if "\x1b" in line]
    assert any("ask for a rematch" in line for line in lines)


async def test_a_killed_server_is_told_and_nothing_old_is_read_out() -> None:
    with hanpan_server() as server:
        terminal = Terminal(
            server.url, "--lang", "en", "--game", "peeper", "--speed", "relaxed", ACCESSIBLE="1"
        )
        await terminal.until("Your 16 tiles")
        await asyncio.to_thread(server.kill)
        await terminal.until("The connection is lost")
        await asyncio.to_thread(server.start)
        await terminal.until("Connected again")
        terminal.press("hand\r")
        await terminal.until("tiles")
        assert terminal.text.count("The match begins") == 1
        terminal.press("\x04")
        await terminal.until("Bye")
        assert await terminal.ended() == 0

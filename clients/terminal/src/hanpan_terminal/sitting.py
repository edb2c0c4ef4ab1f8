"""One player at one table: what happens is read out, what is typed is done."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

from hanpan import Client, HanpanError, Refused, Table, Unseated
from hanpan._messages import ChatLine
from hanpan.words import Choice, Do, Question, Unclear, Words, understand
from hanpan_terminal.commands import Commands
from hanpan_terminal.screen import Screen
from hanpan_terminal.text import Phrases
from hanpan_terminal.voice import Voice

T = TypeVar("T")

ENDS = ("match_ended", "match_voided")
"""After either of these another match can be asked for."""


class Sitting:
    """Runs until the player leaves, the table ends or the connection has ended for good."""

    def __init__(
        self,
        client: Client,
        table: Table,
        words: Words,
        screen: Screen,
        voice: Voice,
        phrases: Phrases,
    ) -> None:
        self.table = table
        self._client = client
        self._words = words
        self._screen = screen
        self._voice = voice
        self._phrases = phrases
        self._choice: Choice | None = None
        self._stood = False
        self._commands = Commands(table, words, voice, phrases)

    async def run(self) -> bool:
        """Play or watch. False when the player wants to stop altogether."""
        takes_back = [
            self.table.on_chat.add(self._chat),
            self._client.on_status.add(self._status),
        ]
        telling = asyncio.create_task(self._tell())
        try:
            return await self._type(telling)
        finally:
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)
            for take_back in takes_back:
                take_back()

    async def _type(self, telling: asyncio.Task[None]) -> bool:
        """Line after line, until there are no more or the table is over."""
        while True:
            line = await first(self._screen.line(), telling)
            if telling.done():
                telling.result()
                return True
            if line is None or self._phrases.command(line.strip()) == "quit":
                await self._leave()
                return False
            try:
                await first(self._do(line), telling)
            except Refused as refused:
                self._voice.say(refused.message, urgent=True)
            except HanpanError as error:
                if not self.table.ended:
                    self._voice.say(self._phrases("wrong", why=error), urgent=True)

    async def _do(self, line: str) -> None:
        choice, self._choice = self._choice, None
        picked = choice.pick(line, self._words) if choice else None
        if picked is not None:
            await self._act(picked)
            return
        if await self._commands.do(line):
            return
        reading = await understand(line, self.table, self._words)
        match reading:
            case Question():
                ok = await self.table.ask(reading.what)
                if not self._voice.answers(ok.say):
                    self._voice.say(str(ok.data) if ok.data else self._phrases("nothing"))
            case Do():
                await self._act(reading)
            case Choice():
                self._choice = reading
                self._voice.say(self._phrases("choose"))
                for number, action in enumerate(reading.actions, 1):
                    spelt = self._words.spell(action)
                    self._voice.say(self._phrases("choose.one", number=number, action=spelt))
            case Unclear() if reading.why != "empty":
                said = self._phrases(f"unclear.{reading.why}", word=reading.word)
                self._voice.say(said, urgent=True)

    async def _act(self, do: Do) -> None:
        ok = await do.request.act(do.action)
        if ok.held:
            self._voice.say(self._phrases("held"))
        elif ok.sealed and do.action["type"] != "decline":
            self._voice.say(self._phrases("sealed"))

    async def _tell(self) -> None:
        """Read out what happens, to the end of the table."""
        try:
            async for frame in self.table.frames():
                self._voice.frame(frame)
                self._stands()
                ended = any(event.type in ENDS for event in frame.events)
                if ended and not frame.replay and self.table.seat is not None:
                    self._voice.say(self._phrases("ended"))
        except Unseated as unseated:
            key = "taken" if unseated.why == "replaced" else "closed"
            self._voice.say(self._phrases(key), urgent=True)

    def _stands(self) -> None:
        """Who comes back to a seat that was given up meanwhile only watches, and is told so once."""
        if self.table.stood and not self._stood:
            self._voice.say(self._phrases("stood"), urgent=True)
        self._stood = self.table.stood

    def _chat(self, line: ChatLine) -> None:
        self._voice.say(self._phrases("chat", name=line.name, text=line.text))

    def _status(self, status: str) -> None:
        if status == "lost":
            self._voice.say(self._phrases("lost"), urgent=True)
        elif status == "connected":
            self._voice.say(self._phrases("back"))
            self._commands.later(self._whose_turn())

    async def _whose_turn(self) -> None:
        """After a resume nothing old is read out, but where things stand is."""
        with contextlib.suppress(HanpanError):
            ok = await self.table.ask("turn")
            self._voice.answers(ok.say)

    async def _leave(self) -> None:
        """Give up the seat; a connection that is lost just now does not hold anybody back."""
        with contextlib.suppress(HanpanError, TimeoutError):
            async with asyncio.timeout(2):
                await self.table.leave()


async def first(work: Coroutine[Any, Any, T], other: asyncio.Task[None]) -> T | None:
    """The result of the work, or None when the other task was over before."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait([task, other], return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

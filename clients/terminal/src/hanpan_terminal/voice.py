"""What is read out: by priority, never the replay, and again on request."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from hanpan import Frame, Say
from hanpan_terminal.options import Level
from hanpan_terminal.screen import Screen

_RANK = {"low": 0, "normal": 1, "high": 2}
REMEMBERED = 5


class Voice:
    """Puts sentences on the screen. hear: the least priority that is read out."""

    def __init__(self, screen: Screen, hear: Level = "low") -> None:
        self.hear: Level = hear
        self._screen = screen
        self._last: deque[str] = deque(maxlen=REMEMBERED)

    def frame(self, frame: Frame) -> None:
        """What a step brings; what was missed and is sent again is remembered, not read out."""
        for sentence in frame.say:
            if frame.replay:
                self._last.append(sentence.text)
            else:
                self.sentence(sentence)

    def sentence(self, sentence: Say) -> None:
        """One sentence, if it is heard at all."""
        rank = _RANK.get(sentence.priority, 1)
        self._last.append(sentence.text)
        if rank >= _RANK[self.hear]:
            self._screen.show(sentence.text, urgent=rank == _RANK["high"])

    def answers(self, sentences: Iterable[Say] | None) -> bool:
        """What was asked for is read out whatever its priority; False when there is nothing."""
        told = False
        for sentence in sentences or []:
            self._screen.show(sentence.text)
            told = True
        return told

    def say(self, text: str, urgent: bool = False) -> None:
        """A sentence of the terminal's own."""
        self._screen.show(text, urgent)

    def again(self) -> list[str]:
        """The last sentences."""
        return list(self._last)

"""Random numbers that a key and a label determine, the same on every machine for ever.

Algorithm `hanpan.stream/1`: block i of a stream is BLAKE2b-512 with the key as MAC key over
`label ‖ 0x00 ‖ i` (i as 8 bytes, big endian). Blocks are cut into 8-byte big-endian words. A number
below n is a word modulo n; words of the last, incomplete run of n are rejected, so nothing is biased.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from hashlib import blake2b
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

ALGORITHM = "hanpan.stream/1"
_WORD = 1 << 64
_WORDS = Struct(">8Q")


class Stream:
    """One labelled stream of a key; two streams of other labels are independent.

    key: 1..64 bytes, secret, from the operating system's CSPRNG (32 bytes in a match).
    label: what the numbers are for, e.g. `deck:0`.
    skip: how many words were taken before, so that a stream can go on after a restart.
    """

    def __init__(self, key: bytes, label: str, skip: int = 0) -> None:
        self._key = key
        self._label = label.encode() + b"\0"
        self._words: tuple[int, ...] = ()
        self._block = -1
        self.taken = skip

    def _word(self) -> int:
        block, index = divmod(self.taken, 8)
        if block != self._block:
            digest = blake2b(self._label + block.to_bytes(8, "big"), key=self._key).digest()
            self._words = _WORDS.unpack(digest)
            self._block = block
        self.taken += 1
        return self._words[index]

    def below(self, n: int) -> int:
        """A number 0..n-1, every one equally likely. Raises ValueError unless n >= 1."""
        if n < 1:
            raise ValueError(f"cannot draw a number below {n}")
        limit = _WORD - _WORD % n
        while True:
            word = self._word()
            if word < limit:
                return word % n

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, every one equally likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put the items in random order in place (Fisher-Yates)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

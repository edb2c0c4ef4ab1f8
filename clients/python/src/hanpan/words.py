"""Typed lines: what a player means by `5 5`, `3 4 x`, `mine` or `손패`, in a game's own words.

The words come with the game (`GameInfo.words`); nothing here knows a game. A line is a topic to ask
about, or an action: then it is matched with the legal actions, whose values are read in field order
(`play 5 5`, `trump H`, `attack rat fly rat`). The action's type may be left out in turn, pieces may come
in any order, and declarations may be left out where that leaves one action.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

import msgspec

from hanpan._messages import Topic
from hanpan.requests import PIECES, Action, Request, pieces
from hanpan.table import Table

TOPICS: frozenset[str] = frozenset(get_args(Topic))
_COMMON = {
    "en": {
        "hand": "hand", "table": "table", "who": "turn", "turn": "turn", "counts": "counts",
        "last": "last", "time": "clock", "clock": "clock", "legal": "legal", "score": "score",
    },
    "ko": {
        "손패": "hand", "바닥": "table", "누구": "turn", "차례": "turn", "개수": "counts",
        "마지막": "last", "시간": "clock", "가능": "legal", "점수": "score",
    },
    "ja": {
        "手札": "hand", "場": "table", "誰": "turn", "番": "turn", "枚数": "counts",
        "最後": "last", "時間": "clock", "可能": "legal", "得点": "score",
    },
}  # fmt: skip
_SPLIT = re.compile(r"[\s,、，;]+")
_NAME = re.compile(r"[a-z][a-z0-9_]+")
_LONGEST = 3


class Question(msgspec.Struct, frozen=True):
    """The line asks about a topic."""

    what: Topic


class Do(msgspec.Struct, frozen=True):
    """The line is this answer to this request."""

    request: Request
    action: Action


class Choice(msgspec.Struct, frozen=True):
    """The line has several readings; `pick` chooses one by its number or a word."""

    request: Request
    actions: list[Action]

    def pick(self, line: str, words: Words) -> Do | None:
        """The reading meant by `2`, or by a word that only one of them has (`straight`)."""
        tokens = words.tokens(line, self.actions)
        if not tokens:
            return None
        left = [a for a in self.actions if not Counter(tokens) - Counter(_others(a))]
        if len(left) == 1:
            return Do(self.request, left[0])
        if len(tokens) == 1 and tokens[0].isdigit() and 0 < int(tokens[0]) <= len(self.actions):
            return Do(self.request, self.actions[int(tokens[0]) - 1])
        return None


class Unclear(msgspec.Struct, frozen=True):
    """The line is nothing that can be done now.

    why: `empty`, `word` (an unknown word), `turn` (nothing is asked of this seat), `action` (no legal
    action is like that). word: the word that is unknown.
    """

    why: str
    word: str = ""


Reading = Question | Do | Choice | Unclear


class Words:
    """The words of one game for a listener of one language; English ones hold in every language."""

    def __init__(self, words: Mapping[str, Mapping[str, str]], locale: str = "en") -> None:
        self.locale = locale
        self._own = dict(words.get(locale, {}))
        common = {**_COMMON["en"], **_COMMON.get(locale, {})}
        found = {**common, **words.get("en", {}), **self._own}
        self._tokens = {_plain(word): token for word, token in found.items()}
        self._spoken: dict[str, str] = {}
        for word, token in [*self._own.items(), *words.get("en", {}).items()]:
            self._spoken.setdefault(token, word)

    def tokens(
        self, line: str, actions: Iterable[Action] = (), hand: Sequence[str] = ()
    ) -> list[str]:
        """The line as canonical tokens; what is no known word is looked for among the values."""
        values = {_plain(value): value for action in actions for value in flat(action)}
        values |= {_plain(piece): piece for piece in hand}
        parts = [part for part in _SPLIT.split(_plain(line)) if part]
        found = []
        while parts:
            for length in range(min(_LONGEST, len(parts)), 0, -1):
                word = " ".join(parts[:length])
                token = self._tokens.get(word) or values.get(word)
                if token is not None or length == 1:
                    found.append(token or word)
                    parts = parts[length:]
                    break
        return found

    def spell(self, action: Action) -> str:
        """An action in the words of the language, e.g. `스트레이트 13: 14 15 X`."""
        laid = pieces(action)
        others = [self._spoken.get(value, value) for value in _others(action)[1:]]
        head = " ".join(others or [self._spoken.get(str(action["type"]), str(action["type"]))])
        return f"{head}: {' '.join(laid)}" if laid else head

    def knows(self, token: str) -> bool:
        """Whether the token is one of the game's."""
        return token in self._spoken or token in TOPICS


def flat(action: Action) -> list[str]:
    """An action's values in field order: its type first, lists item by item, null as `null`."""
    found: list[str] = []
    for value in action.values():
        found += [_value(v) for v in value] if isinstance(value, list) else [_value(value)]
    return found


def matching(tokens: Sequence[str], actions: Sequence[Action], typed: bool = False) -> list[Action]:
    """The actions that the tokens may mean, by the first rule that finds any.

    typed: only actions whose type is named, as claims have to be.
    """
    if typed:
        actions = [action for action in actions if action["type"] in tokens]
    names = {piece for action in actions for piece in pieces(action)}
    for fits in (_exactly, _in_order, _by_pieces, _shortened):
        found = [action for action in actions if fits(tokens, action, names)]
        if found:
            return found
    return []


def read(line: str, table: Table, words: Words) -> Reading:
    """What the line means at this table now, as far as its open requests tell."""
    requests = sorted(table.requests, key=lambda request: request.kind != "turn")
    legal = [action for request in requests for action in request.legal]
    hand = table.view.get("hand") or [] if isinstance(table.view, dict) else []
    tokens = words.tokens(line, legal, hand)
    if not tokens:
        return Unclear("empty")
    if len(tokens) == 1 and tokens[0] in TOPICS:
        return msgspec.convert({"what": tokens[0]}, Question)
    for request in requests:
        found = _bare(tokens, request)
        if not found:
            allowed = request.playable if request.kind == "claim" else request.legal
            found = matching(tokens, allowed, typed=request.kind == "claim")
        if len(found) == 1:
            return Do(request, found[0])
        if found:
            return Choice(request, found)
    unknown = [t for t in tokens if not (words.knows(t) or _may_be_piece(t))]
    if unknown:
        return Unclear("word", unknown[0])
    named = {action["type"] for action in legal} & set(tokens)
    return Unclear("action" if table.request("turn") or named else "turn")


async def understand(line: str, table: Table, words: Words) -> Reading:
    """As `read`, but asks the server where no action is found among the first ones.

    Raises IllegalAction or another Refused that names the rule by which the pieces cannot be played.
    """
    reading = read(line, table, words)
    request = table.request("turn")
    if not (isinstance(reading, Unclear) and reading.why == "action" and request):
        return reading
    hand = table.view.get("hand") or [] if isinstance(table.view, dict) else []
    tokens = words.tokens(line, request.legal, hand)
    laid = _laid(tokens, request, hand)
    if not laid:
        return reading
    fitting = matching(tokens, await request.options(laid))
    if len(fitting) == 1:
        return Do(request, fitting[0])
    return Choice(request, fitting) if fitting else reading


def _laid(tokens: Sequence[str], request: Request, hand: Sequence[str]) -> list[str]:
    """The pieces among the tokens; what is written short is looked for in the hand."""
    types = {action["type"] for action in request.legal} | TOPICS
    left = list(hand)
    laid = []
    for token in tokens:
        if token in types or (_NAME.fullmatch(token) and token not in hand):
            continue
        longer = [token] if token in left else [p for p in left if _shortens(token, p)]
        piece = longer[0] if longer else token
        if piece in left:
            left.remove(piece)
        laid.append(piece)
    return laid


def _bare(tokens: Sequence[str], request: Request) -> list[Action]:
    """An action of which only the type is named: the one there is, or the first claim that can be made."""
    if len(tokens) != 1:
        return []
    found = [action for action in request.legal if action["type"] == tokens[0]]
    if request.kind == "claim":
        held = [action for action in request.playable if action["type"] == tokens[0]]
        return (held or found)[:1]
    return found if len(found) == 1 and not request.more else []


def _exactly(tokens: Sequence[str], action: Action, names: set[str]) -> bool:
    values = flat(action)
    return list(tokens) in (values, values[1:]) and not names & set(_declared(action))


def _in_order(tokens: Sequence[str], action: Action, names: set[str]) -> bool:
    """Field by field, with the items of a list in any order."""
    rest = list(tokens)
    if rest and rest[0] == action["type"]:
        rest = rest[1:]
    for field, value in action.items():
        if field == "type":
            continue
        wanted = [_value(v) for v in value] if isinstance(value, list) else [_value(value)]
        if Counter(rest[: len(wanted)]) != Counter(wanted):
            return False
        rest = rest[len(wanted) :]
    return not rest and not names & set(_declared(action))


def _by_pieces(tokens: Sequence[str], action: Action, names: set[str]) -> bool:
    """All pieces named, in any order; of type and declarations any."""
    laid = [token for token in tokens if token in names]
    others = Counter(token for token in tokens if token not in names)
    if not laid:
        return False
    return Counter(laid) == Counter(pieces(action)) and not others - Counter(_others(action))


def _shortened(tokens: Sequence[str], action: Action, names: set[str]) -> bool:
    """As by pieces, but a piece may lack the letters at its end: `1` for `1r`, `j` for `JH`."""
    wanted = pieces(action)
    for token in tokens:
        if token in wanted:
            wanted.remove(token)
        elif token in names or token not in _others(action):
            longer = [p for p in wanted if _shortens(token, p)]
            if not longer:
                return False
            wanted.remove(longer[0])
    return not wanted and bool(pieces(action))


def _shortens(token: str, piece: str) -> bool:
    rest = piece[len(token) :]
    return piece.lower().startswith(token.lower()) and rest.isalpha()


def _others(action: Action) -> list[str]:
    """An action's values that are not pieces."""
    left = Counter(pieces(action))
    found = []
    for value in flat(action):
        if left[value] > 0 and value != action["type"]:
            left[value] -= 1
        else:
            found.append(value)
    return found


def _declared(action: Action) -> list[str]:
    """The values after the pieces. One that is also a piece's name (`low`: 5) is not typed as such: all
    of `5 6 7 x` are tiles."""
    found: list[str] = []
    for field, value in action.items():
        if field in PIECES:
            found = []
        elif field != "type":
            found += [_value(v) for v in value] if isinstance(value, list) else [_value(value)]
    return found if pieces(action) else []


def _value(value: Any) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _may_be_piece(token: str) -> bool:
    return token.isascii() and len(token) <= 3


__all__ = [
    "TOPICS", "Choice", "Do", "Question", "Reading", "Unclear", "Words", "flat",
    "matching", "read", "understand",
]  # fmt: skip

"""What Peeper says: the calls that the rules require, and the answers to questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.kit.text import Catalog, Listener, Sentence, Text
from engines.peeper.messages import (
    CountAnnounced,
    Events,
    Last,
    Mine,
    Mined,
    Pass,
    Passed,
    Play,
    Played,
    Return,
    Returned,
    RoundEnded,
    RoundStarted,
    StarterFound,
    Top,
    TrickWon,
    View,
)
from engines.peeper.text import calls, en, ja, ko
from engines.peeper.tiles import RED


class PeeperText(Text):
    """Sentences of Peeper in Korean, English and Japanese."""

    catalog = Catalog(en=en.SENTENCES, ko=ko.SENTENCES, ja=ja.SENTENCES)
    words: Mapping[str, Mapping[str, str]] = {"en": en.WORDS, "ko": ko.WORDS, "ja": ja.WORDS}

    def title(self, locale: str) -> str:
        return self.catalog(locale, "title")

    def piece(self, piece: str, locale: str) -> str:
        if piece == RED:
            return self.catalog(locale, "piece.red")
        return self.catalog(locale, "piece", number=piece)

    def pieces(self, pieces: Sequence[str], locale: str) -> str:
        return self.catalog(locale, "list").join(self.piece(piece, locale) for piece in pieces)

    def action(self, action: Any, locale: str) -> str:
        say = self.catalog
        if isinstance(action, Play):
            return calls.action(say, action, locale) or self.pieces(action.tiles, locale)
        if isinstance(action, Mine):
            return say(locale, "action.mine", tiles=self.pieces(action.tiles, locale))
        if isinstance(action, Return):
            return say(locale, "action.return", tiles=self.pieces(action.tiles, locale))
        return say(locale, "action.pass" if isinstance(action, Pass) else "action.decline")

    def refusal(self, rule: str, params: Mapping[str, Any], locale: str) -> str:
        spoken = dict(params)
        if "tile" in spoken:
            spoken["tile"] = self.piece(spoken["tile"], locale)
        if "low" in spoken:
            spoken["call"] = calls.bare(
                self.catalog, spoken["kind"], spoken["low"], spoken["size"], locale
            )
        if "kind" in spoken:
            spoken["kind"] = self.catalog(locale, f"kind.{spoken['kind']}")
        return self.catalog(locale, f"refusal.{rule}", **spoken)

    # -- events ----------------------------------------------------------------------------------
    def event(self, event: Events, listener: Listener, view: View) -> Sentence | None:
        about = str(type(event).__struct_config__.tag)
        return Sentence(self._told(event, listener, view), "normal", about)

    def _told(self, event: Events, listener: Listener, view: View) -> str:
        locale = listener.locale
        if isinstance(event, Played):
            what = calls.laid(self.catalog, event.kind, event.low, event.tiles, locale)
            return self._did(event.seat, what, event.left, listener, view)
        if isinstance(event, Mined | Returned):
            key = "mine" if isinstance(event, Mined) else "return"
            what = self.catalog(locale, key, tiles=self.pieces(event.tiles, locale))
            return self._did(event.seat, what, event.left, listener, view)
        if isinstance(event, Passed):
            return self._did(event.seat, self.catalog(locale, "pass"), None, listener, view)
        if isinstance(event, TrickWon):
            return self._of(event.seat, "trick_won", listener)
        if isinstance(event, CountAnnounced):
            who = self.who(event.seat, listener)
            return self.catalog(locale, "count_announced", who=who, left=event.left)
        if isinstance(event, RoundStarted):
            return self._started(event, listener, view)
        if isinstance(event, StarterFound):
            return self._starter(event, listener)
        return self._ended(event, listener)

    def _did(self, seat: int, what: str, left: int | None, listener: Listener, view: View) -> str:
        """What a seat did; with what it has left where the rules let it call that."""
        key = "did"
        if left == 0:
            key = "did.out"
        elif left is not None and left <= view.announce_at:
            key = "did.left"
        who = self.who(seat, listener)
        return self.catalog(listener.locale, key, who=who, what=what, left=left)

    def _of(self, seat: int, key: str, listener: Listener, **params: Any) -> str:
        """The sentence about a seat, in the form for the listener himself where it is his."""
        if seat == listener.seat:
            return self.catalog(listener.locale, f"{key}.you", **params)
        return self.catalog(listener.locale, key, who=listener.names[seat], **params)

    def _seats(self, seats: Sequence[int], listener: Listener) -> str:
        joint = self.catalog(listener.locale, "list")
        return joint.join(self.who(seat, listener) for seat in seats)

    def _started(self, event: RoundStarted, listener: Listener, view: View) -> str:
        locale = listener.locale
        rounds = max(view.rounds, event.round)
        if listener.seat is None:
            size = (64 - event.unused) // len(event.counts)
            return self.catalog(
                locale,
                "round_started",
                round=event.round,
                rounds=rounds,
                count=size,
                unused=event.unused,
            )
        return self.catalog(
            locale,
            "round_started.you",
            round=event.round,
            rounds=rounds,
            count=len(event.hand),
            tiles=self.pieces(event.hand, locale),
        )

    def _starter(self, event: StarterFound, listener: Listener) -> str:
        locale = listener.locale
        by = "flips_lots" if event.by == "lots" and event.flips else event.by
        flips = self.catalog(locale, "list").join(
            self.catalog(
                locale,
                "flip",
                who=self.who(flip.seat, listener),
                tile=self.piece(flip.tile, locale),
            )
            for flip in event.flips
        )
        seats = self._seats(event.lots, listener)
        return self._of(event.seat, f"starter.{by}", listener, flips=flips, seats=seats)

    def _ended(self, event: RoundEnded, listener: Listener) -> str:
        locale = listener.locale
        results = [
            self.catalog(
                locale,
                "result" if event.sums is None else "result.sum",
                who=self.who(seat, listener),
                place=event.places[seat],
                left=event.left[seat],
                points=event.points[seat],
                sum=0 if event.sums is None else event.sums[seat],
            )
            for seat in sorted(range(len(event.places)), key=event.places.__getitem__)
        ]
        joined = "; ".join(results) if locale == "en" else " / ".join(results)
        return self._of(event.winner, "round_ended", listener, round=event.round, results=joined)

    # -- requests ----------------------------------------------------------------------------------
    def request(
        self, kind: str, can: bool | None, view: View, listener: Listener
    ) -> Sentence | None:
        locale = listener.locale
        if kind == "turn":
            if view.top is None:
                return Sentence(self.catalog(locale, "turn.lead"), "high", "turn")
            call = self._top(view.top, locale)
            return Sentence(self.catalog(locale, "turn.follow", call=call), "high", "turn")
        last = view.last
        if not can or last is None or not last.tiles:
            return None
        key = "claim.return" if last.did == "mine" else "claim.mine"
        tile = "1" if last.tiles[0] == RED else last.tiles[0]
        return Sentence(self.catalog(locale, key, tile=self.piece(tile, locale)), "high", "claim")

    def _top(self, top: Top, locale: str) -> str:
        return calls.laid(self.catalog, top.kind, top.low, top.tiles, locale)

    # -- answers -----------------------------------------------------------------------------------
    def ask(self, what: str, view: View, listener: Listener) -> str:
        answers = {
            "hand": self._hand,
            "table": self._table,
            "turn": self._turn,
            "counts": self._counts,
            "last": self._last,
            "score": self._score,
        }
        return answers[what](view, listener)

    def _hand(self, view: View, listener: Listener) -> str:
        locale = listener.locale
        if view.seat is None:
            return self.catalog(locale, "ask.no_hand")
        tiles = self.pieces(view.hand, locale)
        return self.catalog(locale, "ask.hand", count=len(view.hand), tiles=tiles)

    def _table(self, view: View, listener: Listener) -> str:
        if view.top is not None:
            call = self._top(view.top, listener.locale)
            return self._of(view.top.seat, "ask.table", listener, call=call)
        if view.turn is None:
            return self.catalog(listener.locale, "ask.over")
        return self._of(view.turn, "ask.lead", listener)

    def _turn(self, view: View, listener: Listener) -> str:
        if view.turn is None:
            return self.catalog(listener.locale, "ask.over")
        return self._of(view.turn, "ask.turn", listener)

    def _counts(self, view: View, listener: Listener) -> str:
        locale = listener.locale
        counts = [
            self.catalog(
                locale,
                "ask.count" if left is not None else "ask.count.hidden",
                who=self.who(seat, listener),
                left=left,
            )
            for seat, left in enumerate(view.counts)
        ]
        joined = self.catalog(locale, "list").join(counts)
        return self.catalog(locale, "ask.counts", counts=joined)

    def _last(self, view: View, listener: Listener) -> str:
        last = view.last
        if last is None:
            return self.catalog(listener.locale, "ask.last.none")
        left = view.counts[last.seat] if last.did != "pass" else None
        return self._did(last.seat, self._what(last, listener.locale), left, listener, view)

    def _what(self, last: Last, locale: str) -> str:
        if last.kind is not None and last.low is not None:
            return calls.laid(self.catalog, last.kind, last.low, last.tiles, locale)
        if last.did == "pass":
            return self.catalog(locale, "pass")
        return self.catalog(locale, last.did, tiles=self.pieces(last.tiles, locale))

    def _score(self, view: View, listener: Listener) -> str:
        """The totals; after several rounds the score sheet too."""
        locale = listener.locale
        key = "ask.score.over" if view.places else "ask.score"
        scores = self._points(view.scores, listener)
        said = [self.catalog(locale, key, round=view.round, rounds=view.rounds, scores=scores)]
        if len(view.sheet) > 1:
            said += [
                self.catalog(
                    locale, "ask.sheet", round=number, points=self._points(points, listener)
                )
                for number, points in enumerate(view.sheet, 1)
            ]
        return " ".join(said)

    def _points(self, points: Sequence[int], listener: Listener) -> str:
        joint = self.catalog(listener.locale, "list")
        return joint.join(
            self.catalog(
                listener.locale, "ask.score.one", who=self.who(seat, listener), score=score
            )
            for seat, score in enumerate(points)
        )

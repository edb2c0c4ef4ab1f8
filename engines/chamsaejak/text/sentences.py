"""Sentences of Chamsae-jak from the listener's seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engines.chamsaejak.messages import (
    Dealt,
    Discard,
    Discarded,
    Drew,
    Exhausted,
    FalseWin,
    Finished,
    View,
    Won,
)
from engines.chamsaejak.scoring import ENOUGH, Parts, score
from engines.chamsaejak.text import en, ja, ko
from engines.chamsaejak.tiles import CHUN, HATSU, RED, face
from engines.kit.text import Catalog, Listener, Priority, Sentence, Text

_CATALOG: Final = Catalog(en=en.TEMPLATES, ko=ko.TEMPLATES, ja=ja.TEMPLATES)


class ChamsaejakText(Text):
    """All sentences of the game; every method is pure."""

    catalog = _CATALOG
    words: Mapping[str, Mapping[str, str]] = {
        "en": en.WORDS,
        "ko": {**en.WORDS, **ko.WORDS},
        "ja": {**en.WORDS, **ja.WORDS},
    }

    def title(self, locale: str) -> str:
        """The game's name."""
        return _CATALOG(locale, "title")

    def piece(self, piece: str, locale: str) -> str:
        """A tile: its number, red or not, or the honour's name."""
        if piece in (HATSU, CHUN):
            return _CATALOG(locale, f"tile.{piece}")
        key = "tile.red" if piece in RED else "tile.number"
        return _CATALOG(locale, key, face=face(piece))

    def pieces(self, pieces: Sequence[str], locale: str) -> str:
        """Several tiles, in their order."""
        return _CATALOG(locale, "join").join(self.piece(piece, locale) for piece in pieces)

    def action(self, action: Any, locale: str) -> str:
        """An action in a word or two."""
        if isinstance(action, Discard):
            return _CATALOG(locale, "action.discard", tile=self.piece(action.tile, locale))
        return _CATALOG(locale, f"action.{type(action).__struct_config__.tag}")

    def refusal(self, rule: str, params: Mapping[str, Any], locale: str) -> str:
        """The sentence that names the rule broken."""
        spoken = dict(params)
        if "tile" in spoken and rule != "no_such_tile":
            spoken["tile"] = self.piece(spoken["tile"], locale)
        return super().refusal(rule, spoken, locale)

    # -- events ----------------------------------------------------------------------------------
    def event(self, event: Any, listener: Listener, view: Any) -> Sentence | None:
        """What happened; everything that happens is said."""
        priority: Priority = "normal"
        match event:
            case Dealt():
                text = self._dealt(event, listener, view)
            case Drew():
                text = self._drew(event, listener)
                priority = "normal" if event.seat == listener.seat else "low"
            case Discarded():
                text = self._by(listener, event.seat, "discarded", tile=event.tile)
            case Won():
                text = self._won(event, listener)
            case FalseWin():
                text = self._false_win(event, listener)
            case Exhausted():
                text = _CATALOG(listener.locale, "exhausted")
            case Finished():
                text = self._finished(event, listener)
            case _:
                return None
        return Sentence(text, priority, type(event).__struct_config__.tag)

    def _by(self, listener: Listener, seat: int, key: str, **params: Any) -> str:
        """The template for oneself or for another seat; `tile` and `tiles` are spoken."""
        locale = listener.locale
        if params.get("tile") is not None:
            params["tile"] = self.piece(params["tile"], locale)
        if "tiles" in params:
            params["tiles"] = self.pieces(params["tiles"], locale)
        if seat == listener.seat:
            return _CATALOG(locale, f"{key}.you", **params)
        return _CATALOG(locale, key, who=listener.names[seat], **params)

    def _rows(self, listener: Listener, key: str, rows: Sequence[Mapping[str, Any]]) -> str:
        said = [self._by(listener, seat, key, **row) for seat, row in enumerate(rows)]
        return _CATALOG(listener.locale, "join").join(said)

    def _dealt(self, event: Dealt, listener: Listener, view: View) -> str:
        locale = listener.locale
        text = _CATALOG(
            locale,
            "dealt",
            round=event.round,
            of=view.hands_in_match,
            dealer=self.who(event.dealer, listener),
            dora=self.piece(event.dora, locale),
        )
        if event.hand:
            hand = _CATALOG(locale, "dealt.hand", tiles=self.pieces(event.hand, locale))
            text = f"{text} {hand}"
        return text

    def _drew(self, event: Drew, listener: Listener) -> str:
        if event.tile is not None and event.seat == listener.seat:
            tile = self.piece(event.tile, listener.locale)
            return _CATALOG(listener.locale, "drew.you", tile=tile)
        who = self.who(event.seat, listener)
        return _CATALOG(listener.locale, "drew", who=who, stock=event.stock)

    def _won(self, event: Won, listener: Listener) -> str:
        locale = listener.locale
        tiles = self.pieces(event.tiles, locale)
        if event.tile is None or event.discarder is None:
            head = self._by(listener, event.seat, "won.tsumo", tiles=event.tiles)
        elif event.discarder == listener.seat:
            head = _CATALOG(
                locale,
                "won.ron.your_tile",
                who=self.who(event.seat, listener),
                tile=self.piece(event.tile, locale),
                tiles=tiles,
            )
        else:
            discarder = self.who(event.discarder, listener)
            head = self._by(
                listener,
                event.seat,
                "won.ron",
                tile=event.tile,
                tiles=event.tiles,
                discarder=discarder,
            )
        parts = self._parts(event.parts, locale)
        said = [head, _CATALOG(locale, "won.points", points=event.points, parts=parts)]
        if event.payout != event.points:
            said.append(_CATALOG(locale, "won.dealer", payout=event.payout))
        return " ".join([*said, self._delta(event.delta, listener)])

    def _parts(self, parts: Parts, locale: str) -> str:
        named = {
            "base": parts.base,
            "dora": parts.dora,
            "red": parts.red,
            "tanyao": parts.tanyao,
            "chanta": parts.chanta,
            str(parts.yakuman): parts.yakuman_points,
        }
        return _CATALOG(locale, "join").join(
            _CATALOG(locale, f"part.{name}", points=points)
            for name, points in named.items()
            if points
        )

    def _delta(self, delta: Sequence[int], listener: Listener) -> str:
        said = [
            self._by(listener, seat, "gain" if change > 0 else "loss", points=abs(change))
            for seat, change in enumerate(delta)
            if change
        ]
        if not said:
            return _CATALOG(listener.locale, "payments.none")
        rows = _CATALOG(listener.locale, "join").join(said)
        return _CATALOG(listener.locale, "payments", rows=rows)

    def _false_win(self, event: FalseWin, listener: Listener) -> str:
        why = _CATALOG(listener.locale, f"why.{event.why}", points=event.points)
        params: dict[str, Any] = {"tiles": event.tiles, "why": why}
        if event.tile is not None:
            params["tile"] = event.tile
        head = self._by(listener, event.seat, f"false.{event.by}", **params)
        return f"{head} {self._delta(event.delta, listener)}"

    def _finished(self, event: Finished, listener: Listener) -> str:
        locale = listener.locale
        order = sorted(range(len(event.places)), key=event.places.__getitem__)
        said = [
            self._by(
                listener,
                seat,
                "finished.place",
                place=event.places[seat],
                points=event.scores[seat],
            )
            for seat in order
        ]
        stop = _CATALOG(locale, "stop")
        return " ".join([_CATALOG(locale, "finished"), *(row + stop for row in said)])

    # -- requests --------------------------------------------------------------------------------
    def request(
        self, kind: str, can: bool | None, view: Any, listener: Listener
    ) -> Sentence | None:
        """`Your turn` with the drawn tile and a possible tsumo; a window only if a ron wins."""
        if kind == "claim":
            return self._claim_request(view, listener) if can else None
        locale = listener.locale
        if view.drawn is None:
            said = [_CATALOG(locale, "request.turn")]
        else:
            tile = self.piece(view.drawn, locale)
            said = [_CATALOG(locale, "request.turn.drawn", tile=tile)]
        parts = score(view.hand, view.dora, view.all_green_allows_red)
        if view.only_discard:
            said.append(_CATALOG(locale, "request.turn.only_discard"))
        elif parts is not None and parts.points >= ENOUGH:
            said.append(_CATALOG(locale, "request.turn.win", points=parts.points))
        return Sentence(" ".join(said), "high", "turn")

    def _claim_request(self, view: View, listener: Listener) -> Sentence | None:
        if view.discard is None:
            return None
        parts = score([*view.hand, view.discard], view.dora, view.all_green_allows_red)
        points = 0 if parts is None else parts.points
        tile = self.piece(view.discard, listener.locale)
        text = _CATALOG(listener.locale, "request.ron", tile=tile, points=points)
        return Sentence(text, "high", "claim")

    # -- answers ---------------------------------------------------------------------------------
    def ask(self, what: str, view: Any, listener: Listener) -> str:
        """The answer to a question about what is in view. Raises KeyError for an unknown topic."""
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
        if not view.hand:
            return _CATALOG(locale, "ask.hand.none")
        tiles = self.pieces(view.hand, locale)
        if view.drawn is None:
            return _CATALOG(locale, "ask.hand", tiles=tiles)
        drawn = self.piece(view.drawn, locale)
        return _CATALOG(locale, "ask.hand.drawn", tiles=tiles, tile=drawn)

    def _table(self, view: View, listener: Listener) -> str:
        locale = listener.locale
        dora = self.piece(view.dora, locale)
        said = [_CATALOG(locale, "ask.table", dora=dora, stock=view.stock)]
        for seat, row in enumerate(view.discards):
            if row:
                said.append(self._by(listener, seat, "ask.table.row", tiles=row))
        for seat, tiles in enumerate(view.shown):
            if tiles:
                said.append(self._by(listener, seat, "ask.table.shown", tiles=tiles))
        return " ".join(said)

    def _turn(self, view: View, listener: Listener) -> str:
        if view.turn is not None:
            return self._by(listener, view.turn, "ask.turn")
        if view.opener is not None and view.discard is not None:
            return self._by(listener, view.opener, "ask.turn.window", tile=view.discard)
        return _CATALOG(listener.locale, "ask.turn.over")

    def _counts(self, view: View, listener: Listener) -> str:
        rows = self._rows(listener, "ask.counts.row", [{"count": c} for c in view.counts])
        return _CATALOG(listener.locale, "ask.counts", rows=rows, stock=view.stock)

    def _last(self, view: View, listener: Listener) -> str:
        said = [self.event(event, listener, view) for event in view.last]
        texts = [sentence.text for sentence in said if sentence is not None]
        return " ".join(texts) or _CATALOG(listener.locale, "ask.last.none")

    def _score(self, view: View, listener: Listener) -> str:
        rows = self._rows(listener, "ask.score.row", [{"points": p} for p in view.scores])
        return _CATALOG(
            listener.locale,
            "ask.score",
            rows=rows,
            round=view.round,
            of=view.hands_in_match,
            dealer=self.who(view.dealer, listener),
        )

"""What a Duel says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engines.cockroach_duel.cards import BLOCKER, COPIES
from engines.cockroach_duel.messages import (
    Accept,
    Accepted,
    Attack,
    Attacked,
    Battle,
    Block,
    Blocked,
    Challenged,
    Dealt,
    Drew,
    DuelView,
    MatchEnded,
    Pass,
    Passed,
    RoundEnded,
    RoundStarted,
)
from engines.cockroach_duel.text import en, ja, ko
from engines.kit.text import Catalog, Listener, Priority, Sentence, Text


class DuelText(Text):
    """Sentences of Cockroach Duel."""

    catalog = Catalog(en=en.SENTENCES, ko=ko.SENTENCES, ja=ja.SENTENCES)
    words = MappingProxyType({"en": en.WORDS, "ko": ko.WORDS, "ja": ja.WORDS})

    def title(self, locale: str) -> str:
        """The game's name."""
        return self.catalog(locale, "title")

    def piece(self, piece: str, locale: str) -> str:
        """How a card is spoken."""
        return self.catalog(locale, f"piece.{piece}")

    def pieces(self, pieces: Sequence[str], locale: str) -> str:
        """Several cards, in their order."""
        return self.catalog(locale, "list").join(self.piece(piece, locale) for piece in pieces)

    def action(self, action: Any, locale: str) -> str:
        """A legal action in a few words."""
        if isinstance(action, Attack | Block):
            key = "action.attack" if isinstance(action, Attack) else "action.block"
            return self.catalog(
                locale,
                key,
                claim=self.piece(action.claim, locale),
                number=len(action.cards),
                cards=self.pieces(action.cards, locale),
            )
        if isinstance(action, Pass):
            return self.catalog(locale, "action.pass")
        key = "action.accept" if isinstance(action, Accept) else "action.challenge"
        return self.catalog(locale, key)

    def refusal(self, rule: str, params: Mapping[str, Any], locale: str) -> str:
        """The sentence that names the rule broken."""
        spoken = {
            name: self.piece(value, locale) if value in COPIES else value
            for name, value in params.items()
        }
        return super().refusal(rule, spoken, locale)

    def event(self, event: Any, listener: Listener, view: Any) -> Sentence | None:
        """What happened, in one sentence."""
        key, params, priority = self._event(event, listener)
        about = type(event).__struct_config__.tag
        text = self.catalog(listener.locale, f"event.{key}", **params)
        return Sentence(text, priority, str(about))

    def _event(self, event: Any, listener: Listener) -> tuple[str, dict[str, Any], Priority]:
        locale = listener.locale
        match event:
            case RoundStarted():
                health = self._each(event.health, listener)
                who = self.who(event.starter, listener)
                return (
                    "round_started",
                    {"round": event.round, "who": who, "health": health},
                    "normal",
                )
            case Dealt():
                return "dealt", {"cards": self.pieces(event.cards, locale)}, "normal"
            case Attacked() | Blocked():
                key = "attacked" if isinstance(event, Attacked) else "blocked"
                params = {
                    "who": self.who(event.seat, listener, "you.first"),
                    "claim": self.piece(event.claim, locale),
                    "number": event.number,
                    "cards": self.pieces(event.cards, locale),
                }
                return f"{key}.own" if event.cards else key, params, "normal"
            case Passed():
                who = self.who(event.seat, listener, "you.first")
                return f"passed.{event.phase}", {"who": who}, "normal"
            case Accepted():
                return "accepted", {"who": self.who(event.seat, listener, "you.first")}, "normal"
            case Challenged():
                params = {
                    "who": self.who(event.seat, listener, "you.first"),
                    "claim": self.piece(event.claim, locale),
                    "number": len(event.cards),
                    "cards": self.pieces(event.cards, locale),
                }
                return f"challenged.{'honest' if event.honest else 'lie'}", params, "normal"
            case Battle():
                params = {"taken": event.taken, "health": self._each(event.health, listener)}
                key = "battle" if event.taken else "battle.none"
                if event.black is not None:
                    owner = event.attacker if event.black == "attack" else 1 - event.attacker
                    params["who"] = self.who(owner, listener)
                    params["pile"] = self.catalog(locale, f"pile.{event.black}")
                    key += ".black"
                return key, params, "normal"
            case Drew():
                params = {
                    "who": self.who(event.seat, listener, "you.first"),
                    "number": event.number,
                    "pile": event.pile,
                    "cards": self.pieces(event.cards, locale),
                }
                return ("drew.own", params, "normal") if event.cards else ("drew", params, "low")
            case RoundEnded():
                params = {
                    "who": self.who(event.winner, listener),
                    "reason": self.catalog(locale, f"reason.{event.reason}"),
                    "scores": self._each(event.scores, listener),
                }
                return "round_ended", params, "normal"
            case MatchEnded():
                scores = self._each(event.scores, listener)
                return (
                    "match_ended",
                    {"who": self.who(event.winner, listener), "scores": scores},
                    "high",
                )
        raise TypeError(f"not an event of this game: {event!r}")

    def request(
        self, kind: str, can: bool | None, view: Any, listener: Listener
    ) -> Sentence | None:
        """What the seat to act is asked."""
        assert isinstance(view, DuelView)
        if kind != "turn" or view.turn is None:
            return None
        locale = listener.locale
        params: dict[str, Any] = {}
        key = f"request.{view.phase}"
        pile = view.block if view.phase == "review" else view.attack
        if pile is not None:
            params = {"claim": self.piece(pile.claim, locale), "number": pile.number}
            if view.phase == "answer":
                params["blocker"] = self.piece(BLOCKER[pile.claim], locale)
        elif view.passes:
            key += ".passed"
        return Sentence(self.catalog(locale, key, **params), "high", "request")

    def ask(self, what: str, view: Any, listener: Listener) -> str:
        """The answer to `hand`, `table`, `turn`, `counts`, `last` or `score`."""
        assert isinstance(view, DuelView)
        locale = listener.locale
        match what:
            case "hand":
                return self._hand(view, locale)
            case "table":
                return " ".join(self._table(view, listener))
            case "turn":
                if view.turn is None:
                    return self.catalog(locale, "ask.turn.over")
                who = self.who(view.turn, listener)
                return self.catalog(locale, f"ask.turn.{view.phase}", who=who)
            case "counts":
                counts = self._each(view.counts, listener)
                return self.catalog(locale, "ask.counts", counts=counts, pile=view.pile)
            case "last":
                said = [self.event(event, listener, view) for event in view.last]
                texts = [sentence.text for sentence in said if sentence is not None]
                return " ".join(texts) or self.catalog(locale, "ask.last.none")
            case "score":
                scores = self._each(view.scores, listener)
                return self.catalog(
                    locale, "ask.score", round=view.round, scores=scores, target=view.target
                )
        raise KeyError(what)

    def _hand(self, view: DuelView, locale: str) -> str:
        if view.seat is None:
            return self.catalog(locale, "ask.hand.none")
        if not view.hand:
            return self.catalog(locale, "ask.hand.empty")
        cards = self.pieces(view.hand, locale)
        return self.catalog(locale, "ask.hand", number=len(view.hand), cards=cards)

    def _table(self, view: DuelView, listener: Listener) -> list[str]:
        locale = listener.locale
        said = []
        for key, pile, seat in (
            ("attack", view.attack, view.attacker),
            ("block", view.block, 1 - view.attacker),
        ):
            if pile is not None:
                who, claim = self.who(seat, listener), self.piece(pile.claim, locale)
                said.append(
                    self.catalog(
                        locale, f"ask.table.{key}", who=who, claim=claim, number=pile.number
                    )
                )
                if pile.cards:
                    cards = self.pieces(pile.cards, locale)
                    said.append(self.catalog(locale, "ask.table.cards", cards=cards))
        if not said:
            said.append(self.catalog(locale, "ask.table.clear"))
        said.append(self.catalog(locale, "health", health=self._each(view.health, listener)))
        said.append(self.catalog(locale, "ask.table.pile", pile=view.pile, spent=view.spent))
        if view.laid:
            cards = self.pieces(view.laid, locale)
            said.append(self.catalog(locale, "ask.table.laid", cards=cards))
        if view.black is not None:
            who = self.who(view.black, listener)
            said.append(self.catalog(locale, "ask.table.black", who=who))
        return said

    def _each(self, values: Sequence[int | None], listener: Listener) -> str:
        """A number for each seat, in table order."""
        return self.catalog(listener.locale, "list").join(
            self.catalog(listener.locale, "each", who=self.who(seat, listener), number=number)
            for seat, number in enumerate(values)
        )

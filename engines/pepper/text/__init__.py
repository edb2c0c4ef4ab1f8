"""What a game of Pepper says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engines.kit.text import Catalog, Listener, Priority, Sentence, Text
from engines.pepper.cards import LEFT, RIGHT, SUITS, WORTH, Suit
from engines.pepper.messages import (
    AuctionWon,
    BidMade,
    Dealt,
    HandScored,
    HandStarted,
    MakeBid,
    MatchEnded,
    NameTrump,
    Pass,
    Passed,
    PepperView,
    Played,
    ThrownIn,
    TrickCard,
    TrickWon,
    TrumpNamed,
)
from engines.pepper.text import en, ja, ko

_MARKS = {LEFT: ".left", RIGHT: ".right"}


class PepperText(Text):
    """Sentences of Pepper."""

    catalog = Catalog(en=en.SENTENCES, ko=ko.SENTENCES, ja=ja.SENTENCES)
    words = MappingProxyType({"en": en.WORDS, "ko": ko.WORDS, "ja": ja.WORDS})

    def title(self, locale: str) -> str:
        """The game's name."""
        return self.catalog(locale, "title")

    def piece(self, piece: str, locale: str) -> str:
        """How a card is spoken."""
        rank = self.catalog(locale, f"rank.{piece[:-1]}")
        return self.catalog(locale, "card", rank=rank, suit=self._suit(piece[-1], locale))

    def pieces(self, pieces: Sequence[str], locale: str) -> str:
        """Several cards, in their order."""
        return self._list((self.piece(piece, locale) for piece in pieces), locale)

    def action(self, action: Any, locale: str) -> str:
        """A legal action in a few words."""
        if isinstance(action, MakeBid):
            return self.catalog(locale, "action.bid", bid=self._bid(action.bid, locale))
        if isinstance(action, Pass):
            return self.catalog(locale, "action.pass")
        if isinstance(action, NameTrump):
            if action.suit is None:
                return self.catalog(locale, "suit.none")
            return self.catalog(locale, "action.trump", suit=self._suit(action.suit, locale))
        return self.catalog(locale, "action.play", card=self.piece(action.card, locale))

    def refusal(self, rule: str, params: Mapping[str, Any], locale: str) -> str:
        """The sentence that names the rule broken."""
        speak = {"bid": self._bid, "best": self._bid, "card": self.piece, "suit": self._suit}
        spoken = {
            name: speak[name](value, locale) if name in speak else value
            for name, value in params.items()
        }
        return super().refusal(rule, spoken, locale)

    def event(self, event: Any, listener: Listener, view: Any) -> Sentence | None:
        """What happened, in one sentence."""
        assert isinstance(view, PepperView)
        key, params, priority = self._event(event, listener, view)
        text = self.catalog(listener.locale, f"event.{key}", **params)
        return Sentence(text, priority, str(type(event).__struct_config__.tag))

    def _event(
        self, event: Any, listener: Listener, view: PepperView
    ) -> tuple[str, dict[str, Any], Priority]:
        locale = listener.locale
        params: dict[str, Any]
        match event:
            case HandStarted():
                who = self.who(event.dealer, listener)
                return "hand_started", {"round": event.round, "who": who}, "normal"
            case Dealt():
                return "dealt", {"cards": self.pieces(event.cards, locale)}, "normal"
            case BidMade() | AuctionWon():
                key = "bid_made" if isinstance(event, BidMade) else "auction_won"
                you = "you.first" if isinstance(event, BidMade) else "you"
                params = {
                    "who": self.who(event.seat, listener, you),
                    "bid": self._bid(event.bid, locale),
                }
                return key, params, "normal"
            case Passed():
                who = self.who(event.seat, listener, "you.first")
                return "passed", {"who": who}, "normal"
            case ThrownIn():
                return "thrown_in", {}, "normal"
            case TrumpNamed():
                who = self.who(event.seat, listener, "you.first")
                if event.suit is None:
                    return "trump_named.none", {"who": who}, "normal"
                return (
                    "trump_named",
                    {"who": who, "suit": self._suit(event.suit, locale)},
                    "normal",
                )
            case Played():
                params = {
                    "who": self.who(event.seat, listener, "you.first"),
                    "card": self.piece(event.card, locale),
                }
                mark = _MARKS.get(WORTH[_trump(view)][event.card][1], "")
                return "played" + mark, params, "normal"
            case TrickWon():
                params = {
                    "who": self.who(event.seat, listener),
                    "card": self.piece(event.card, locale),
                    "tricks": self._sides(event.tricks, listener, view, add=True),
                }
                return "trick_won", params, "normal"
            case HandScored():
                params = {
                    "who": self.who(event.declarer, listener),
                    "bid": self._bid(event.bid, locale),
                    "taken": event.taken,
                    "points": self._sides(event.points, listener, view),
                    "scores": self._sides(event.scores, listener, view),
                }
                return f"hand_scored.{'made' if event.made else 'failed'}", params, "normal"
            case MatchEnded():
                winners = self._list((self.who(seat, listener) for seat in event.winners), locale)
                scores = self._sides(event.scores, listener, view)
                return "match_ended", {"winners": winners, "scores": scores}, "high"
        raise TypeError(f"not an event of this game: {event!r}")

    def request(
        self, kind: str, can: bool | None, view: Any, listener: Listener
    ) -> Sentence | None:
        """What the seat to act is asked."""
        assert isinstance(view, PepperView)
        if kind != "turn" or view.turn is None:
            return None
        locale = listener.locale
        key, params = f"request.{view.phase}", {}
        if view.phase == "bidding":
            if view.bid is not None:
                key, params = f"{key}.over", {"bid": self._bid(view.bid, locale)}
            elif view.stick and view.turn == view.dealer:
                key += ".stuck"
        elif view.phase == "play" and view.trick:
            led = WORTH[_trump(view)][view.trick[0].card][0]
            key, params = f"{key}.follow", {"suit": self._suit(led, locale)}
        return Sentence(self.catalog(locale, key, **params), "high", "request")

    def ask(self, what: str, view: Any, listener: Listener) -> str:
        """The answer to `hand`, `table`, `turn`, `counts`, `last` or `score`."""
        assert isinstance(view, PepperView)
        locale = listener.locale
        match what:
            case "hand":
                return " ".join(self._hand(view, locale))
            case "table":
                return " ".join(self._table(view, listener))
            case "turn":
                if view.turn is None:
                    return self.catalog(locale, "ask.turn.over")
                who = self.who(view.turn, listener)
                return self.catalog(locale, f"ask.turn.{view.phase}", who=who)
            case "counts":
                each = (self._each(seat, n, listener) for seat, n in enumerate(view.counts))
                return self.catalog(locale, "ask.counts", counts=self._list(each, locale))
            case "last":
                said = [self.event(event, listener, view) for event in view.last]
                texts = [sentence.text for sentence in said if sentence is not None]
                return " ".join(texts) or self.catalog(locale, "ask.last.none")
            case "score":
                scores = self._sides(view.scores, listener, view)
                return self.catalog(
                    locale, "ask.score", round=view.round, scores=scores, target=view.target
                )
        raise KeyError(what)

    def _hand(self, view: PepperView, locale: str) -> list[str]:
        if view.seat is None:
            return [self.catalog(locale, "ask.hand.none")]
        if not view.hand:
            return [self.catalog(locale, "ask.hand.empty")]
        cards = self.pieces(view.hand, locale)
        said = [self.catalog(locale, "ask.hand", number=len(view.hand), cards=cards)]
        trump = _trump(view)
        trumps = [card for card in view.hand if WORTH[trump][card][0] == trump]
        if trumps:
            spoken = self.pieces(trumps, locale)
            said.append(self.catalog(locale, "ask.hand.trumps", cards=spoken))
        return said

    def _table(self, view: PepperView, listener: Listener) -> list[str]:
        locale, say = listener.locale, self.catalog
        said = [say(locale, "ask.table.dealer", who=self.who(view.dealer, listener))]
        if view.phase == "bidding":
            if not view.calls:
                return [*said, say(locale, "ask.table.calls.none")]
            calls = (
                self._each(call.seat, self._bid(call.bid, locale), listener) for call in view.calls
            )
            return [*said, say(locale, "ask.table.calls", calls=self._list(calls, locale))]
        if view.declarer is not None and view.bid is not None:
            who, bid = self.who(view.declarer, listener), self._bid(view.bid, locale)
            said.append(say(locale, "ask.table.contract", who=who, bid=bid))
        if view.trump is not None:
            said.append(say(locale, "ask.table.trump", suit=self._suit(view.trump, locale)))
        if view.trick:
            said.append(say(locale, "ask.table.trick", cards=self._trick(view.trick, listener)))
        else:
            said.append(say(locale, "ask.table.trick.none"))
            if view.last_trick:
                cards = self._trick(view.last_trick, listener)
                said.append(say(locale, "ask.table.last_trick", cards=cards))
        tricks = self._sides(view.tricks, listener, view, add=True)
        return [*said, say(locale, "ask.table.tricks", tricks=tricks)]

    def _trick(self, trick: Sequence[TrickCard], listener: Listener) -> str:
        locale = listener.locale
        each = (self._each(play.seat, self.piece(play.card, locale), listener) for play in trick)
        return self._list(each, locale)

    def _suit(self, suit: str, locale: str) -> str:
        return self.catalog(locale, f"suit.{suit}")

    def _bid(self, bid: int | str | None, locale: str) -> str:
        if bid is None:
            return self.catalog(locale, "action.pass")
        return str(bid) if isinstance(bid, int) else self.catalog(locale, f"bid.{bid}")

    def _list(self, items: Iterable[str], locale: str) -> str:
        return self.catalog(locale, "list").join(items)

    def _each(self, seat: int, value: object, listener: Listener) -> str:
        who = self.who(seat, listener)
        return self.catalog(listener.locale, "each", who=who, number=value)

    def _sides(
        self,
        values: Sequence[int],
        listener: Listener,
        view: PepperView,
        add: bool = False,
    ) -> str:
        """A number for each side. values: one a seat; partners have the same, or, with add, parts."""
        said = []
        for side in dict.fromkeys(view.sides):
            seats = [seat for seat, of in enumerate(view.sides) if of == side]
            names = [self.who(seat, listener) for seat in seats]
            who = names[0]
            if len(names) == 2:
                who = self.catalog(listener.locale, "pair", one=names[0], other=names[1])
            number = sum(values[seat] for seat in seats) if add else values[seats[0]]
            said.append(self.catalog(listener.locale, "each", who=who, number=number))
        return self._list(said, listener.locale)


def _trump(view: PepperView) -> Suit | None:
    """The trump suit; None where there is none or it is not named yet."""
    return next((suit for suit in SUITS if suit == view.trump), None)

"""What is said of Echo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engines.kit.text import Catalog, Listener, Sentence, Text
from tests.games.echo.messages import Dealt, Echoed, Finished, Played, Turn, View

EN: Final = {
    "title": "Echo",
    "you": "you",
    "action.play": "lay {card}",
    "action.echo": "echo {card}",
    "action.decline": "decline",
    "dealt": "The cards are dealt.",
    "dealt.own": "Your cards: {cards}.",
    "played": "{who}: {card}.",
    "echoed": "{who}: echo, {card}.",
    "turn": "Next: {who}.",
    "finished": "The match is over. {rows}.",
    "request.turn": "Your turn. {cards}.",
    "request.claim": "You can echo {card}.",
    "ask.hand": "Your cards: {cards}.",
    "ask.none": "none",
    "ask.table": "On the table: {card}.",
    "ask.turn": "To play: {who}.",
    "ask.row": "{who} {number}",
    "refusal.match_over": "The match is over.",
    "refusal.not_your_turn": "It is not your turn.",
    "refusal.not_in_hand": "You have no {card}.",
    "refusal.no_window": "There is nothing to echo.",
    "refusal.no_echo": "Only the card that another player has just laid can be echoed.",
    "refusal.no_orders": "This game has no standing orders.",
    "refusal.no_action": "You cannot lay this: {pieces}.",
}
KO: Final = {
    "title": "에코",
    "you": "나",
    "action.play": "{card} 내기",
    "action.echo": "{card} 에코",
    "action.decline": "넘기기",
    "dealt": "카드를 나누었습니다.",
    "dealt.own": "내 카드: {cards}.",
    "played": "{who}: {card}.",
    "echoed": "{who}: 에코, {card}.",
    "turn": "다음 차례: {who}.",
    "finished": "경기가 끝났습니다. {rows}.",
    "request.turn": "내 차례입니다. {cards}.",
    "request.claim": "에코 가능: {card}.",
    "ask.hand": "내 카드: {cards}.",
    "ask.none": "없음",
    "ask.table": "바닥: {card}.",
    "ask.turn": "차례: {who}.",
    "ask.row": "{who} {number}",
    "refusal.match_over": "경기가 끝났습니다.",
    "refusal.not_your_turn": "내 차례가 아닙니다.",
    "refusal.not_in_hand": "손에 없는 카드입니다: {card}.",
    "refusal.no_window": "에코할 카드가 없습니다.",
    "refusal.no_echo": "다른 사람이 방금 낸 카드만 에코할 수 있습니다.",
    "refusal.no_orders": "이 게임에는 예약이 없습니다.",
    "refusal.no_action": "낼 수 없습니다: {pieces}.",
}
JA: Final = {
    "title": "エコー",
    "you": "あなた",
    "action.play": "{card}を出す",
    "action.echo": "{card}をエコー",
    "action.decline": "見送り",
    "dealt": "カードが配られました。",
    "dealt.own": "手札: {cards}。",
    "played": "{who}、{card}。",
    "echoed": "{who}、エコー、{card}。",
    "turn": "次は{who}。",
    "finished": "試合終了です。{rows}。",
    "request.turn": "あなたの番です。{cards}。",
    "request.claim": "{card}をエコーできます。",
    "ask.hand": "手札: {cards}。",
    "ask.none": "なし",
    "ask.table": "場: {card}。",
    "ask.turn": "手番: {who}。",
    "ask.row": "{who} {number}",
    "refusal.match_over": "試合は終わりました。",
    "refusal.not_your_turn": "あなたの番ではありません。",
    "refusal.not_in_hand": "{card}は手札にありません。",
    "refusal.no_window": "エコーできるカードがありません。",
    "refusal.no_echo": "他の人が今出したカードだけをエコーできます。",
    "refusal.no_orders": "このゲームに予約はありません。",
    "refusal.no_action": "これは出せません: {pieces}。",
}
_WORDS: Final = {
    "play": "play",
    "echo": "echo",
    "decline": "decline",
    "pass": "decline",
    **{topic: topic for topic in ("hand", "table", "turn", "counts", "last", "legal", "score")},
    "time": "clock",
    **{card: card for card in "1234"},
}


class EchoText(Text):
    """Sentences of Echo."""

    catalog = Catalog(en=EN, ko=KO, ja=JA)
    words: Mapping[str, Mapping[str, str]] = {
        "en": _WORDS,
        "ko": {**_WORDS, "에코": "echo", "넘기기": "decline", "손패": "hand", "점수": "score"},
        "ja": {**_WORDS, "エコー": "echo", "見送り": "decline", "手札": "hand", "点数": "score"},
    }

    def title(self, locale: str) -> str:
        return self.catalog(locale, "title")

    def piece(self, piece: str, locale: str) -> str:
        return piece

    def action(self, action: Any, locale: str) -> str:
        tag = type(action).__struct_config__.tag
        return self.catalog(locale, f"action.{tag}", card=getattr(action, "card", ""))

    def event(self, event: Any, listener: Listener, view: Any) -> Sentence | None:
        locale = listener.locale
        match event:
            case Dealt():
                key = "dealt.own" if event.hand else "dealt"
                text = self.catalog(locale, key, cards=self.pieces(event.hand, locale))
            case Played() | Echoed():
                key = "played" if isinstance(event, Played) else "echoed"
                who = self.who(event.seat, listener)
                text = self.catalog(locale, key, who=who, card=event.card)
            case Turn():
                text = self.catalog(locale, "turn", who=self.who(event.seat, listener))
            case Finished():
                text = self.catalog(locale, "finished", rows=self._rows(view.scores, listener))
            case _:
                return None
        return Sentence(text, about=str(type(event).__struct_config__.tag))

    def request(
        self, kind: str, can: bool | None, view: Any, listener: Listener
    ) -> Sentence | None:
        if kind == "claim":
            if not can or view.top is None:
                return None
            text = self.catalog(listener.locale, "request.claim", card=view.top)
        else:
            cards = self.pieces(view.hand, listener.locale)
            text = self.catalog(listener.locale, "request.turn", cards=cards)
        return Sentence(text, "high", kind)

    def ask(self, what: str, view: Any, listener: Listener) -> str:
        none = self.catalog(listener.locale, "ask.none")
        turn: int | None = view.turn
        who = none if turn is None else self.who(turn, listener)
        on_top = self.catalog(listener.locale, "ask.table", card=view.top or none)
        return {
            "hand": self._hand(view, listener, none),
            "table": on_top,
            "last": on_top,
            "turn": self.catalog(listener.locale, "ask.turn", who=who),
            "counts": self._rows(view.counts, listener),
            "score": self._rows(view.scores, listener),
        }[what]

    def _hand(self, view: View, listener: Listener, none: str) -> str:
        cards = self.pieces(view.hand, listener.locale) or none
        return self.catalog(listener.locale, "ask.hand", cards=cards)

    def _rows(self, numbers: list[int], listener: Listener) -> str:
        return ", ".join(
            self.catalog(listener.locale, "ask.row", who=self.who(seat, listener), number=number)
            for seat, number in enumerate(numbers)
        )

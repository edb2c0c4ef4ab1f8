"""One random match of a game under every check that conformance makes."""

from __future__ import annotations

from typing import Any

import msgspec

from engines.kit.contract import Action, Event, Refused, Viewer, pieces_of
from engines.kit.dealer import Dealer
from engines.kit.fuzz import random_action, random_options
from engines.kit.playout import Step, accepted, copy, random_steps, take, viewers
from engines.kit.registry import AnyGame
from engines.kit.stream import Stream
from engines.kit.text import LOCALES, Listener
from engines.kit.violations import Report, Violation, as_json, need, tag
from engines.kit.worlds import check_deal, check_worlds

STATE_BYTES = 64 * 1024
VIEW_BYTES = 16 * 1024
LEGAL_BYTES = 16 * 1024
TOPICS = ("hand", "table", "turn", "counts", "last", "score")
NAMES = ("Ann", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")


def check_refusal(game: AnyGame, refused: Refused) -> None:
    """A refusal has a sentence in every language."""
    for locale in LOCALES:
        try:
            text = game.text.refusal(refused.rule, refused.params, locale)
        except (KeyError, IndexError, ValueError) as error:
            raise Violation(f"{game.name}: no sentence in {locale} for {refused.rule}") from error
        need(bool(text.strip()) and "{" not in text, "refusal sentence", refused.rule, text)


class Trial:
    """One random match under every check; options, seats and choices follow from the key."""

    def __init__(self, game: AnyGame, key: bytes, report: Report) -> None:
        self.game = game
        self.key = key
        self.report = report
        self.stream = Stream(key, "conformance")
        ruleset, self.options = random_options(game, self.stream)
        self.seats = game.min_seats + self.stream.below(game.max_seats - game.min_seats + 1)
        self.where = f"{game.name} key={key.hex()} {ruleset} seats={self.seats}"
        self.dealer = Dealer(key)
        self.pieces = tuple(dict.fromkeys(game.pieces(self.options)))
        self.seen: list[Action] = []
        self.taken = 0
        self.folded: dict[Viewer, Any] = {}

    def play(self) -> None:
        """Play the match to its end. Raises Violation, or what the game raised, with a note."""
        try:
            self.run()
        except Exception as error:
            error.add_note(f"in {self.where}, step {self.taken}")
            raise

    def run(self) -> None:
        game, report = self.game, self.report
        check_deal(game, self.options, self.seats, self.key, self.stream)
        self.state, events = game.start(self.options, self.seats, self.dealer)
        self.everyone = viewers(game, self.state)
        need(len(self.everyone) == self.seats + 1, "outcome has not one score a seat")
        self.folded = {viewer: game.view(self.state, viewer) for viewer in self.everyone}
        self.after(events, fold=False)
        log = []
        for step in random_steps(game, self.state, self.dealer, self.stream):
            self.before(step)
            dealt = copy(self.dealer)
            was = copy(self.state) if self.often(8) else None
            events = take(game, self.state, self.dealer, step)
            log.append(step)
            report.steps += 1
            self.taken += 1
            for action in [step.action, *(action for _, action in step.claims)]:
                if action is not None:
                    report.actions[tag(action)] += 1
                    self.seen.append(action)
            del self.seen[:-12]
            if was is not None:
                check_worlds(game, was, self.state, dealt, step, events, self.stream, report)
            self.after(events, fold=True)
        self.check_end()
        self.check_replay(log)
        report.matches += 1

    def often(self, one_in: int) -> bool:
        return self.stream.below(one_in) == 0

    # -- before a step
    def before(self, step: Step) -> None:
        game, state = self.game, self.state
        seat = game.turn(state)
        bytes_before = msgspec.msgpack.encode(state)
        if seat is not None:
            self.check_legal(seat, thoroughly=self.often(25))
        if self.often(4):
            self.check_offer()
        if self.often(6):
            self.check_illegal()
        if self.often(15):
            self.check_explain()
        need(msgspec.msgpack.encode(state) == bytes_before, "asking changed the state")

    def check_legal(self, seat: int, thoroughly: bool) -> None:
        game, state = self.game, self.state
        legal = game.legal(state, seat)
        need(1 <= len(legal.actions) <= 64, "legal actions", len(legal.actions))
        default = game.default(state, seat)
        game.check(state, seat, default)
        if not thoroughly:
            return
        encoded = [as_json(action) for action in legal.actions]
        need(len(set(encoded)) == len(encoded), "an action is listed twice")
        need(sum(map(len, encoded)) <= LEGAL_BYTES, "the legal list is too long on the wire")
        for action in legal.actions:
            game.check(state, seat, action)
            for locale in LOCALES:
                need(bool(game.text.action(action, locale)), "an action has no words")
        few = game.legal(state, seat, 3)
        need(few.actions == legal.actions[:3], "a shorter list begins differently")
        need(few.more == (legal.more or len(legal.actions) > 3), "`more` is wrong")
        everything = game.legal(state, seat, 100_000)
        need(not everything.more, "an endless list of legal actions")
        need(everything.actions[:64] == legal.actions, "a longer list begins differently")
        need(legal.more == (len(everything.actions) > 64), "`more` is wrong")
        need(legal.more or default in everything.actions, "the default is not listed")

    def check_offer(self) -> None:
        game, state = self.game, self.state
        offer = game.offer(state)
        if offer is None:
            return
        need(tag(offer.legal[-1]) == "decline", "an offer ends with decline", offer)
        need({tag(one) for one in offer.legal[:-1]} <= set(offer.kinds), "kinds", offer)
        need(
            set(offer.kinds) <= set(game.claims),
            "an offer of kinds that the game does not name",
            offer,
        )
        need(len(as_json(list(offer.legal))) <= LEGAL_BYTES, "the offer is too long")
        need(not offer.beside or game.turn(state) is not None, "beside whom?")
        need(not game.can(state, offer.opener), "the opener can claim his own piece")
        for seat in game.order(state, offer.opener):
            valid = [
                a for a in accepted(game, state, seat, offer) if game.claim(state, seat, a).valid
            ]
            need(bool(valid) == game.can(state, seat), "`can` is not what `claim` says", seat)

    def check_illegal(self) -> None:
        """Foreign, old and random actions: refused without a trace, or as legal as they look."""
        game = self.game
        drawn = [random_action(game, self.pieces, self.stream) for _ in range(6)]
        for action in [*drawn, *self.seen[-3:]]:
            if action is None:
                continue
            seat = self.stream.below(self.seats)
            self.try_turn(seat, action)
            self.try_claim(seat, action)

    def try_turn(self, seat: int, action: Action) -> None:
        game, state = self.game, self.state
        try:
            game.check(state, seat, action)
            refused = None
        except Refused as error:
            refused = error
        tried = state if refused else copy(state)
        before = msgspec.msgpack.encode(tried)
        dealer = copy(self.dealer)
        try:
            game.apply(tried, seat, action, dealer)
        except Refused as error:
            need(refused is not None, "apply refuses what check accepts", seat, action, error)
            need(refused is not None and refused.rule == error.rule, "another rule", error)
            need(msgspec.msgpack.encode(tried) == before, "a refused action left traces", action)
            need(dealer == self.dealer, "a refused action drew from the dealer", action)
            self.refused(error)
        else:
            need(refused is None, "apply accepts what check refuses", seat, action)
            need(game.turn(state) == seat, "a seat acted out of turn", seat, action)

    def try_claim(self, seat: int, action: Action) -> None:
        game, state = self.game, self.state
        offer = game.offer(state)
        if tag(action) == "decline":
            return
        try:
            game.claim(state, seat, action)
        except Refused as error:
            self.refused(error)
            return
        need(offer is not None, "a claim without an offer is accepted", action)
        need(offer is not None and seat != offer.opener, "the opener may claim", action)
        need(offer is not None and tag(action) in offer.kinds, "not what is offered", action)

    def refused(self, error: Refused) -> None:
        self.report.refusals[error.rule] += 1
        if self.report.refusals[error.rule] <= 3:
            check_refusal(self.game, error)

    def check_explain(self) -> None:
        game, state = self.game, self.state
        seat = game.turn(state)
        if seat is None:
            return
        hand = list(game.view(state, seat).hand) or list(self.pieces)
        self.stream.shuffle(hand)
        for size in (0, 1, 2, 3, 5):
            wanted = hand[:size]
            try:
                found = game.explain(state, seat, wanted)
            except Refused as error:
                self.refused(error)
                continue
            need(bool(found.actions), "explain gives neither actions nor a rule", wanted)
            for action in found.actions:
                game.check(state, seat, action)
                need(sorted(pieces_of(action)) == sorted(wanted), "other pieces", action)

    # -- after a step
    def after(self, events: list[Event], fold: bool) -> None:
        game, state = self.game, self.state
        encoded = msgspec.msgpack.encode(state)
        need(len(encoded) <= STATE_BYTES, "the state has grown too large", len(encoded))
        back = msgspec.msgpack.decode(encoded, type=game.State)
        need(back == state, "the state does not survive msgpack")
        need(msgspec.msgpack.encode(back) == encoded, "the state's bytes do not survive")
        if self.often(8):
            again = msgspec.json.decode(as_json(state), type=game.State)
            need(again == state, "the state does not survive JSON")
            # Play goes on from the decoded state: nothing may hide beside it.
            self.state = self.swap(again)
        for event in events:
            self.report.events[tag(event)] += 1
        self.check_views(events, fold)

    def swap(self, decoded: Any) -> Any:
        """Make the decoded state the one in play; its fields move, the object stays."""
        for field in type(decoded).__struct_fields__:
            setattr(self.state, field, getattr(decoded, field))
        return self.state

    def check_views(self, events: list[Event], fold: bool) -> None:
        game, state = self.game, self.state
        outcome = game.outcome(state)
        turn = game.turn(state)
        hands = game.hands(state)
        rare = any(self.report.events[tag(event)] <= 12 for event in events)
        speak = rare or self.often(24)
        for viewer in self.everyone:
            view = game.view(state, viewer)
            wire = as_json(view)
            need(len(wire) <= VIEW_BYTES, "a view is too large", len(wire))
            need(msgspec.json.decode(wire, type=game.View) == view, "a view's JSON", viewer)
            need(view.seat == viewer, "a view of another seat", viewer)
            need(view.turn == turn, "the view's turn", view.turn, turn)
            need(list(view.scores) == outcome.scores, "the view's scores", view.scores)
            if not outcome.finished:
                own = [] if viewer is None else sorted(hands[viewer])
                need(sorted(view.hand) == own, "the view's hand", viewer, view.hand, own)
            shown = [game.redact(event, viewer) for event in events]
            seen = [event for event in shown if event is not None]
            back = msgspec.json.decode(as_json(seen), type=list[game.events])  # type: ignore[name-defined]  # a union held in a value
            need(back == seen, "events do not survive JSON", viewer, seen)
            if fold:
                self.check_fold(viewer, view, seen)
            if speak:
                self.speak(viewer, view, seen)
            self.folded[viewer] = view

    def check_fold(self, viewer: Viewer, fresh: Any, events: list[Any]) -> None:
        view = self.folded[viewer]
        for event in events:
            before = as_json(view)
            following = self.game.fold(view, event)
            need(as_json(view) == before, "fold changed the view it was given", tag(event))
            view = following
        same = view == fresh and as_json(view) == as_json(fresh)
        need(same, "folded and fresh view differ", viewer, events, as_json(view), as_json(fresh))

    def speak(self, viewer: Viewer, view: Any, events: list[Any]) -> None:
        game = self.game
        names = NAMES[: self.seats]
        spoken: dict[str, list[bool]] = {}
        for locale in LOCALES:
            listener = Listener(locale, names, viewer)
            sentences = [game.text.event(event, listener, view) for event in events]
            spoken[locale] = [sentence is not None for sentence in sentences]
            for kind in ("turn", "claim"):
                for can in (True, False, None):
                    sentences.append(game.text.request(kind, can, view, listener))
            texts = [sentence.text for sentence in sentences if sentence is not None]
            texts += [game.text.ask(topic, view, listener) for topic in TOPICS]
            for text in texts:
                need(bool(text.strip()), "an empty sentence", locale)
                broken = "{" in text or (locale != "en" and "None" in text)
                need(not broken, "a broken sentence", text)
        need(len({tuple(one) for one in spoken.values()}) == 1, "languages differ", events)

    # -- the end
    def check_end(self) -> None:
        game, state = self.game, self.state
        outcome = game.outcome(state)
        need(len(outcome.places) == self.seats and min(outcome.places) == 1, "places", outcome)
        need(game.turn(state) is None, "somebody is to act after the end")
        need(game.offer(state) is None, "a window is open after the end")
        for seat in range(self.seats):
            need(not game.legal(state, seat).actions, "legal actions after the end", seat)
            for action in self.seen:
                try:
                    game.check(state, seat, action)
                except Refused as error:
                    self.refused(error)
                else:
                    need(False, "an action is legal after the end", seat, action)

    def check_replay(self, log: list[Step]) -> None:
        game = self.game
        dealer = Dealer(self.key)
        state, _ = game.start(self.options, self.seats, dealer)
        for step in log:
            take(game, state, dealer, step)
        same = msgspec.msgpack.encode(state) == msgspec.msgpack.encode(self.state)
        need(same, "the same log gives another game")
        need(dealer == self.dealer, "the same log draws otherwise")

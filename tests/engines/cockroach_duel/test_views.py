"""Who sees what: laid cards stay hidden for ever, unless the rules show them."""

from __future__ import annotations

import msgspec
import pytest

from engines.cockroach_duel import GAME
from engines.cockroach_duel.match import apply
from engines.cockroach_duel.messages import (
    Accept,
    Attack,
    Attacked,
    Block,
    Challenge,
    Dealt,
    Drew,
    DuelOptions,
    Pass,
    Pile,
)
from engines.cockroach_duel.views import other_world, redact, view
from engines.kit.stream import Stream
from tests.engines.cockroach_duel.positions import KEY, deck, match

DECK = deck(["fly", "fly", "rat", "black"], ["toad", "toad", "bat", "roach"], "rat", "bat", "rat")


def wire(value: object) -> str:
    return msgspec.json.encode(value).decode()


def test_only_the_owner_sees_what_he_laid() -> None:
    state, dealer = match(DECK)
    apply(state, 0, Attack("roach", ("fly", "black")), dealer)
    apply(state, 1, Block("toad", ("bat", "toad")), dealer)
    own, other, public = view(state, 0), view(state, 1), view(state, None)
    assert own.attack == Pile("roach", 2, ("fly", "black"))
    assert own.block == Pile("toad", 2)
    assert other.attack == public.attack == Pile("roach", 2)
    assert other.block == Pile("toad", 2, ("bat", "toad"))
    assert public.block == Pile("toad", 2)
    assert (own.hand, other.hand, public.hand) == (["fly", "rat"], ["roach", "toad"], [])
    assert "black" not in wire(other) + wire(public)


def test_cards_of_earlier_battles_stay_face_down() -> None:
    state, dealer = match(DECK, options=DuelOptions(reveal_black=False))
    apply(state, 0, Attack("fly", ("rat", "black")), dealer)
    apply(state, 1, Block("toad", ("bat",)), dealer)
    apply(state, 0, Accept(), dealer)
    own, other, public = view(state, 0), view(state, 1), view(state, None)
    assert (own.laid, other.laid, public.laid) == (["rat", "black"], ["bat"], [])
    assert own.spent == other.spent == public.spent == 3
    assert own.black is other.black is public.black is None
    assert "black" not in wire(other) + wire(public)


def test_a_shown_black_card_is_told_to_all_and_nothing_beside_it() -> None:
    state, dealer = match(DECK)
    apply(state, 0, Attack("fly", ("rat", "black")), dealer)
    events = apply(state, 1, Pass(), dealer)
    for viewer in (0, 1, None):
        assert view(state, viewer).black == 0
    seen = wire([redact(event, None) for event in events]) + wire(view(state, None))
    assert '"black":"attack"' in seen
    assert '"rat"' not in seen


def test_a_challenge_turns_up_one_pile_alone() -> None:
    state, dealer = match(DECK)
    apply(state, 0, Attack("fly", ("rat", "black")), dealer)
    apply(state, 1, Block("toad", ("toad", "bat")), dealer)
    events = apply(state, 0, Challenge(), dealer)
    seen = wire([redact(event, None) for event in events])
    assert '"cards":["toad","bat"]' in seen
    assert "rat" not in seen
    assert "black" not in seen


def test_a_finished_match_shows_no_more_than_was_shown() -> None:
    state, dealer = match(DECK, options=DuelOptions(target=1))
    apply(state, 0, Attack("fly", ("rat", "black")), dealer)
    apply(state, 1, Block("toad", ("toad", "bat")), dealer)
    apply(state, 0, Challenge(), dealer)
    public = wire(view(state, None)) + wire(view(state, 1))
    assert "rat" not in public
    assert "black" not in public
    assert view(state, None).last[-1].winner == 0  # type: ignore[union-attr]  # the match's end


@pytest.mark.parametrize("viewer", [0, None])
def test_redacted_events_hide_cards(viewer: int | None) -> None:
    laid = Attacked(1, "fly", 2, ("rat", "bat"))
    drawn = Drew(1, 1, 5, ("rat",))
    assert redact(laid, viewer) == Attacked(1, "fly", 2)
    assert redact(drawn, viewer) == Drew(1, 1, 5)
    assert redact(Dealt(1, ("rat",)), viewer) is None
    assert [redact(event, 1) for event in (laid, drawn)] == [laid, drawn]


def test_other_worlds_reach_every_unseen_place() -> None:
    state, dealer = match(DECK)
    apply(state, 0, Attack("fly", ("rat",)), dealer)
    apply(state, 1, Pass(), dealer)
    apply(state, 1, Attack("rat", ("toad", "bat")), dealer)
    stream, laid, spent, tops = Stream(KEY, "worlds"), set(), set(), set()
    for _ in range(200):
        world = other_world(state, None, stream)
        assert view(world, None) == view(state, None)
        assert world.round.attack is not None
        laid.add(tuple(world.round.attack.cards))
        spent.add(world.round.spent[0][0])
        tops.add(world.round.pile[0])
    assert len(laid) > 10
    assert tops == {"fly", "roach", "toad", "rat", "bat", "black"}
    assert spent == {"fly", "roach", "toad", "rat", "bat"}


def test_in_other_worlds_a_card_that_was_shown_stays() -> None:
    state, dealer = match(DECK, options=DuelOptions(target=1))
    apply(state, 0, Attack("fly", ("rat", "black")), dealer)
    apply(state, 1, Block("toad", ("toad",)), dealer)
    apply(state, 0, Accept(), dealer)
    apply(state, 1, Attack("fly", ("toad",)), dealer)
    apply(state, 0, Challenge(), dealer)
    stream = Stream(KEY, "worlds")
    for viewer in (0, 1, None):
        for _ in range(20):
            world = other_world(state, viewer, stream)
            assert "black" in world.round.spent[0]
            assert world.round.attack == state.round.attack
            assert GAME.view(world, viewer) == GAME.view(state, viewer)

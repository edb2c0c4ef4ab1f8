"""A round: refusals, challenges, battles, the black card, drawing, the end."""

from __future__ import annotations

from copy import deepcopy

import pytest

from engines.cockroach_duel.messages import (
    Accept,
    Attack,
    Attacked,
    Battle,
    Block,
    Challenge,
    Challenged,
    Drew,
    DuelOptions,
    Pass,
)
from engines.cockroach_duel.rounds import check, legal, play
from engines.cockroach_duel.state import Laid, Round
from engines.kit.contract import Action, Decline, Refused
from tests.engines.cockroach_duel.positions import STANDARD, round_of

ZERO = ["fly", "fly", "rat", "rat"]
ONE = ["toad", "bat", "bat", "black"]


def attacked(*cards: str, claim: str = "rat") -> Round:
    round = round_of(list(ZERO), list(ONE))
    play(round, STANDARD, 0, Attack(claim, cards or ("rat", "rat")))  # type: ignore[arg-type]  # kinds
    return round


def blocked(*cards: str) -> Round:
    round = attacked()
    play(round, STANDARD, 1, Block("bat", cards or ("bat", "bat")))  # type: ignore[arg-type]  # kinds
    return round


def refused(round: Round, seat: int, action: Action, options: DuelOptions = STANDARD) -> Refused:
    before = deepcopy(round)
    with pytest.raises(Refused) as caught:
        play(round, options, seat, action)
    assert round == before
    return caught.value


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (Attack("toad", ("fly",)), "attack_kind"),
        (Attack("bat", ("fly",)), "attack_kind"),
        (Attack("black", ("fly",)), "attack_kind"),
        (Attack("fly", ()), "no_cards"),
        (Attack("fly", ("fly", "fly", "fly")), "not_in_hand"),
        (Attack("fly", ("toad",)), "not_in_hand"),
        (Block("toad", ("fly",)), "attack_phase"),
        (Challenge(), "attack_phase"),
        (Accept(), "attack_phase"),
        (Decline(), "attack_phase"),
    ],
)
def test_refused_as_an_attack(action: Action, rule: str) -> None:
    assert refused(round_of(list(ZERO), list(ONE)), 0, action).rule == rule


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (Block("toad", ("toad",)), "wrong_blocker"),
        (Block("fly", ("toad",)), "block_kind"),
        (Block("rat", ("toad",)), "block_kind"),
        (Block("black", ("black",)), "block_kind"),
        (Block("bat", ()), "no_cards"),
        (Block("bat", ("bat", "bat", "bat")), "not_in_hand"),
        (Attack("fly", ("toad",)), "answer_phase"),
        (Accept(), "answer_phase"),
    ],
)
def test_refused_as_an_answer(action: Action, rule: str) -> None:
    assert refused(attacked(), 1, action).rule == rule


@pytest.mark.parametrize(
    "action", [Pass(), Attack("fly", ("fly",)), Block("bat", ("fly",)), Decline()]
)
def test_refused_in_review(action: Action) -> None:
    assert refused(blocked(), 0, action).rule == "review_phase"


def test_the_other_seat_is_not_asked() -> None:
    assert refused(attacked(), 0, Challenge()).code == "not_your_turn"
    assert refused(blocked(), 1, Challenge()).code == "not_your_turn"


def test_nothing_is_possible_after_the_end() -> None:
    round = attacked()
    play(round, STANDARD, 1, Challenge())
    assert refused(round, 0, Pass()).code == "match_over"
    assert legal(round, STANDARD) == ()


def test_a_claim_may_exceed_what_exists_unless_capped() -> None:
    attack = Attack("rat", ("fly", "fly", "rat", "rat"))
    check(round_of(list(ZERO), list(ONE)), STANDARD, 0, attack)
    capped = DuelOptions(cap_claim=True)
    error = refused(round_of(list(ZERO), list(ONE)), 0, attack, capped)
    assert (error.rule, error.params) == ("cap_claim", {"claim": "rat", "number": 3})
    block = Block("bat", ("toad", "bat", "bat", "black"))
    check(attacked(), STANDARD, 1, block)
    assert refused(attacked(), 1, block, capped).rule == "cap_claim"


def test_limit_block_counts_the_attackers() -> None:
    limited = DuelOptions(limit_block=True)
    round = attacked("rat")
    assert refused(round, 1, Block("bat", ("bat", "bat")), limited).rule == "limit_block"
    assert all(
        len(action.cards) == 1 for action in legal(round, limited) if isinstance(action, Block)
    )


def test_what_is_really_laid_is_free() -> None:
    round = round_of(list(ZERO), list(ONE))
    assert play(round, STANDARD, 0, Attack("roach", ("rat", "fly"))) == [
        Attacked(0, "roach", 2, ("rat", "fly"))
    ]
    assert (round.hands[0], round.attack) == (["fly", "rat"], Laid("roach", ["rat", "fly"]))


@pytest.mark.parametrize(
    ("cards", "winner", "reason"),
    [
        (("rat", "rat"), 0, "challenge-failed"),
        (("rat", "fly"), 1, "challenge-succeeded"),
        (("fly", "fly"), 1, "challenge-succeeded"),
    ],
)
def test_a_challenge_decides_the_round(cards: tuple[str, ...], winner: int, reason: str) -> None:
    round = attacked(*cards)
    (event,) = play(round, STANDARD, 1, Challenge())
    assert event == Challenged(1, "attack", 0, "rat", cards, winner == 0)
    assert (round.winner, round.reason, round.health) == (winner, reason, [3, 4])


def test_a_challenged_block_leaves_the_attack_face_down() -> None:
    round = blocked("bat", "black")
    (event,) = play(round, STANDARD, 0, Challenge())
    assert event == Challenged(0, "block", 1, "bat", ("bat", "black"), False)
    assert (round.winner, round.reason) == (0, "challenge-succeeded")


@pytest.mark.parametrize(
    ("claim", "attackers", "blockers", "taken"),
    [
        ("fly", 1, 0, 1),
        ("roach", 3, 1, 2),
        ("rat", 2, 1, 2),
        ("rat", 1, 3, 0),
        ("fly", 2, 2, 0),
        ("rat", 3, 0, 4),
        ("fly", 4, 0, 4),
        ("rat", 4, 2, 4),
    ],
)
def test_battle_as_claimed(claim: str, attackers: int, blockers: int, taken: int) -> None:
    round = round_of(["bat"] * 4, ["fly"] * 4)
    play(round, STANDARD, 0, Attack(claim, ("bat",) * attackers))  # type: ignore[arg-type]  # kinds
    if blockers:
        kind = "bat" if claim == "rat" else "toad"
        play(round, STANDARD, 1, Block(kind, ("fly",) * blockers))  # type: ignore[arg-type]  # kinds
        events = play(round, STANDARD, 0, Accept())
    else:
        events = play(round, STANDARD, 1, Pass())
    health = (3 + taken, 4 - taken)
    assert events[1] == Battle(0, taken, health)
    assert round.health == list(health)
    assert round.winner == (0 if taken == 4 else None)


def test_the_black_card_is_shown_with_its_battle() -> None:
    round = blocked("black")
    events = play(round, STANDARD, 0, Accept())
    assert events[1] == Battle(0, 2, (5, 2), "block")
    assert round.black == 1


def test_the_black_card_is_shown_by_the_battle_that_ends_the_round() -> None:
    round = round_of(["black", "fly", "fly", "fly"], list(ONE))
    play(round, STANDARD, 0, Attack("rat", ("black", "fly")))
    events = play(round, STANDARD, 1, Pass())
    assert events[1:] == [Battle(0, 4, (7, 0), "attack")]
    assert (round.winner, round.reason) == (0, "hp0")


def test_without_reveal_black_nothing_is_shown() -> None:
    hidden = DuelOptions(reveal_black=False)
    round = blocked("black")
    events = play(round, hidden, 0, Accept())
    assert events[1] == Battle(0, 2, (5, 2))
    assert (round.black, round.spent[1]) == (None, ["black"])


def test_the_attacker_draws_first_as_far_as_the_pile_reaches() -> None:
    round = round_of(list(ZERO), list(ONE), ["toad", "roach", "fly"])
    play(round, STANDARD, 0, Attack("rat", ("rat", "rat")))
    play(round, STANDARD, 1, Block("bat", ("bat", "bat")))
    events = play(round, STANDARD, 0, Accept())
    assert events[2:] == [Drew(0, 2, 1, ("toad", "roach")), Drew(1, 1, 0, ("fly",))]
    assert round.hands == [["fly", "fly", "roach", "toad"], ["fly", "toad", "black"]]
    assert round.attacker == 1


def test_nobody_draws_after_the_last_battle() -> None:
    round = round_of(list(ZERO), list(ONE))
    play(round, STANDARD, 0, Attack("rat", ("rat", "rat")))
    events = play(round, STANDARD, 1, Pass())
    assert not any(isinstance(event, Drew) for event in events)
    assert round.hands[0] == ["fly", "fly"]
    assert len(round.pile) == 3


def test_two_attack_passes_in_a_row_end_the_round() -> None:
    round = round_of(list(ZERO), list(ONE))
    play(round, STANDARD, 0, Pass())
    assert (round.attacker, round.passes, round.winner) == (1, 1, None)
    play(round, STANDARD, 1, Pass())
    assert (round.winner, round.reason) == (1, "both-pass")


def test_an_attack_between_resets_the_count() -> None:
    round = round_of(list(ZERO), list(ONE))
    play(round, STANDARD, 0, Pass())
    play(round, STANDARD, 1, Attack("fly", ("toad",)))
    play(round, STANDARD, 0, Pass())
    assert (round.passes, round.health) == (0, [2, 5])
    play(round, STANDARD, 0, Pass())
    assert round.winner is None


def test_without_cards_an_attacker_only_passes_and_a_defender_passes_or_challenges() -> None:
    round = round_of([], ["fly"], [])
    assert legal(round, STANDARD) == (Pass(),)
    round = round_of(["fly"], [], [])
    play(round, STANDARD, 0, Attack("fly", ("fly",)))
    assert legal(round, STANDARD) == (Pass(), Challenge())


def test_legal_is_in_its_documented_order_and_all_of_it_is_accepted() -> None:
    round = round_of(["fly", "roach", "toad", "rat"], list(ONE))
    found = legal(round, STANDARD)
    assert found[:4] == (
        Pass(),
        Attack("fly", ("fly",)),
        Attack("fly", ("roach",)),
        Attack("fly", ("toad",)),
    )
    assert found[5] == Attack("roach", ("fly",))
    assert found[-1] == Attack("rat", ("fly", "roach", "toad", "rat"))
    assert len(found) == 46
    for action in found:
        check(round, STANDARD, 0, action)


def test_legal_answers() -> None:
    assert legal(attacked(), STANDARD)[:5] == (
        Pass(),
        Challenge(),
        Block("bat", ("toad",)),
        Block("bat", ("bat",)),
        Block("bat", ("black",)),
    )
    assert legal(blocked(), STANDARD) == (Accept(), Challenge())
    capped = DuelOptions(cap_claim=True)
    most = max(len(a.cards) for a in legal(attacked(), capped) if isinstance(a, Block))
    assert most == 3

"""Tests of server/store/store.py, on every kind of database."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from server.core.names import NameRefused, clean_name
from server.store.database import Database
from server.store.models import Match, NameTaken, Seat, StoreUnavailable
from server.store.schema import tokens
from server.store.store import Store
from tests.server.store.conftest import Clock


def a_match(number: int, *players: str, ended: int = 0) -> Match:
    """A two-seat match; seats beyond the players are bots."""
    seats = [
        Seat(f"Player {seat}", player, None, 3 - seat, seat + 1)
        for seat, player in enumerate(players)
    ]
    seats += [Seat("bot", None, "steady", 0, 2)] * (2 - len(seats))
    return Match(f"m_{number}", "t_1", "peeper", "standard", 1000, ended or 2000, seats, rated=True)


async def test_a_guest_gets_a_token_that_identifies_it(store: Store, clock: Clock) -> None:
    player, token = await store.guest("민지", "ko")
    assert (player.name, player.guest, player.created, player.locale) == (
        "민지",
        True,
        clock.ms,
        "ko",
    )
    assert await store.identify(token) == player
    assert await store.player(player.id) == player
    assert len(token) >= 43, "256 bits in base64"


async def test_an_unknown_token_identifies_nobody(store: Store) -> None:
    await store.guest("민지", "ko")
    for token in ("", "x", "\x00", "민지", "\ud800", "a" * 10_000):
        assert await store.identify(token) is None


async def test_a_revoked_token_is_worthless_and_others_stay(store: Store) -> None:
    player, token = await store.guest("민지", "ko")
    other, other_token = await store.guest("준호", "ko")
    assert await store.revoke(token) == player.id
    assert await store.identify(token) is None
    assert await store.revoke(token) is None
    assert await store.revoke("unknown") is None
    assert await store.identify(other_token) == other


async def test_whose_tokens_were_revoked_lately_is_known(store: Store, clock: Clock) -> None:
    made = [await store.guest(None, "en") for _ in range(3)]
    for player, token in made[:2]:
        clock.ms += 10
        assert await store.revoke(token) == player.id
    (first, _), (second, _), _ = made
    assert await store.revoked(clock.ms - 10) == sorted([first.id, second.id])
    assert await store.revoked(clock.ms) == [second.id]
    assert await store.revoked(clock.ms + 1) == []


async def test_ids_and_tokens_never_repeat(store: Store) -> None:
    made = [await store.guest(None, "en") for _ in range(20)]
    assert len({player.id for player, _ in made}) == 20
    assert len({token for _, token in made}) == 20
    assert len({player.name for player, _ in made}) == 20


@pytest.mark.parametrize("locale", ["en", "ko", "ja", "xx"])
async def test_a_guest_without_a_name_gets_a_clean_one(store: Store, locale: str) -> None:
    player, _ = await store.guest(None, locale)
    assert clean_name(player.name) == player.name


async def test_a_name_is_cleaned_and_refused_by_the_rules(store: Store) -> None:
    player, _ = await store.guest("  Ａnn  Lee ", "en")
    assert player.name == "Ann Lee"
    with pytest.raises(NameRefused):
        await store.guest("x", "en")


async def test_a_name_that_looks_the_same_is_taken(store: Store) -> None:
    await store.guest("corner", "en")
    for taken in ("corner", "Corner", "comer"):
        with pytest.raises(NameTaken):
            await store.guest(taken, "en")
    await store.guest("corners", "en")


async def test_only_one_of_many_gets_a_name(store: Store) -> None:
    answers = await asyncio.gather(
        *(store.guest("민지", "ko") for _ in range(6)), return_exceptions=True
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["NameTaken"] * 5 + ["tuple"]


async def test_the_use_of_a_token_is_noted_once_an_hour(
    store: Store, clock: Clock, url: str
) -> None:
    player, token = await store.guest("민지", "ko")
    database = Database(url)
    await database.start()
    noted = []
    for wait in (0, 3_599_999, 1, 3_599_999, 9_000_000_000):
        clock.ms += wait
        assert await store.identify(token) == player
        noted.append(await database.read(lambda c: c.execute(select(tokens.c.last_used)).scalar()))
    assert noted == [
        player.created,
        player.created,
        player.created + 3_600_000,
        player.created + 3_600_000,
        clock.ms,
    ]
    await database.stop()


async def test_a_finished_match_is_stored_whole(store: Store) -> None:
    player, _ = await store.guest("민지", "ko")
    match = a_match(1, player.id)
    record = b'{"format":"hanpan.record/1"}' + b" " * 5000
    assert await store.finish(match, record, public=b"{}")
    assert await store.match("m_1") == match
    assert await store.record("m_1") == record
    assert await store.record("m_1", "public") == b"{}"
    assert await store.record("m_1", "secret") is None


async def test_a_match_is_stored_once(store: Store) -> None:
    player, _ = await store.guest("민지", "ko")
    assert await store.finish(a_match(1, player.id), b"first")
    assert not await store.finish(a_match(1, player.id), b"first")
    assert not await store.finish(a_match(1), b"another")
    assert await store.match("m_1") == a_match(1, player.id)
    assert await store.record("m_1") == b"first"
    answers = await asyncio.gather(*(store.finish(a_match(2), b"x") for _ in range(6)))
    assert sorted(answers) == [False] * 5 + [True]


async def test_a_voided_match_has_no_scores(store: Store) -> None:
    match = Match(
        "m_1", "t_1", "pepper", "standard", 1, 2, [Seat("a"), Seat("b", bot="random")], voided=True
    )
    await store.finish(match, b"{}")
    assert await store.match("m_1") == match


async def test_a_match_of_unknown_players_is_an_error_and_not_half_stored(store: Store) -> None:
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        await store.finish(a_match(1, "p_nobody"), b"{}")
    assert await store.match("m_1") is None
    assert await store.record("m_1") is None


async def test_a_players_matches_come_newest_first(store: Store) -> None:
    one, _ = await store.guest("민지", "ko")
    other, _ = await store.guest("준호", "ko")
    for number, ended in ((1, 3000), (2, 9000), (3, 6000)):
        await store.finish(a_match(number, one.id, other.id, ended=ended), b"{}")
    await store.finish(a_match(4, other.id, ended=7000), b"{}")
    assert [match.id for match in await store.matches(one.id)] == ["m_2", "m_3", "m_1"]
    assert [match.id for match in await store.matches(other.id, 2)] == ["m_2", "m_4"]
    assert await store.matches("p_nobody") == []


async def test_what_is_not_there_is_none(store: Store) -> None:
    for name in ("p_nobody", "m_nothing", "", "\x00", "민지", "a\nb", "\ud800"):
        assert await store.player(name) is None
        assert await store.match(name) is None
        assert await store.record(name) is None
        assert await store.matches(name) == []


async def test_everything_is_there_after_a_restart(store: Store) -> None:
    player, token = await store.guest("민지", "ko")
    await store.finish(a_match(1, player.id), b"{}")
    await store.ready()
    await store.stop()
    with pytest.raises(StoreUnavailable):
        await store.ready()
    await store.start()
    assert await store.identify(token) == player
    assert await store.record("m_1") == b"{}"


async def test_many_calls_at_once(store: Store) -> None:
    players = await asyncio.gather(*(store.guest(None, "ja") for _ in range(40)))
    found = await asyncio.gather(*(store.identify(token) for _, token in players))
    assert found == [player for player, _ in players]

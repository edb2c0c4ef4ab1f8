"""The index of players' tables follows every change of seats and keeps nothing that is over."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.runtime.seated import Seated


def test_a_players_tables_follow_the_seats() -> None:
    seated = Seated()
    seated.note("t1", ["a", None, "b"])
    seated.note("t2", ["a", "a"])
    assert seated.of("a") == ["t1", "t2"]
    assert seated.of("b") == ["t1"]
    seated.note("t1", [None, "b"])
    assert seated.of("a") == ["t2"]
    seated.note("t2", [])
    assert seated.of("a") == []
    assert seated.of("nobody") == []


@given(st.lists(st.tuples(st.sampled_from("tuv"), st.lists(st.sampled_from("abc"), max_size=3))))
def test_it_equals_a_look_at_every_table_and_ends_empty(
    notes: list[tuple[str, list[str]]],
) -> None:
    seated, tables = Seated(), dict[str, list[str]]()
    for table, players in notes:
        seated.note(table, players)
        tables[table] = players
        for player in "abc":
            assert sorted(seated.of(player)) == sorted(t for t, p in tables.items() if player in p)
    for table in tables:
        seated.note(table, ())
    assert vars(seated) == vars(Seated())

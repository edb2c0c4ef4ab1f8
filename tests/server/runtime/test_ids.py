"""Ids and secrets."""

from __future__ import annotations

from server.runtime import ids


def test_ids_tell_what_they_are_of_and_never_repeat() -> None:
    made = {ids.new_id("t") for _ in range(1_000)}
    assert len(made) == 1_000
    assert all(name.startswith("t_") and len(name) >= 14 for name in made)


def test_an_invite_is_eight_digits() -> None:
    assert all(len(code) == 8 and code.isdigit() for code in (ids.invite() for _ in range(100)))


def test_a_seed_is_256_bits() -> None:
    assert len(bytes.fromhex(ids.seed())) == 32
    assert ids.seed() != ids.seed()

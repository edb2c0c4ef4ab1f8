"""Ids and secrets, all from the operating system's CSPRNG."""

from __future__ import annotations

import secrets


def new_id(prefix: str) -> str:
    """An opaque id nobody can guess, e.g. `t_k3…` for a table."""
    return f"{prefix}_{secrets.token_urlsafe(9)}"


def invite() -> str:
    """A code of eight digits, easy to tell by voice."""
    return f"{secrets.randbelow(100_000_000):08d}"


def seed() -> str:
    """A match's secret: 256 bits as 64 hex digits."""
    return secrets.token_hex(32)

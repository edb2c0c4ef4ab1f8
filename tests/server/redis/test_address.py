"""Tests of server/redis/address.py: what a URL says."""

from __future__ import annotations

import ssl

import pytest

from server.redis.address import Address, address


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://", Address()),
        ("redis://db.example", Address(host="db.example")),
        ("redis://db.example:7000/3", Address(host="db.example", port=7000, db=3)),
        ("redis://[::1]:7000", Address(host="::1", port=7000)),
        ("redis://ann:p%40ss@h", Address(host="h", username="ann", password="p@ss")),
        ("redis://:pass@h", Address(host="h", password="pass")),
        ("redis://h?db=4", Address(host="h", db=4)),
        ("unix:///run/redis.sock?db=2", Address(path="/run/redis.sock", db=2)),
        ("rediss://h?ssl_ca_certs=/ca.pem", Address(host="h", tls=True, ca="/ca.pem")),
    ],
)
def test_a_url_says_where_redis_is(url: str, expected: Address) -> None:
    assert address(url) == expected


@pytest.mark.parametrize("url", ["", "localhost:6379", "http://h", "redis://h:port", "redis://h/x"])
def test_another_url_gets_a_sentence(url: str) -> None:
    with pytest.raises(ValueError, match="redis://user:password@host:6379/0"):
        address(url)


def test_a_password_is_never_shown() -> None:
    assert str(address("redis://ann:secret@h:7000")) == "h:7000"
    assert str(address("unix:///run/redis.sock")) == "/run/redis.sock"


def test_only_rediss_encrypts_and_checks_whom_it_meets() -> None:
    assert address("redis://h").context() is None
    context = address("rediss://h").context()
    assert context is not None
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname

from __future__ import annotations

import pytest

from server.transport.address import Addresses, household, parse_networks, remote_address

PROXIES = parse_networks("10.0.0.0/8, ::1 127.0.0.1")


def forwarded(*values: str) -> list[tuple[bytes, bytes]]:
    return [(b"host", b"x"), *[(b"x-forwarded-for", value.encode()) for value in values]]


@pytest.mark.parametrize(
    ("peer", "values", "remote"),
    [
        ("203.0.113.7", [], "203.0.113.7"),
        # A stranger's claim is not believed.
        ("203.0.113.7", ["198.51.100.1"], "203.0.113.7"),
        # A proxy's is.
        ("127.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        # What the client itself wrote stands left of what the proxies wrote.
        ("10.1.2.3", ["6.6.6.6, 198.51.100.1, 10.9.9.9"], "198.51.100.1"),
        ("10.1.2.3", ["6.6.6.6", "198.51.100.1"], "198.51.100.1"),
        # All trusted: the farthest one.
        ("10.1.2.3", ["10.0.0.9, 10.0.0.8"], "10.0.0.9"),
        # Rubbish ends the walk.
        ("10.1.2.3", ["6.6.6.6, unknown, 10.0.0.8"], "10.0.0.8"),
        ("10.1.2.3", [""], "10.1.2.3"),
        # Ports, brackets, mapped addresses.
        ("::1", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("::1", ['"198.51.100.1:80"'], "198.51.100.1"),
        ("::ffff:127.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("::ffff:203.0.113.7", [], "203.0.113.7"),
        # No address at all (a test client, a Unix socket).
        ("testclient", ["198.51.100.1"], "testclient"),
        ("", [], ""),
    ],
)
def test_remote_address(peer: str, values: list[str], remote: str) -> None:
    assert remote_address(peer, forwarded(*values), PROXIES) == remote


def test_nobody_is_trusted_by_default() -> None:
    assert remote_address("127.0.0.1", forwarded("198.51.100.1"), ()) == "127.0.0.1"


def test_a_bad_network_is_named() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        parse_networks("10.0.0.0/8, nonsense")


def test_an_ipv6_customer_is_one_household() -> None:
    assert household("2001:db8:0:1::1") == household("2001:db8:0:1:ffff::2")
    assert household("2001:db8:0:1::1") != household("2001:db8:0:2::1")
    assert household("203.0.113.7") == "203.0.113.7"


def test_addresses_are_counted_to_the_cap_and_forgotten() -> None:
    addresses = Addresses(2)
    assert addresses.enter("203.0.113.7")
    assert addresses.enter("203.0.113.7")
    assert not addresses.enter("203.0.113.7")
    assert addresses.enter("203.0.113.8")
    assert len(addresses) == 3
    addresses.leave("203.0.113.7")
    assert addresses.enter("203.0.113.7")
    for remote in ("203.0.113.7", "203.0.113.7", "203.0.113.8"):
        addresses.leave(remote)
    assert len(addresses) == 0

"""Whose connection it is, and how many an address may have.

A forwarded address is believed only from a trusted proxy (`HANPAN_TRUSTED_PROXIES`): the chain is read
from the right, and the first address that is not itself trusted is the client.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network


def parse_networks(text: str) -> tuple[Network, ...]:
    """Networks and addresses out of a list divided by commas or blanks; ValueError names the bad one."""
    return tuple(ip_network(part, strict=False) for part in text.replace(",", " ").split())


def remote_address(
    peer: str, headers: Iterable[tuple[bytes, bytes]], trusted: tuple[Network, ...]
) -> str:
    """The client's address: the peer's, or what trusted proxies say of it.

    headers: as in an ASGI scope. A part that is no address ends the walk: what lies left of it is hearsay.
    """
    client = _parse(peer)
    if client is None or not _trusted(client, trusted):
        return peer if client is None else str(client)
    chain = [
        part
        for name, value in headers
        if name.lower() == b"x-forwarded-for"
        for part in value.decode("latin-1").split(",")
    ]
    for part in reversed(chain):
        address = _parse(part)
        if address is None:
            break
        client = address
        if not _trusted(client, trusted):
            break
    return str(client)


def _parse(text: str) -> IPv4Address | IPv6Address | None:
    """An address with or without brackets and port; a mapped IPv4 address is given as such."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def is_trusted(peer: str, trusted: tuple[Network, ...]) -> bool:
    """Whether the peer is a proxy that is believed."""
    address = _parse(peer)
    return address is not None and _trusted(address, trusted)


def _trusted(address: IPv4Address | IPv6Address, trusted: tuple[Network, ...]) -> bool:
    return any(address in network for network in trusted)


def household(remote: str) -> str:
    """What is counted as one address: an IPv4 address, or the /64 that one IPv6 customer has."""
    address = _parse(remote)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return remote


class Addresses:
    """Counts connections by address against a cap."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._counts: dict[str, int] = {}

    def enter(self, remote: str) -> bool:
        """Counts a connection; False, and not counted, when the address has as many as it may."""
        key = household(remote)
        count = self._counts.get(key, 0)
        if count >= self._cap:
            return False
        self._counts[key] = count + 1
        return True

    def leave(self, remote: str) -> None:
        """Takes one connection of `remote` out of the count."""
        key = household(remote)
        count = self._counts[key] - 1
        if count:
            self._counts[key] = count
        else:
            del self._counts[key]

    def __len__(self) -> int:
        """Connections of all addresses."""
        return sum(self._counts.values())

"""A server's addresses."""

from __future__ import annotations

import pytest

from hanpan.address import Address


@pytest.mark.parametrize(
    ("url", "socket", "http"),
    [
        ("http://127.0.0.1:8000", "ws://127.0.0.1:8000/v1/ws", "http://127.0.0.1:8000/v1/guests"),
        ("127.0.0.1:8000", "ws://127.0.0.1:8000/v1/ws", "http://127.0.0.1:8000/v1/guests"),
        ("https://play.example/", "wss://play.example/v1/ws", "https://play.example/v1/guests"),
        ("wss://h:1/base/v1/ws", "wss://h:1/base/v1/ws", "https://h:1/base/v1/guests"),
    ],
)
def test_both_addresses_come_of_any(url: str, socket: str, http: str) -> None:
    address = Address.of(url)
    assert address.socket == socket
    assert address.http("/v1/guests") == http


@pytest.mark.parametrize("url", ["ftp://h", "http://", "http:///v1/ws"])
def test_what_is_no_address_is_a_sentence(url: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a server"):
        Address.of(url)


@pytest.mark.parametrize(
    ("url", "local"),
    [("http://localhost:1", True), ("http://[::1]:1", True), ("127.1.2.3:1", True), ("h:1", False)],
)
def test_no_proxy_stands_before_this_machine(url: str, local: bool) -> None:
    assert Address.of(url).local is local

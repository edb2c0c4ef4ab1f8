"""Fakes for tests of programs that use this package: a real socket, no server."""

from hanpan.testing.peers import Message, Peer, PeerGone
from hanpan.testing.server import FakeServer
from hanpan.testing.tables import FakeTable, Refuse

__all__ = ["FakeServer", "FakeTable", "Message", "Peer", "PeerGone", "Refuse"]

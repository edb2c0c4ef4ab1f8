"""A fake table: one stream with numbers and a history, that a client can resume."""

from __future__ import annotations

from typing import Any

from hanpan.testing.peers import Message, Peer


class FakeTable:
    """A table as one viewer sees it. Its frames are numbered and kept.

    stream: what the client gets, `seat:0` for a player. acts: the actions received, in order.
    """

    def __init__(
        self, table: str = "t_1", stream: str = "seat:0", game: str = "peeper", **view: Any
    ) -> None:
        self.id = table
        self.stream = stream
        self.game = game
        self.phase = "running"
        self.epoch = "e1"
        self.seq = 0
        self.view: dict[str, Any] = view
        self.seats: list[Message] = []
        self.requests: list[Message] = []
        self.frames: list[Message] = []
        self.acts: list[Message] = []
        self.answered: dict[str, Message] = {}
        self.listeners: list[Peer] = []

    @property
    def seat(self) -> int | None:
        """The viewer's seat."""
        name, _, number = self.stream.partition(":")
        return int(number) if name == "seat" else None

    @property
    def top(self) -> Message:
        """The stream's top number."""
        return {"table": self.id, "stream": self.stream, "epoch": self.epoch, "seq": self.seq}

    def snapshot(self) -> Message:
        """The whole present."""
        info = {
            "table": self.id, "game": self.game, "ruleset": "standard", "options": {},
            "speed": "standard", "seats": self.seats, "phase": self.phase, "visibility": "public",
        }  # fmt: skip
        return {
            "type": "snapshot", **self.top, "info": info, "seats": self.seats, "view": self.view,
            "requests": self.requests,
        }  # fmt: skip

    def update(self, *events: Message, send: bool = True, **parts: Any) -> Message:
        """The next frame: events and changed parts (view, seats, requests, say, clock).

        send: False numbers it without sending it, as a lost frame.
        """
        self.seq += 1
        for part in ("view", "seats", "requests"):
            if part in parts:
                setattr(self, part, parts[part])
        frame = {
            "type": "update", "table": self.id, "stream": self.stream, "seq": self.seq,
            "events": list(events), **parts,
        }  # fmt: skip
        self.frames.append(frame)
        if send:
            for peer in self.listeners:
                peer.send(frame)
        return frame

    def ask(self, request: str, *legal: Message, kind: str = "turn", **fields: Any) -> None:
        """Open a request beside those that are open; the default is the last legal action."""
        info = {"request": request, "kind": kind, "legal": list(legal), "default": legal[-1]}
        self.update(requests=[*self.requests, {**info, **fields}])

    def listen(self, peer: Peer) -> None:
        """Send the present, and what follows, to this connection alone."""
        self.listeners = [peer]
        peer.send(self.snapshot())

    def resume(self, peer: Peer, epoch: str, seq: int) -> None:
        """Send exactly what is missing, or the whole present, and the open requests."""
        if epoch == self.epoch and seq <= self.seq:
            self.listeners = [peer]
            for frame in self.frames:
                if frame["seq"] > seq:
                    peer.send(frame)
        else:
            self.listen(peer)
        peer.send(
            {"type": "requests", "table": self.id, "stream": self.stream, "requests": self.requests}
        )

    def act(self, message: Message) -> Message:
        """Answer a request once: the same action again gets the same answer, without an effect."""
        request, action = message["request"], message["action"]
        if request in self.answered:
            if self.answered[request] != action:
                raise Refuse("stale_request", "the request was answered")
            return {"seq": self.seq}
        if request not in [r["request"] for r in self.requests]:
            raise Refuse("stale_request", "no such request")
        self.answered[request] = action
        self.acts.append(action)
        self.requests = [r for r in self.requests if r["request"] != request]
        self.update({"type": "acted", "seat": self.seat, "action": action}, requests=self.requests)
        return {"seq": self.seq}


class Refuse(Exception):
    """Raised by what answers a request: an `error` with this code."""

    def __init__(self, code: str, message: str = "", **fields: Any) -> None:
        super().__init__(code)
        self.fields: Message = {"code": code, "message": message or code, **fields}

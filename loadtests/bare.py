"""The reference: a process that answers handshakes and then only calls `send()`, frame after frame.

Its clients are the same as the server's, its bytes have the same lengths.
"""

from __future__ import annotations

import base64
import hashlib
import multiprocessing
import socket
import struct
import time
from multiprocessing.connection import Connection

from loadtests.client import Client

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
GROUP = 4
"""Frames sent at once where they are spread over time: one to each of a table's seats."""


class Bare:
    """The handle of the process; `url` is its WebSocket address."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_main, args=(theirs,), daemon=True)
        self._process.start()
        self.url = f"ws://127.0.0.1:{self._pipe.recv()}/"

    def fill(self, clients: list[Client], lines: int) -> None:
        """Have the clients open so many lines in all."""
        shares = [lines // len(clients)] * len(clients)
        shares[0] += lines - sum(shares)
        for client, share in zip(clients, shares, strict=True):
            client.tell("listen", self.url, share)
        self._pipe.send(lines)
        self._pipe.recv()
        for client in clients:
            client.hear()

    def send(self, sizes: list[int], rate: float | None = None) -> float:
        """µs of CPU a `send()` of frames with payloads of these sizes, to all lines in turn.

        rate: frames a second, in groups of four; None is one after the other.
        """
        self._pipe.send((sizes, rate))
        spent: float = self._pipe.recv()
        return spent / len(sizes) * 1e6

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join(10)


def _main(pipe: Connection) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=1_024)
    pipe.send(listener.getsockname()[1])
    lines = [_accept(listener) for _ in range(pipe.recv())]
    pipe.send(None)
    while True:
        sizes, rate = pipe.recv()
        frames = [_frame(size) for size in sizes]
        pipe.send(_burst(lines, frames) if rate is None else _spread(lines, frames, rate))


def _burst(lines: list[socket.socket], frames: list[bytes]) -> float:
    began = time.thread_time()
    for i, frame in enumerate(frames):
        lines[i % len(lines)].send(frame)
    return time.thread_time() - began


def _spread(lines: list[socket.socket], frames: list[bytes], rate: float) -> float:
    spent = 0.0
    due = time.perf_counter()
    for first in range(0, len(frames), GROUP):
        due += GROUP / rate
        time.sleep(max(0.0, due - time.perf_counter()))
        began = time.thread_time()
        for i in range(first, min(first + GROUP, len(frames))):
            lines[i % len(lines)].send(frames[i])
        spent += time.thread_time() - began
    return spent


def _accept(listener: socket.socket) -> socket.socket:
    line, _ = listener.accept()
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    head = b""
    while b"\r\n\r\n" not in head:
        head += line.recv(4_096)
    fields = dict(one.split(b": ", 1) for one in head.split(b"\r\n")[1:] if b": " in one)
    key = next(value for name, value in fields.items() if name.lower() == b"sec-websocket-key")
    accept = base64.b64encode(hashlib.sha1(key + _GUID).digest())
    line.sendall(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: %b\r\n\r\n" % accept
    )
    return line


def _frame(size: int) -> bytes:
    head = struct.pack("!BB", 0x81, size) if size < 126 else struct.pack("!BBH", 0x81, 126, size)
    return head + b" " * size

"""`hanpan play`: play in the terminal, on a server of one's own or on another one with --url."""

from __future__ import annotations

import argparse
import errno
import socket
import sys
from pathlib import Path
from typing import Any

from hanpan_terminal.main import run as run_terminal
from hanpan_terminal.options import add_arguments, options_of
from server.cli.embedded import CannotServe, Embedded

PORT = 8000


def add_parser(commands: Any) -> None:
    """The command's flags: the terminal's, and those of the server that it starts."""
    parser = commands.add_parser("play", help="play in this terminal, with bots or with others")
    parser.add_argument("--url", help="play on this server; without it one is started here")
    parser.add_argument("--port", type=int, help=f"of the server started here; default {PORT}")
    parser.add_argument("--data", default="data/play", help="folder of the server started here")
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play; the terminal's exit code, or 2 when no server can be started."""
    options = options_of(args)
    if args.url:
        return run_terminal(args.url, options)
    port = args.port if args.port is not None else _port()
    try:
        with Embedded(Path(args.data), port) as server:
            print(f"Hanpan is at {server.url}", flush=True)
            return run_terminal(server.url, options)
    except CannotServe as error:
        print(f"hanpan: {error}", file=sys.stderr)
        return 2


def _port() -> int:
    """The usual port, or any free one when another program has it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", PORT))
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            print(f"Port {PORT} is taken; another one is used.", flush=True)
            return 0
    return PORT

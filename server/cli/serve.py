"""`hanpan serve`: one server process."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import msgspec
import structlog

from engines.kit.registry import GameError
from server.app import build_app, build_gate, build_hub
from server.cli.logs import configure_logs
from server.cli.tuning import tune
from server.runtime.collector import Collector
from server.runtime.watchdog import Watchdog
from server.settings import HELP, SettingError, Settings, read
from server.transport.server import (
    Address,
    CannotListen,
    TransportConfig,
    TransportServer,
    listen,
)

log = structlog.get_logger("hanpan.serve")


def add_parser(commands: Any) -> None:
    """The command's flags: one for every setting."""
    parser = commands.add_parser(
        "serve", help="run a server", formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    add_settings(parser)
    parser.set_defaults(run=run)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """A flag for every setting; the environment is read where a flag is not given."""
    for field in msgspec.structs.fields(Settings):
        flag = "--" + field.name.replace("_", "-")
        text = f"{HELP[field.name]} [HANPAN_{field.name.upper()}; {field.default!r}]"
        if field.type is bool:
            parser.add_argument(flag, action="store_const", const=True, default=None, help=text)
        else:
            parser.add_argument(
                flag, type=int if field.type is int else str, default=None, help=text
            )


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of flags and environment. Raises SettingError."""
    flags = {f.name: getattr(args, f.name, None) for f in msgspec.structs.fields(Settings)}
    return read(**flags)


def run(args: argparse.Namespace) -> int:
    """Serve until a signal; the exit code."""
    try:
        settings = settings_of(args)
        configure_logs(settings.log_level)
        return serve(settings)
    except (SettingError, GameError, CannotListen) as error:
        print(f"hanpan: {error}", file=sys.stderr)
        return 2


def serve(settings: Settings) -> int:
    """Serve until a signal; the exit code. Raises CannotListen, GameError."""
    hub = build_hub(settings)
    gate = build_gate(settings)
    config = TransportConfig(build_app(hub, gate), gate, lifespan="on", log_level="warning")
    sockets = listen(settings.host, settings.port, reuse_port=settings.reuse_port)
    drain_s = settings.drain_ms / 1000 + 2
    watchdog = Watchdog(settings.watchdog_ms / 1000)
    collector = Collector()

    def ready(addresses: list[Address]) -> None:
        watchdog.start()
        tune()
        collector.start()
        announce(addresses)

    server = TransportServer(config, drain=hub.drain, drain_timeout=drain_s, ready=ready)
    try:
        server.run(sockets)
    finally:
        watchdog.stop()
        collector.stop()
    return 0 if server.started else 3


def announce(addresses: list[Address]) -> None:
    """Say where the server listens, for people and for scripts."""
    for host, port in addresses:
        shown = f"[{host}]" if ":" in host else host
        print(f"Hanpan listens on http://{shown}:{port}", flush=True)

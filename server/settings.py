"""Every setting of a server process, read once from the environment; flags of `hanpan serve` win."""

from __future__ import annotations

import os
from collections.abc import Mapping
from ipaddress import ip_network
from typing import Any, Literal

import msgspec


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """One frozen struct; the table of the README is made from it. Times in milliseconds.

    Field `data` is HANPAN_DATA and so on for every field.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    data: str = "data"
    redis_url: str = ""
    redis_fsync: Literal["always", "everysec", "no"] = "always"
    redis_unchecked: bool = False
    settle_ms: int = 100
    lease_ms: int = 5_000
    database_url: str = ""
    games: str = ""
    origins: str = ""
    trusted_proxies: str = ""
    log_level: str = "info"
    heartbeat_ms: int = 15_000
    identify_ms: int = 5_000
    away_after_ms: int = 5_000
    max_frame: int = 16_384
    max_unsent: int = 196_608
    frames: int = 20
    frame_burst: int = 40
    chat: int = 5
    chat_ms: int = 10_000
    joins_per_minute: int = 10
    lists_per_minute: int = 30
    sign_ins_per_minute: int = 5
    guests_per_minute: int = 60
    connections: int = 5
    per_address: int = 1_024
    faults_per_minute: int = 20
    tables_per_player: int = 10
    empty_table_ms: int = 60_000
    drain_ms: int = 5_000
    watchdog_ms: int = 5_000
    reuse_port: bool = False


HELP: dict[str, str] = {
    "host": "Address to listen on",
    "port": "Port to listen on; 0 takes a free one",
    "data": "Folder of the journal and the SQLite database",
    "redis_url": "Redis for several processes, e.g. redis://127.0.0.1:6379/0; empty: one process",
    "redis_fsync": "The appendfsync that Redis runs with: always, everysec or no",
    "redis_unchecked": "Start although Redis has settings that can lose acknowledged actions",
    "settle_ms": "With Redis: how long a window waits for what other processes read in time",
    "lease_ms": "With Redis: a process that is silent for so long loses its tables to the others",
    "database_url": "Store, e.g. postgresql://user@host/db; empty: SQLite in the data folder",
    "games": "Further game packages to load, separated by commas",
    "origins": "Origins that browsers may connect from, separated by commas; empty: any",
    "trusted_proxies": "Networks whose X-Forwarded-For is believed, separated by commas",
    "log_level": "debug, info, warning or error",
    "heartbeat_ms": "Clients send something at least this often; twice that without closes 4009,"
    " and reading nothing of what waits for this long 4007",
    "identify_ms": "Time to identify after the handshake; then closed with 4003",
    "away_after_ms": "A seat without a connection for this long is away",
    "max_frame": "Largest message of a client, bytes",
    "max_unsent": "Unsent bytes above which a connection is closed with 4007",
    "frames": "Frames a second above which a connection is closed with 4005",
    "frame_burst": "Frames at once before that rate counts",
    "chat": "Chat lines in chat_ms",
    "chat_ms": "The span of the chat limit",
    "joins_per_minute": "Tables made, joined or watched a minute and player",
    "lists_per_minute": "Lists of games and tables a minute and player",
    "sign_ins_per_minute": "Failed sign-ins a minute and address",
    "guests_per_minute": "New guests a minute and address",
    "connections": "Connections a token may have; the oldest is closed with 4004",
    "per_address": "Connections an address may have",
    "faults_per_minute": "Connections of an address closed for their own fault a minute (too fast, too slow,"
    " bad frames), a quarter of them at once; above that it is refused with 429 for a while; 0: any number",
    "tables_per_player": "Unfinished tables a player may host",
    "empty_table_ms": "A table without anyone is closed after this",
    "drain_ms": "Time for clients to go elsewhere on SIGTERM",
    "watchdog_ms": "A process whose event loop stands still for this long ends itself; 0: never",
    "reuse_port": "Share the port with other processes of this host",
}


class SettingError(ValueError):
    """A setting that cannot be used; the message names the variable and what it allows."""


def read(environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
    """The settings of this process. flags: values that are not None win. Raises SettingError."""
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(Settings):
        name = f"HANPAN_{field.name.upper()}"
        if flags.get(field.name) is not None:
            values[field.name] = flags[field.name]
        elif name in environment:
            values[field.name] = _value(name, environment[name], field.type)
    settings = Settings(**values)
    _check(settings)
    return settings


def _value(name: str, text: str, kind: Any) -> Any:
    if kind is int:
        try:
            return int(text)
        except ValueError:
            raise SettingError(f"{name} must be a whole number, not {text!r}") from None
    if kind is bool:
        if text.lower() in ("1", "true", "yes", "on"):
            return True
        if text.lower() in ("0", "false", "no", "off", ""):
            return False
        raise SettingError(f"{name} must be true or false, not {text!r}")
    return text


def _check(settings: Settings) -> None:
    for field in msgspec.structs.fields(Settings):
        value = getattr(settings, field.name)
        if isinstance(value, int) and value < 0:
            raise SettingError(f"HANPAN_{field.name.upper()} must not be negative")
    if not 0 <= settings.port <= 65_535:
        raise SettingError("HANPAN_PORT must be 0..65535")
    if settings.lease_ms < 500:
        raise SettingError("HANPAN_LEASE_MS must be at least 500")
    if settings.log_level not in ("debug", "info", "warning", "error"):
        raise SettingError("HANPAN_LOG_LEVEL must be debug, info, warning or error")
    if settings.redis_fsync not in ("always", "everysec", "no"):
        raise SettingError("HANPAN_REDIS_FSYNC must be always, everysec or no")
    for network in names(settings.trusted_proxies):
        try:
            ip_network(network, strict=False)
        except ValueError:
            raise SettingError(f"HANPAN_TRUSTED_PROXIES: {network!r} is no network") from None


def names(text: str) -> list[str]:
    """The items of a list separated by commas."""
    return [item.strip() for item in text.split(",") if item.strip()]


def table() -> str:
    """All settings as the README's table."""
    rows = ["| variable | default | |", "|---|---|---|"]
    for field in msgspec.structs.fields(Settings):
        default = "" if field.default in ("", False) else f"`{field.default}`"
        rows.append(f"| `HANPAN_{field.name.upper()}` | {default} | {HELP[field.name]} |")
    return "\n".join(rows)

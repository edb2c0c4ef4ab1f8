"""The composition root: the only place that builds services out of settings."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import WebSocketRoute

from engines.kit.registry import AnyGame, load
from server.bus.memory import MemoryBus
from server.journal.sqlite import SqliteJournal
from server.runtime.hub import Hub
from server.settings import Settings, names
from server.store.store import Store
from server.transport.accept import Gate
from server.transport.base import TransportLimits
from server.transport.uvicorn_ws import write_to_players
from server.web.http import Api
from server.web.ops import Ops
from server.web.page import page_routes
from server.web.problems import Problem, on_http_error, on_problem
from server.web.sockets import SocketEndpoint


def build_store(settings: Settings) -> Store:
    """The store that the settings name."""
    return Store(settings.database_url or f"sqlite:///{Path(settings.data) / 'hanpan.sqlite'}")


def build_hub(settings: Settings) -> Hub:
    """The services of one process: the embedded default, or one of several around a Redis."""
    games = load(names(settings.games))
    store = build_store(settings)
    if settings.redis_url:
        return _clustered(settings, games, store)
    bus = MemoryBus()
    journal = SqliteJournal(
        Path(settings.data) / "journal.sqlite", bus.publish, answered=write_to_players
    )
    return Hub(settings, games, journal, bus, store)


def _clustered(settings: Settings, games: dict[str, AnyGame], store: Store) -> Hub:
    # Imported here: who plays alone needs no Redis library.
    from server.bus.redis import RedisBus
    from server.journal.redis import RedisJournal
    from server.runtime.cluster.cluster import Cluster

    journal = RedisJournal(
        settings.redis_url,
        fsync=settings.redis_fsync,
        checked=not settings.redis_unchecked,
        lease_ms=settings.lease_ms,
    )
    hub = Hub(settings, games, journal, RedisBus(settings.redis_url), store, settings.settle_ms)
    hub.cluster = Cluster(hub)
    return hub


def limits(settings: Settings) -> TransportLimits:
    """What one connection may do."""
    return TransportLimits(
        max_message=settings.max_frame,
        max_unsent=settings.max_unsent,
        frame_rate=float(settings.frames),
        frame_burst=settings.frame_burst,
        per_address=settings.per_address,
        faults_per_minute=settings.faults_per_minute,
    )


def build_gate(settings: Settings) -> Gate:
    """What every connection is held to."""
    trusted = tuple(
        ipaddress.ip_network(network, strict=False) for network in names(settings.trusted_proxies)
    )
    origins = names(settings.origins) or None
    return Gate(limits(settings), origins, trusted)


def build_app(hub: Hub, gate: Gate | None = None) -> Starlette:
    """The ASGI application around a hub. gate: where the server looks at it too."""
    gate = gate or build_gate(hub.settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await hub.start()
        try:
            yield
        finally:
            await hub.stop()

    return Starlette(
        routes=[
            WebSocketRoute("/v1/ws", SocketEndpoint(hub, gate)),
            *Api(hub, gate).routes(),
            *Ops(hub).routes(),
            *page_routes(),
        ],
        exception_handlers={Problem: on_problem, HTTPException: on_http_error},
        lifespan=lifespan,
    )

"""For operators: is it alive, can it take players, what does it measure."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.runtime.hub import Hub
from server.store.models import StoreError
from server.web.problems import json_response


class Ops:
    """The endpoints outside `/v1`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def routes(self) -> list[Route]:
        """All routes."""
        return [
            Route("/healthz", self.healthz),
            Route("/readyz", self.readyz),
            Route("/metrics", self.metrics),
        ]

    async def healthz(self, request: Request) -> Response:
        """The process runs and its loop turns."""
        return json_response({"ok": True})

    async def readyz(self, request: Request) -> Response:
        """Whether players can be sent here, and why not."""
        why = []
        if self._hub.draining:
            why.append("draining")
        elif not self._hub.ready:
            why.append("starting")
        if not self._hub.bus.is_up:
            why.append("redis is away")
        if self._hub.ready and not self._hub.journal.held(self._hub.node):
            why.append("the lease is not held")
        try:
            await self._hub.store.ready()
        except StoreError as error:
            why.append(f"store: {error}")
        return json_response({"ready": not why, "why": why}, 200 if not why else 503)

    async def metrics(self, request: Request) -> Response:
        """Prometheus text."""
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

"""Errors of the HTTP side as RFC 9457 problem objects."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from protocol.codec import encoder
from protocol.codes import ERRORS
from server.runtime.metrics import REFUSALS

STATUS = {
    "bad_message": 400,
    "bad_token": 401,
    "forbidden": 403,
    "not_found": 404,
    "too_large": 413,
    "rate_limited": 429,
    "unavailable": 503,
    "draining": 503,
    "internal": 500,
}


class Problem(Exception):
    """An answer that is an error. code: of the protocol's codes; detail: a sentence."""

    def __init__(self, code: str, detail: str | None = None, after_ms: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail or ERRORS[code][1]
        self.after_ms = after_ms


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer; `/v1` answers every origin, without credentials."""
    sent = {"access-control-allow-origin": "*", "cache-control": "no-store", **(headers or {})}
    return Response(encoder.encode(value), status, sent, "application/json")


def problem_response(problem: Problem) -> Response:
    """The problem object of an error."""
    REFUSALS.labels(problem.code).inc()
    status = STATUS.get(problem.code, 400)
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": ERRORS[problem.code][1],
        "status": status,
        "code": problem.code,
        "detail": problem.detail,
    }
    headers = {"access-control-allow-origin": "*"}
    if problem.after_ms is not None:
        body["after_ms"] = problem.after_ms
        headers["retry-after"] = str(-(-problem.after_ms // 1000))
    return Response(encoder.encode(body), status, headers, "application/problem+json")


async def on_problem(request: Request, error: Exception) -> Response:
    """Starlette's handler of Problem."""
    assert isinstance(error, Problem)
    return problem_response(error)


async def on_http_error(request: Request, error: Exception) -> Response:
    """Starlette's handler of its own errors: no route, wrong method."""
    assert isinstance(error, HTTPException)
    code = "not_found" if error.status_code == 404 else "bad_message"
    response = problem_response(Problem(code, error.detail))
    response.status_code = error.status_code
    return response

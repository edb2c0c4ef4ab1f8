"""The log: JSON lines on stderr, and never a hidden piece, a token or chat in them."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any

import structlog

Line = MutableMapping[str, Any]


def configure_logs(level_name: str) -> None:
    """Set up our own log and that of the libraries. level_name: debug, info, warning or error."""
    level = getattr(logging, level_name.upper())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[structlog.typing.Processor] = [where, structlog.processors.JSONRenderer()]
    structlog.configure(
        processors=[*shared, *last],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # A line and its end in one write: a process that is killed leaves no half line to the next one.
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # What libraries log becomes lines of the same form, whatever is in it.
    others = logging.StreamHandler(sys.stderr)
    remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    others.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()], processors=[remove, *last]
        )
    )
    logging.basicConfig(level=level, handlers=[others])
    # At debug these tell the content of what they carry.
    for chatty in ("asyncio", "websockets", "sqlalchemy", "alembic", "multipart"):
        logging.getLogger(chatty).setLevel(max(level, logging.WARNING))


def where(logger: Any, method: str, line: Line) -> Line:
    """An exception as its types and the lines of code it went through.

    Its message stays out: what an engine or a decoder raises with may be a hidden piece.
    """
    given = line.pop("exc_info", None)
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    if not isinstance(error, BaseException):
        return line
    line["error"] = " < ".join(_types(error))
    frames = traceback.extract_tb(error.__traceback__)
    line["where"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return line


def _types(error: BaseException | None) -> list[str]:
    found: list[str] = []
    while error is not None and len(found) < 5:
        found.append(type(error).__qualname__)
        error = error.__cause__ or error.__context__
    return found

"""Bugs to plant in what several processes do with one another; the invariants must find each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Bug = Callable[[], Any]
BUGS: dict[str, Bug] = {}

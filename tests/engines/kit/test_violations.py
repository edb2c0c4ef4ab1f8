from __future__ import annotations

import pytest

from engines.kit.contract import Decline
from engines.kit.violations import Violation, as_json, need, tag


def test_need_raises_what_is_shown() -> None:
    need(True, "fine")
    with pytest.raises(Violation, match=r"^broken: 1: two$"):
        need(False, "broken", 1, "two")


def test_tag_is_the_type_on_the_wire() -> None:
    assert tag(Decline()) == "decline"
    assert as_json(Decline()) == b'{"type":"decline"}'

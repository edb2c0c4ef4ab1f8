"""The generated message types."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import protocol.client
import protocol.codes
import protocol.server
from hanpan import _messages

GENERATE = Path(__file__).parents[3] / "clients" / "python" / "generate.py"
SERVER = {t.__struct_config__.tag: t for t in protocol.server.ServerUnion.__args__}
CLIENT = {t.__struct_config__.tag: t for t in protocol.client.ClientUnion.__args__}


def test_they_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, str(GENERATE), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("tag", sorted(map(str, {**SERVER, **CLIENT})))
def test_every_message_has_the_same_fields(tag: str) -> None:
    original = {**SERVER, **CLIENT}[tag]
    copy = getattr(_messages, original.__name__)
    assert copy.__struct_config__.tag == tag
    assert copy.__struct_fields__ == original.__struct_fields__
    assert not copy.__struct_config__.forbid_unknown_fields
    assert copy.__doc__ == original.__doc__


def test_codes_are_the_same() -> None:
    assert _messages.ERRORS == protocol.codes.ERRORS
    assert {int(c): v for c, v in _messages.CLOSES.items()} == {
        int(c): v for c, v in protocol.codes.CLOSES.items()
    }


def test_the_package_does_not_import_the_server() -> None:
    code = (
        "import sys, hanpan, hanpan.testing, hanpan.words, hanpan.cli; print(sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = {name.split(".")[0] for name in ast.literal_eval(done.stdout)}
    assert not found & {"protocol", "server", "engines"}
    assert msgspec.__name__ in found

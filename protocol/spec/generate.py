"""Write `protocol.schema.json` from the wire types; with --check only say whether it is up to date.

Run as `python -m protocol.spec.generate [--check]`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from protocol.client import ClientUnion
from protocol.codec import SUBPROTOCOL, VERSION
from protocol.codes import CLOSES, ERRORS
from protocol.server import ServerUnion

PATH = Path(__file__).with_name("protocol.schema.json")


def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of all messages, with the error and close codes beside it.

    `$defs` has a definition a message and part; `client` and `server` name the two unions.
    """
    (client, server), components = msgspec.json.schema_components(
        [ClientUnion, ServerUnion], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Hanpan wire protocol {VERSION}, WebSocket subprotocol {SUBPROTOCOL}",
        "anyOf": [{"$ref": "#/$defs/Client"}, {"$ref": "#/$defs/Server"}],
        "$defs": {"Client": client, "Server": server, **components},
        "x-errors": {
            code: {"class": kind, "message": text} for code, (kind, text) in ERRORS.items()
        },
        "x-closes": {
            str(int(close)): {"resume": resume, "message": text}
            for close, (resume, text) in CLOSES.items()
        },
    }


def main(arguments: list[str] | None = None) -> int:
    """Write or check the file; 1 if a check finds it stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if it is stale")
    check: bool = parser.parse_args(arguments).check
    text = json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"
    current = PATH.read_text("utf-8") if PATH.exists() else ""
    if text == current:
        return 0
    if check:
        print(f"{PATH.name} is stale: run python -m protocol.spec.generate", file=sys.stderr)
        return 1
    PATH.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

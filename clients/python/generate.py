"""Write the SDK's message types out of protocol/, or check that they are what protocol/ says.

Usage: python clients/python/generate.py [--check]

The copy is lenient where the original is strict: bounds and `forbid_unknown_fields` are left out, and
what the server sends may hold values that this copy does not know yet. It imports no project code.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(__file__).parent / "src" / "hanpan" / "_messages.py"
HEAD = '''"""The wire's message types: written by clients/python/generate.py out of protocol/, not by hand."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Literal

import msgspec

'''


class Lenient(ast.NodeTransformer):
    """Takes bounds and strictness out of a module. open_values: literals become their base types."""

    def __init__(self, open_values: bool) -> None:
        self.open_values = open_values

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """`Annotated[T, ...]` is T; a literal of strings is `str` in what the server sends."""
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        if name == "Annotated" and isinstance(node.slice, ast.Tuple):
            inner = self.visit(node.slice.elts[0])
            assert isinstance(inner, ast.expr)
            return inner
        if name == "Literal" and self.open_values:
            return ast.Name("str", ast.Load())
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A named set of values is open in what the server sends, too."""
        if self.open_values and node.id in VALUES:
            return ast.Name("str", ast.Load())
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """An action is encoded with its message, so it may be anything that JSON can hold."""
        return ast.Name("Any", ast.Load()) if node.attr == "Raw" else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Unknown fields are allowed; nothing is written that has its default."""
        keywords = [k for k in node.keywords if k.arg != "forbid_unknown_fields"]
        struct = any(isinstance(b, ast.Attribute) and b.attr == "Struct" for b in node.bases)
        if struct and not any(k.arg == "omit_defaults" for k in keywords):
            keywords.append(ast.keyword("omit_defaults", ast.Constant(True)))
        node.keywords = keywords
        node.body = [self._field(part) for part in node.body]
        return node

    def _field(self, part: ast.stmt) -> ast.stmt:
        if isinstance(part, ast.AnnAssign):
            part.annotation = self.visit(part.annotation)
        return part


def values(module: ast.Module) -> set[str]:
    """Names of aliases that are sets of values, e.g. `Speed`."""
    return {
        target.id
        for part in module.body
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Subscript)
        for target in part.targets
        if isinstance(target, ast.Name)
        and isinstance(part.value.value, ast.Name)
        and part.value.value.id == "Literal"
    }


def parse(name: str) -> ast.Module:
    """A module of protocol/."""
    return ast.parse((ROOT / "protocol" / f"{name}.py").read_text(encoding="utf-8"))


VALUES = values(parse("fields"))


def parts(name: str, open_values: bool, seen: set[str]) -> list[str]:
    """The module's definitions as lenient source. Raises ValueError when two modules share a name."""
    out = []
    for part in parse(name).body[1:]:
        if isinstance(part, (ast.Import, ast.ImportFrom)):
            continue
        defined = ""
        if isinstance(part, (ast.ClassDef, ast.FunctionDef)):
            defined = part.name
        elif isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
            defined = part.targets[0].id
        if defined and defined in seen:
            raise ValueError(f"protocol/ defines {defined} twice")
        seen.add(defined)
        out.append(ast.unparse(ast.fix_missing_locations(Lenient(open_values).visit(part))))
    return out


def source() -> str:
    """The whole generated module."""
    seen: set[str] = set()
    body = [
        part
        for name, open_values in (
            ("fields", False),
            ("client", False),
            ("server", True),
            ("codes", False),
        )
        for part in parts(name, open_values, seen)
    ]
    text = HEAD + "\n".join(body) + "\n"
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET), "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return done.stdout


def main(arguments: list[str]) -> int:
    """Write the file; with --check only say whether it is up to date (exit code 1 if not)."""
    wanted = source()
    if "--check" in arguments:
        if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == wanted:
            return 0
        print(f"{TARGET.relative_to(ROOT)} is out of date: run python clients/python/generate.py")
        return 1
    TARGET.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

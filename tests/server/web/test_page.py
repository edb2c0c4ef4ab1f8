"""The page over HTTP: policy, packing, types, and nothing beyond its files."""

from __future__ import annotations

import gzip
import re
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

import server.web.page as page

BUDGET = 250 * 1024
IMPORT = re.compile(
    r"""^(?:import|export)\s[^;]*?from\s+["']([^"']+)["']|^import\s+["']([^"']+)["']""",
    re.MULTILINE,
)


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(Starlette(routes=page.page_routes()))
    async with httpx.AsyncClient(transport=transport, base_url="http://hanpan.test") as client:
        yield client


async def test_the_first_page_has_a_strict_policy_and_nothing_inline(
    http: httpx.AsyncClient,
) -> None:
    found = await http.get("/")
    assert found.status_code == 200
    assert found.headers["content-type"] == "text/html; charset=utf-8"
    policy = found.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert found.headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=|https?://", found.text)


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/web/app/main.js", "text/javascript; charset=utf-8"),
        ("/web/style/base.css", "text/css; charset=utf-8"),
        ("/web/icon.svg", "image/svg+xml"),
        ("/web/rules/peeper/ko.html", "text/html; charset=utf-8"),
        ("/js/src/index.js", "text/javascript; charset=utf-8"),
        ("/sdk/index.js", "text/javascript; charset=utf-8"),
    ],
)
async def test_files_have_their_types(http: httpx.AsyncClient, path: str, media: str) -> None:
    found = await http.get(path)
    assert found.status_code == 200
    assert found.headers["content-type"] == media
    assert "content-security-policy" in found.headers


async def test_a_file_is_packed_and_sent_once(http: httpx.AsyncClient) -> None:
    plain = await http.get("/web/app/table.js", headers={"accept-encoding": "identity"})
    packed = await http.get("/web/app/table.js", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert packed.headers["etag"] != plain.headers["etag"]
    again = {"accept-encoding": "gzip", "if-none-match": packed.headers["etag"]}
    unchanged = await http.get("/web/app/table.js", headers=again)
    assert unchanged.status_code == 304
    assert unchanged.content == b""


@pytest.mark.parametrize(
    "path",
    [
        "/web/../../pyproject.toml",
        "/web/%2e%2e/%2e%2e/pyproject.toml",
        "/web/app/..%2f..%2f..%2fpyproject.toml",
        "/web//etc/passwd",
        "/web/app",
        "/web/test/text.test.js",
        "/web/tsconfig.json",
        "/js/src/protocol.gen.d.ts",
        "/js/package.json",
        "/sdk/../package.json",
    ],
)
async def test_nothing_else_is_served(http: httpx.AsyncClient, path: str) -> None:
    found = await http.get(path)
    assert found.status_code == 404
    assert b"hanpan" not in found.content


def first_files() -> list[str]:
    """What a browser loads to show the lobby: the document, its sheets, and every module it imports."""
    known = page.assets(page.source())
    html = known["/"].body.decode()
    waiting = re.findall(r'(?:href|src)="(/web/[^"]+)"', html)
    # The catalog of one language comes with the page.
    waiting += ["/web/text/ko.js", "/web/text/ko.games.js"]
    seen = ["/"]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.append(path)
        if path.endswith(".js"):
            for one, two in IMPORT.findall(known[path].body.decode()):
                target = one or two
                base = httpx.URL(f"http://x{path}")
                waiting.append(base.join(target).path)
    return seen


def test_the_first_page_transfers_at_most_250_kib() -> None:
    known = page.assets(page.source())
    files = first_files()
    size = sum(len(known[path].packed or known[path].body) for path in files)
    assert len(files) > 30
    assert size <= BUDGET, f"{size} bytes in {len(files)} files"


def test_every_asset_unpacks_to_itself() -> None:
    for path, found in page.assets(page.source()).items():
        if found.packed is not None:
            assert gzip.decompress(found.packed) == found.body, path


def test_an_installation_without_the_page_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "__file__", str(tmp_path / "server" / "web" / "page.py"))
    with pytest.raises(page.PageMissing, match="reinstall"):
        page.source()


def test_the_wheel_s_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = tmp_path / "hanpan_page" / "web" / "index.html"
    index.parent.mkdir(parents=True)
    index.write_text("<!doctype html>")
    monkeypatch.setattr(page, "__file__", str(tmp_path / "server" / "web" / "page.py"))
    assert page.source() == tmp_path / "hanpan_page"


def test_the_wheel_carries_every_served_folder() -> None:
    project: dict[str, Any] = tomllib.loads(
        (page.source().parent / "pyproject.toml").read_text("utf-8")
    )
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for folder in page.FOLDERS:
        if (page.source() / "web" / folder).is_dir():
            assert included[f"clients/web/{folder}"] == f"hanpan_page/web/{folder}"
    assert included["clients/js/src"] == "hanpan_page/js/src"

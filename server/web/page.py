"""The web client: `/`, `/web/...` and the JavaScript SDK under `/js/src/...` and `/sdk/...`.

Every file is read once and served from memory, so no path of a request ever reaches the disk.
"""

from __future__ import annotations

import gzip
from hashlib import blake2b
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""What is served, by suffix; everything else stays unserved."""
FOLDERS = ("app", "boards", "pieces", "style", "text", "rules")
"""Folders of the page; its tests and settings of tools are not among them."""

HEADERS = {
    # No inline script or style, no other host. 'self' covers ws: and wss: of the same origin.
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    # Asked for again each time, and answered with 304 while the file is the same.
    "cache-control": "no-cache",
    "vary": "accept-encoding",
}


class PageMissing(RuntimeError):
    """The page's files are neither in the project's folder nor in the installed package."""


class Asset(msgspec.Struct, frozen=True):
    """One file. packed: the same with gzip, where that is shorter."""

    body: bytes
    packed: bytes | None
    media: str
    etag: str


def source() -> Path:
    """The folder that holds `web/` and `js/`. Raises PageMissing."""
    top = Path(__file__).resolve().parents[2]
    # A checkout has the clients beside the server; the wheel carries them as data.
    for folder in (top / "clients", top / "hanpan_page"):
        if (folder / "web" / "index.html").is_file():
            return folder
    raise PageMissing(f"no page in {top}: reinstall hanpan-server")


def assets(folder: Path) -> dict[str, Asset]:
    """Every file that is served, by its path."""
    web = folder / "web"
    found = {"/": asset(web / "index.html"), "/web/icon.svg": asset(web / "icon.svg")}
    for name in FOLDERS:
        for path in sorted((web / name).rglob("*")):
            if path.suffix in TYPES:
                found[f"/web/{path.relative_to(web).as_posix()}"] = asset(path)
    for path in sorted((folder / "js" / "src").rglob("*.js")):
        shown = path.relative_to(folder / "js" / "src").as_posix()
        found[f"/js/src/{shown}"] = found[f"/sdk/{shown}"] = asset(path)
    return found


def asset(path: Path) -> Asset:
    """One file, read and packed."""
    body = path.read_bytes()
    packed = gzip.compress(body, 9, mtime=0)
    shorter = packed if len(packed) < len(body) else None
    return Asset(body, shorter, TYPES[path.suffix], blake2b(body, digest_size=12).hexdigest())


def answer(found: Asset, request: Request) -> Response:
    """The file, packed where the browser takes that; 304 where it has it."""
    pack = found.packed is not None and "gzip" in request.headers.get("accept-encoding", "")
    etag = f'"{found.etag}{"-gz" if pack else ""}"'
    headers = {**HEADERS, "etag": etag}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if pack:
        headers["content-encoding"] = "gzip"
    body = found.packed if pack and found.packed is not None else found.body
    return Response(body, headers=headers, media_type=found.media)


def page_routes() -> list[BaseRoute]:
    """The page's routes. Raises PageMissing."""
    known = assets(source())

    async def serve(request: Request) -> Response:
        found = known.get(request.url.path)
        if found is None:
            return Response("not found", 404, HEADERS, "text/plain")
        return answer(found, request)

    return [
        Route("/", serve),
        *(Route(f"/{folder}/{{path:path}}", serve) for folder in ("web", "js/src", "sdk")),
    ]

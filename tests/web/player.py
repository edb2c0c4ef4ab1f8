"""A player at the page: keys, touches, and what the page and its line say."""

from __future__ import annotations

import json
import time
from typing import Any

from playwright.async_api import Page, WebSocket

OPEN_MS = 40_000
"""How long a loaded machine may take to bring up the page."""

WATCH = """
() => {
  window.heard = [];
  const listen = (id) => new MutationObserver((changes) => {
    for (const change of changes)
      for (const node of change.addedNodes)
        if (node.nodeType === 1) window.heard.push([id, node.textContent]);
  }).observe(document.getElementById(id), { childList: true });
  for (const id of ["log", "earlier", "status", "alert"]) listen(id);
}
"""
"""Records everything that is put into a live region, in order."""


class Player:
    """One browser with one page. said: the sentences of all frames, in the order of the line."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.errors: list[str] = []
        self.frames: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.hosts: set[str] = set()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)
        page.on("websocket", self._socket)
        page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))

    def _console(self, message: Any) -> None:
        # What the browser itself reports of a server that is away is no error of the page.
        away = ("net::ERR", "WebSocket connection")
        if message.type == "error" and not any(word in message.text for word in away):
            self.errors.append(message.text)

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: self.frames.append(json.loads(data)))
        socket.on("framesent", lambda data: self.sent.append(json.loads(data)))

    @property
    def said(self) -> list[str]:
        """Every sentence of every frame of a table, each frame once."""
        seen: set[tuple[str, int]] = set()
        found = []
        for frame in self.frames:
            if frame["type"] in ("update", "snapshot"):
                key = (frame.get("stream", ""), frame["seq"])
                if key not in seen:
                    seen.add(key)
                    found += [line["text"] for line in frame.get("say") or ()]
        return found

    async def prepare(self, settings: dict[str, Any]) -> None:
        """Storage and recorders, before the page is loaded."""
        chosen = json.dumps(settings)
        await self.page.add_init_script(
            f"localStorage.getItem('hanpan.settings') ?? localStorage.setItem('hanpan.settings', {chosen!r})"
        )
        await self.page.add_init_script(f"addEventListener('DOMContentLoaded', {WATCH})")

    async def open(self, path: str = "/") -> None:
        """Load an address of the page."""
        await self.page.goto(self.url + path)
        await self.page.locator("#line[data-state=open]").wait_for(
            state="attached", timeout=OPEN_MS
        )

    async def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        for key in keys:
            await self.page.keyboard.press(key)

    async def play_with_bots(self, game: str = "peeper", ruleset: str = "standard") -> None:
        """Open the lobby and start this game by its button."""
        await self.open()
        card = f'li.game-card[data-game="{game} {ruleset}"] button.primary'
        await self.page.locator(card).click()
        await self.page.locator(".hand [role=option]").first.wait_for()

    async def make_table(self, join: bool = True, ready: bool = True, **wish: Any) -> str:
        """Make a table with the page's own connection and come to it; its id."""
        table: str = await self.page.evaluate(
            """async ([wish, intent]) => {
              const { client } = await import("/web/app/session.js");
              const { come } = await import("/web/app/intent.js");
              const table = await client.create(wish);
              come(table.id, intent);
              return table.id;
            }""",
            [wish, {"join": join, "ready": ready}],
        )
        await self.page.locator("hanpan-table .felt").wait_for()
        return table

    async def company(self, table: str, *names: str, invite: str | None = None) -> None:
        """Other people sit down at the table, are ready, and do what a time-out would do."""
        await self.page.evaluate(
            """async ([id, names, invite]) => {
              const { connect } = await import("/js/src/index.js");
              window.company = [];
              for (const name of names) {
                const client = await connect(location.origin, { name });
                const table = client.table(id);
                await table.join(invite ? { invite } : {});
                await table.ready();
                window.company.push(table);
                (async () => {
                  for (const request of table.requests) await table.act(request, request.default);
                  for await (const request of table.decisions())
                    table.act(request, request.default).catch(() => {});
                })();
              }
            }""",
            [table, names, invite],
        )

    async def heard(self, region: str | None = None) -> list[str]:
        """What was put into a live region, or into the log and its earlier part."""
        wanted = ("log", "earlier") if region is None else (region,)
        return [text for where, text in await self.page.evaluate("heard") if where in wanted]

    async def log(self) -> list[str]:
        """The log as it stands, its earlier part included."""
        texts: list[str] = await self.page.locator("#earlier > p, #log > p").all_inner_texts()
        return texts

    async def status_after(self, key: str) -> str:
        """Press a key and return what it made the polite region say."""
        before = len(await self.heard("status"))
        await self.press(key)
        until = time.monotonic() + 5
        while time.monotonic() < until:
            said = await self.heard("status")
            if len(said) > before:
                return said[-1]
            await self.page.wait_for_timeout(20)
        raise AssertionError(f"{key} was not answered")

    async def click_at_once(self, selector: str, place: int = -1) -> None:
        """Click the one at this place of what is there now; nothing if the table has gone on since.

        Looking and clicking are one step in the page: between two steps a bot may have acted.
        """
        await self.page.evaluate(
            "([selector, place]) => [...document.querySelectorAll(selector)].at(place)?.click()",
            [selector, place],
        )

    async def state(self) -> dict[str, Any]:
        """What is asked of the player, as the page shows it."""
        found: dict[str, Any] = await self.page.evaluate(
            """() => ({
              over: !!document.querySelector('.result'),
              turn: !!document.querySelector('.state.yours'),
              held: !!document.querySelector('.held-turn:not([hidden])'),
              claims: [...document.querySelectorAll('.claims button')].map((b) => b.dataset.act),
              bare: [...document.querySelectorAll('.bare button')].map((b) => b.dataset.act),
              ways: document.querySelectorAll('.ways button').length,
              hand: [...document.querySelectorAll('.hand [role=option]')].map((o) => o.dataset.key),
              dull: [...document.querySelectorAll('.hand .dull')].map((o) => o.dataset.key),
              active: document.activeElement?.dataset?.key ?? document.activeElement?.id ?? '',
              dialog: !!document.querySelector('dialog[open]'),
            })"""
        )
        return found

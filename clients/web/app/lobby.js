/** The lobby: play at once, private tables, and the public tables as they are. */

import { checkBox } from "./checkbox.js";
import { openCreate } from "./create.js";
import { bdi, h, sync } from "./dom.js";
import { come } from "./intent.js";
import { openJoin } from "./join.js";
import * as live from "./live.js";
import { showRules } from "./rules.js";
import { client, gameInfo, games, title } from "./session.js";
import { settings } from "./settings.js";
import { duration, first, t } from "./text.js";
import { emblem } from "../pieces/emblem.js";

/** @import {TableInfo} from "../../js/src/protocol.gen.js" */

/** The systems to choose from: each game, and each further ruleset that has a name of its own. */
export function systems() {
  const known = ["peeper", "cockroach_duel", "pepper", "chamsaejak"];
  const rank = (/** @type {string} */ name) => (known.indexOf(name) + known.length + 1) % (known.length + 1);
  return [...games]
    .sort((a, b) => rank(a.game) - rank(b.game))
    .flatMap((info) => Object.keys(info.rulesets).map((ruleset) => ({ game: info.game, ruleset })));
}

/** How many sit at a table of bots: the game's usual number. @param {string} game */
export function usualSeats(game) {
  const [least = 2, most = 4] = gameInfo(game)?.seats ?? [];
  return Math.min(most, Math.max(least, 4));
}

/** A table against bots, seated and ready: from the first page to the first hand. @param {string} game @param {string} ruleset */
export async function playWithBots(game, ruleset) {
  const seats = usualSeats(game);
  try {
    const table = await client.create({ game, ruleset, seats, bots: seats - 1, speed: /** @type {any} */ (settings.speed) });
    come(table.id, { join: true, ready: true });
  } catch (error) {
    live.error(/** @type {Error} */ (error).message);
  }
}

export class LobbyPage extends HTMLElement {
  /** @type {Map<string, TableInfo>} */
  #tables = new Map();
  #list = h("ul", { class: "tables" });
  #none = h("p", { class: "none" });
  #filters = { game: "", open: false };
  /** @type {(() => void)[]} */
  #offs = [];

  async connectedCallback() {
    document.title = t("lobby.title");
    this.#build();
    this.#offs.push(
      client.on("lobby", ({ tables = [], gone = [] }) => {
        for (const info of tables) this.#tables.set(info.table, info);
        for (const id of gone) this.#tables.delete(id);
        this.#render();
      }),
    );
    try {
      for (const info of await client.watchLobby()) this.#tables.set(info.table, info);
      this.#render();
    } catch (error) {
      live.error(/** @type {Error} */ (error).message);
    }
  }

  disconnectedCallback() {
    for (const off of this.#offs.splice(0)) off();
    if (client.state.name === "open") client.unwatchLobby().catch(() => {});
  }

  #build() {
    const [main, ...others] = systems();
    const button = (/** @type {{game: string, ruleset: string}} */ { game, ruleset }, /** @type {string} */ look) =>
      h(
        "button",
        { type: "button", class: look, onclick: () => playWithBots(game, ruleset) },
        look === "primary big" ? t("play-now", { game: title(game, ruleset) }) : t("play-bots"),
        look === "primary big" ? null : h("span", { class: "unseen" }, ` ${title(game, ruleset)}`),
      );
    this.replaceChildren(
      h(
        "section",
        { class: "hero", "aria-labelledby": "lobby-title" },
        h("h1", { id: "lobby-title" }, h("span", { lang: "ko" }, "한판"), " Hanpan"),
        h("p", { class: "lead" }, t("tagline")),
        h("p", { class: "row" }, main ? button(main, "primary big") : t("no-games")),
        this.#byEar(),
      ),
      this.#back(),
      h(
        "section",
        { "aria-labelledby": "games-title" },
        h("h2", { id: "games-title" }, t("games")),
        h(
          "ul",
          { class: "games" },
          ...[main, ...others].filter(Boolean).map((system) =>
            h(
              "li",
              { class: "game-card", "data-game": `${system.game} ${system.ruleset}` },
              emblem(system.game),
              h("h3", {}, title(system.game, system.ruleset)),
              h("p", {}, first([`about.${system.game}.${system.ruleset}`, `about.${system.game}`], this.#seatsOf(system.game))),
              h("p", { class: "seats-of" }, this.#seatsOf(system.game)),
              h(
                "div",
                { class: "row" },
                button(system, "primary"),
                h("button", { type: "button", class: "quiet", onclick: () => showRules(system.game) }, t("rules"), h("span", { class: "unseen" }, ` ${title(system.game)}`)),
              ),
            ),
          ),
        ),
      ),
      h(
        "section",
        { "aria-labelledby": "with-title" },
        h("h2", { id: "with-title" }, t("with-people")),
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", onclick: () => openCreate("public") }, t("create.public")),
          h("button", { type: "button", onclick: () => openCreate("private") }, t("create.private")),
          h("button", { type: "button", onclick: () => openJoin() }, t("join-code")),
        ),
        h("h3", { id: "tables-title" }, t("tables")),
        this.#filterRow(),
        this.#none,
        this.#list,
      ),
    );
    this.#render();
  }

  /** @param {string} game */
  #seatsOf(game) {
    const [least, most] = gameInfo(game)?.seats ?? [2, 2];
    return least === most ? t("seats.exactly", { n: least }) : t("seats.between", { a: least, b: most });
  }

  /** The choices of the ear, offered on the first screen. */
  #byEar() {
    return h("fieldset", { class: "by-ear" }, h("legend", {}, t("by-ear")), checkBox("voice"), checkBox("sounds"), checkBox("shared"));
  }

  /** Seats that this player holds. */
  #back() {
    const seats = client.seated.filter((seat) => seat.phase !== "ended");
    for (const table of client.tables.values())
      if (table.seat !== null && !table.result && !seats.some((seat) => seat.table === table.id))
        seats.push({ table: table.id, game: table.info?.game, seat: table.seat });
    if (seats.length === 0) return "";
    return h(
      "section",
      { class: "back", "aria-labelledby": "back-title" },
      h("h2", { id: "back-title" }, t("your-tables")),
      h("div", { class: "row" }, ...seats.map((seat) => h("a", { class: "button primary", href: `#/table/${seat.table}` }, t("return-to", { game: title(seat.game) })))),
    );
  }

  #filterRow() {
    const options = [["", t("filter.all")], ...[...new Set(games.map((info) => info.game))].map((game) => [game, title(game)])];
    return h(
      "div",
      { class: "row filters", role: "group", "aria-label": t("filters") },
      h("label", { for: "filter-game" }, t("filter.game")),
      h(
        "select",
        { id: "filter-game", onchange: (/** @type {any} */ event) => ((this.#filters.game = event.target.value), this.#render()) },
        ...options.map(([value, text]) => h("option", { value }, text)),
      ),
      h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", onchange: (/** @type {any} */ event) => ((this.#filters.open = event.target.checked), this.#render()) }),
        t("filter.open"),
      ),
    );
  }

  #render() {
    const shown = [...this.#tables.values()].filter(
      (info) =>
        info.phase !== "ended" &&
        (!this.#filters.game || info.game === this.#filters.game) &&
        (!this.#filters.open || (info.phase === "waiting" && info.seats.some((seat) => seat.state === "open"))),
    );
    this.#none.textContent = shown.length === 0 ? t("tables.none") : "";
    this.#list.hidden = shown.length === 0;
    sync(this.#list, shown, (info) => info.table, () => h("li", { class: "table-row" }), (element, info) => this.#row(element, info));
  }

  /** @param {HTMLElement} element @param {TableInfo} info */
  #row(element, info) {
    const open = info.seats.filter((seat) => seat.state === "open").length;
    const key = JSON.stringify(info);
    if (element.dataset.shown === key) return;
    element.dataset.shown = key;
    const names = info.seats.filter((seat) => seat.name).map((seat) => seat.name ?? "");
    element.replaceChildren(
      h(
        "div",
        {},
        h("strong", {}, title(info.game, info.ruleset)),
        " ",
        h("span", { class: "quiet-text" }, [t(`speed.${info.speed}`), info.turn_ms ? t("terms.short", { n: duration(info.turn_ms) }) : "", t(`phase.${info.phase}`), open > 0 ? t("open-seats", { n: open }) : "", info.audience ? t("audience", { n: info.audience }) : "", info.arranged ? t("terms.arranged") : ""].filter(Boolean).join(", ")),
        h("p", {}, ...names.flatMap((name, i) => [i > 0 ? ", " : "", bdi(name)])),
      ),
      h(
        "div",
        { class: "row" },
        info.phase === "waiting" && open > 0
          ? h("button", { type: "button", onclick: () => join(info.table) }, t("join"), h("span", { class: "unseen" }, ` ${names.join(", ")}`))
          : null,
        h("a", { class: "button", href: `#/table/${info.table}` }, t("watch"), h("span", { class: "unseen" }, ` ${names.join(", ")}`)),
      ),
    );
  }
}

/** Sit down and come to the table. @param {string} id @param {string} [invite] */
export function join(id, invite) {
  come(id, invite ? { join: true, invite } : { join: true });
}

customElements.define("hanpan-lobby", LobbyPage);

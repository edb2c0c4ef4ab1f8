/** A table before its match: who is there, the rules of this table in plain words, and getting ready. */

import { bdi, h } from "./dom.js";
import * as live from "./live.js";
import { optionName, optionValue } from "./labels.js";
import { client, gameInfo } from "./session.js";
import { duration, t } from "./text.js";

/** @import {Table} from "../../js/src/table.js" */
/** @import {TableInfo} from "../../js/src/protocol.gen.js" */

/** Everything that differs between tables of a game, in plain words. @param {TableInfo} info */
export function terms(info) {
  const lines = [
    t(`speed.${info.speed}`),
    info.turn_ms ? t("terms.turn", { turn: duration(info.turn_ms), bank: duration(info.bank_ms ?? 0) }) : t("terms.no-clock"),
    info.claim_ms ? t("terms.window", { n: duration(info.claim_ms + (info.grace_ms ?? 0)) }) : null,
    info.early_close ? t("terms.early") : null,
    t(`terms.away.${info.away_policy ?? "bot"}`, { n: duration(info.away_ms ?? 60_000) }),
    info.open_record ? t("terms.open-record") : null,
    info.arranged ? t("terms.arranged") : null,
    info.rated ? t("terms.rated") : null,
    info.spectate_delay_ms ? t("terms.delay", { n: duration(info.spectate_delay_ms) }) : null,
  ];
  return lines.filter((line) => line !== null);
}

/** The options that are not the ruleset's own. @param {TableInfo} info */
export function changedOptions(info) {
  const base = gameInfo(info.game)?.rulesets[info.ruleset]?.options ?? {};
  return Object.entries(info.options)
    .filter(([option, value]) => option !== "claim_ms" && base[option] !== value)
    .map(([option, value]) => `${optionName(info.game, option)}: ${optionValue(info.game, option, value)}`);
}

/** @param {Table} table @param {(call: Promise<any>) => Promise<void>} attempt */
export function waitingRoom(table, attempt) {
  const info = /** @type {TableInfo} */ (table.info);
  const host = info.host !== undefined && info.host === client.player?.id;
  const own = table.seat === null ? null : table.seats[table.seat];
  const full = table.seats.every((seat) => seat.state !== "open");
  return h(
    "section",
    { class: "waiting", "aria-labelledby": "waiting-title" },
    h("h2", { id: "waiting-title" }, t("waiting.title")),
    h("ul", { class: "terms" }, ...[...terms(info), ...changedOptions(info)].map((line) => h("li", {}, line))),
    table.invite ? invitation(table) : null,
    h(
      "ul",
      { class: "sitting" },
      ...table.seats.map((seat) =>
        h(
          "li",
          {},
          seat.name ? bdi(seat.name) : t("seat-free", { n: seat.seat + 1 }),
          " ",
          seat.state === "bot" ? h("span", { class: "badge bot" }, t("bot")) : null,
          seat.ready ? h("span", { class: "badge ready" }, t("ready")) : null,
          host && seat.state === "open"
            ? h("button", { type: "button", class: "quiet", onclick: () => attempt(table.addBot({ seat: seat.seat })) }, t("add-bot", { n: seat.seat + 1 }))
            : null,
          host && seat.state === "bot"
            ? h("button", { type: "button", class: "quiet", onclick: () => attempt(table.removeBot(seat.seat)) }, t("remove-bot", { who: seat.name ?? "" }))
            : null,
        ),
      ),
    ),
    h(
      "div",
      { class: "row" },
      own
        ? h("button", { type: "button", class: "primary", "aria-pressed": String(own.ready ?? false), onclick: () => attempt(table.ready(!own.ready)) }, t(own.ready ? "not-ready" : "get-ready"))
        : full ? null : h("button", { type: "button", class: "primary", onclick: () => attempt(table.join()) }, t("sit-down")),
      host && full ? h("button", { type: "button", onclick: () => attempt(table.start()) }, t("start-now")) : null,
    ),
  );
}

/** @param {Table} table */
function invitation(table) {
  const code = /** @type {string} */ (table.invite);
  const link = `${location.origin}/#/join/${table.id}/${code}`;
  const spaced = code.replace(/(\d{4})(?=\d)/g, "$1 ");
  return h(
    "div",
    { class: "invitation" },
    h("p", {}, t("invite.code"), " ", h("strong", { class: "code" }, spaced)),
    h(
      "button",
      {
        type: "button",
        onclick: async () => {
          try {
            await navigator.clipboard.writeText(link);
            live.status(t("invite.copied"));
          } catch {
            live.status(link);
          }
        },
      },
      t("invite.copy"),
    ),
  );
}

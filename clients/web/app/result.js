/** The end of a match: places, points, the score sheet, and what next. */

import { bdi, h } from "./dom.js";
import { t } from "./text.js";

/** @import {Table} from "../../js/src/table.js" */

/**
 * @param {Table} table
 * @param {(seat: number) => string} name
 * @param {(call: Promise<any>) => Promise<void>} attempt
 */
export function resultPanel(table, name, attempt) {
  const { result } = table;
  const voided = result.type === "match_voided";
  const asked = table.seat !== null && table.seats[table.seat]?.ready;
  return h(
    "section",
    { class: "result", "aria-labelledby": "result-title" },
    h("h2", { id: "result-title", tabindex: "-1" }, t(voided ? "voided" : "finished")),
    voided ? h("p", {}, t("voided.why")) : standings(result, name),
    sheet(table.view?.sheet ?? [], name, table.seats.length),
    h(
      "div",
      { class: "row" },
      table.seat !== null && !asked
        ? h("button", { type: "button", class: "primary", onclick: () => attempt(table.rematch()) }, t("rematch"))
        : null,
      asked ? h("p", {}, t("rematch.asked")) : null,
      result.record ? h("a", { class: "button", href: `#/record/${result.record}` }, t("replay")) : null,
      h("a", { class: "button", href: "#/" }, t("to-lobby")),
    ),
  );
}

/** @param {any} result @param {(seat: number) => string} name */
function standings({ places, scores, forfeited = [] }, name) {
  const seats = places.map((/** @type {number} */ _, /** @type {number} */ seat) => seat);
  seats.sort((/** @type {number} */ a, /** @type {number} */ b) => places[a] - places[b]);
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...["place", "player", "score"].map((key) => h("th", { scope: "col" }, t(key))))),
    h(
      "tbody",
      {},
      ...seats.map((/** @type {number} */ seat) =>
        h(
          "tr",
          { class: places[seat] === 1 ? "first" : null },
          h("td", {}, places[seat]),
          h("th", { scope: "row" }, bdi(name(seat)), forfeited.includes(seat) ? ` (${t("forfeited")})` : null),
          h("td", {}, scores[seat]),
        ),
      ),
    ),
  );
}

/** Points of each round, where there were several. @param {number[][]} rounds @param {(seat: number) => string} name @param {number} n */
function sheet(rounds, name, n) {
  if (rounds.length < 2) return null;
  const seats = Array.from({ length: n }, (_, seat) => seat);
  return h(
    "table",
    { class: "sheet" },
    h("caption", {}, t("sheet")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("round-word")), ...seats.map((seat) => h("th", { scope: "col" }, bdi(name(seat)))))),
    h(
      "tbody",
      {},
      ...rounds.map((points, i) => h("tr", {}, h("th", { scope: "row" }, i + 1), ...points.map((p) => h("td", {}, p)))),
    ),
  );
}

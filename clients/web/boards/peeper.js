/** Peeper: what is to be beaten in the middle, what was laid before it fading behind. */

import { h, unseen } from "../app/dom.js";
import { rich, t } from "../app/text.js";
import { cell, face, spoken } from "../pieces/peeper.js";

/** @import {Board, Scene} from "./board.js" */

const BEHIND = 3;

/** A combination in words. @param {string} kind @param {number} low @param {number} size */
function call(kind, low, size) {
  const name = t(`kind.${kind}`);
  const rank = low === 16 ? "X" : String(low);
  if (kind !== "straight" && kind !== "pair_straight") return t("peeper.call", { rank, name });
  const steps = kind === "straight" ? size : size / 2;
  const high = low + steps - 1;
  return t("peeper.run", { rank, high: high === 16 ? "X" : String(high), name });
}

/** The plays of the trick under way, oldest first. @param {any[]} trail */
function trick(trail) {
  const from = trail.findLastIndex((event) => ["trick_won", "round_started"].includes(event.type));
  return trail.slice(from + 1).filter((event) => event.tiles && event.type !== "starter_found");
}

/** @param {any} play @param {string} more */
function tiles(play, more) {
  const faces = play.tiles.map((/** @type {string} */ tile) => face(tile));
  return h("div", { class: `laid ${more}` }, ...faces);
}

/** @param {any} play */
function caption(play) {
  if (play.type === "mined" || play.did === "mine") return t("peeper.mine", { tile: spoken(play.tiles[0]) });
  if (play.type === "returned" || play.did === "return")
    return t("peeper.return", { tile: spoken(play.tiles[0]) });
  return call(play.as, play.low, play.tiles.length);
}

/** @param {Scene} scene */
function middle({ view, table, trail, name }) {
  const laid = trick(trail);
  const now = laid.at(-1) ?? view.top ?? null;
  const leads = !view.top && view.turn != null && !now;
  const way = view.direction ?? "clockwise";
  const direction = h(
    "span",
    { class: "direction" },
    h("span", { "aria-hidden": "true" }, way === "clockwise" ? "↻" : "↺"),
    unseen(t(`direction.${way}`)),
  );
  const behind = laid.slice(0, -1).slice(-BEHIND).map((play) => tiles(play, "behind"));
  const first = ["mined", "returned"].includes(now?.type) ? ` ${now.type}` : "";
  return [
    h("div", { class: "behind-row" }, table.result ? null : direction, ...behind),
    now && tiles(now, `top${first}`),
    now && h("p", { class: "caption" }, ...rich("by", { what: caption(now), who: name(now.seat) })),
    leads ? h("p", { class: "caption" }, ...rich("peeper.leads", { who: name(view.turn) })) : null,
  ];
}

/** @param {Scene} scene @param {number} seat */
function plate({ view, trail }, seat) {
  const last = trail.findLast((event) => event.seat === seat && event.type !== "count_announced");
  const passed = (view.passed ?? []).includes(seat) || (last?.type === "passed" && last === trail.at(-1));
  const low = view.counts?.[seat] != null && view.counts[seat] <= (view.announce_at ?? 5);
  return [
    passed ? h("span", { class: "badge pass" }, t("passed")) : null,
    // For the eye: the count beside it says the same.
    low ? h("span", { class: "badge low", "aria-hidden": "true" }, t("left", { n: view.counts[seat] })) : null,
  ];
}

/** @type {Board} */
export const board = {
  game: "peeper",
  face,
  spoken,
  cell,
  middle,
  plate,
  label(action) {
    const pieces = (action.tiles ?? []).map(spoken).join(" ");
    if (action.type !== "play" || !action.as) return null;
    return `${t("act.play")}: ${call(action.as, action.low ?? 0, action.tiles.length)} (${pieces})`;
  },
};

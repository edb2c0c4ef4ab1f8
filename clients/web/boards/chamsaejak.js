/** Chamsae-jak: dora and stock in the middle, each seat's discards before it, a win shown set by set. */

import { h, unseen } from "../app/dom.js";
import { has, rich, t } from "../app/text.js";
import { face, spoken } from "../pieces/sparrow.js";

/** @import {Board, Scene} from "./board.js" */

/** Where the points came from, in words. @param {any} parts */
function reasons(parts) {
  return Object.entries(parts ?? {})
    .filter(([, value]) => value)
    .map(([part, value]) => {
      const key = `sparrow.part.${part}`;
      if (!has(key)) return null;
      const said = typeof value === "string" && has(`sparrow.part.${value}`) ? t(`sparrow.part.${value}`) : value;
      return h("li", {}, typeof value === "number" ? t(key, { n: value }) : t(key, { n: String(said) }));
    });
}

/** @param {Scene} scene @param {any} event a win, or a false one */
function shown({ name }, event) {
  const key = event.type === "won" ? `sparrow.${event.by}` : "sparrow.false";
  return h(
    "div",
    { class: `shown ${event.type}` },
    h("div", { class: "laid top" }, ...event.tiles.map(face)),
    h("p", { class: "caption" }, ...rich(key, { who: name(event.seat), n: event.payout ?? event.points ?? 0 }), unseen(`: ${event.tiles.map(spoken).join(", ")}`)),
    event.parts ? h("ul", { class: "reasons", "aria-label": t("sparrow.parts") }, ...reasons(event.parts)) : null,
  );
}

/** @param {Scene} scene */
function middle(scene) {
  const { view, name } = scene;
  const wins = (view.last ?? []).filter((/** @type {any} */ event) => event.tiles);
  const exhausted = (view.last ?? []).some((/** @type {any} */ event) => event.type === "exhausted");
  const claimable = view.discard ?? null;
  return [
    h(
      "div",
      { class: "dora" },
      h("span", { class: "label" }, t("sparrow.dora")),
      ...(view.dora ? [face(view.dora), unseen(spoken(view.dora))] : []),
      h("span", { class: "label" }, t("sparrow.stock", { n: view.stock ?? 0 })),
      h("span", { class: "label" }, t("sparrow.hand-of", { n: view.round ?? 1, all: view.hands_in_match ?? 1 })),
    ),
    claimable
      ? h(
          "div",
          { class: "claimable" },
          h("div", { class: "laid top" }, face(claimable)),
          h("p", { class: "caption" }, unseen(`${spoken(claimable)}: `), ...rich("sparrow.discarded", { who: name(view.opener) })),
        )
      : null,
    ...wins.map((/** @type {any} */ event) => shown(scene, event)),
    exhausted ? h("p", { class: "caption" }, t("sparrow.exhausted")) : null,
  ];
}

/** @param {Scene} scene @param {number} seat */
function plate({ view }, seat) {
  return [(view.dealer ?? 0) === seat ? h("span", { class: "badge dealer" }, t("dealer")) : null];
}

/** @param {Scene} scene @param {number} seat */
function front({ view, name }, seat) {
  const discards = view.discards?.[seat] ?? [];
  if (discards.length === 0) return [h("div", { class: "discards" })];
  const said = t("sparrow.discards", { who: name(seat), tiles: discards.map(spoken).join(", ") });
  const tiles = discards.map((/** @type {string} */ tile) => face(tile));
  return [h("div", { class: "discards", role: "img", "aria-label": said }, ...tiles)];
}

/** @type {Board} */
export const board = {
  game: "chamsaejak",
  face,
  spoken,
  middle,
  plate,
  front,
  apart: ({ view }) => view.drawn ?? null,
  around: () => -1,
  standing: { label: "sparrow.auto-ron", orders: { ron: "auto" } },
};

/** The board of a game that the page does not know: everything that its view says, in words and pieces. */

import { h } from "../app/dom.js";
import { word } from "../app/labels.js";
import { humanise, t } from "../app/text.js";

/** @import {Board} from "./board.js" */

/** Fields that the page shows elsewhere. */
const ELSEWHERE = new Set(["seat", "turn", "hand", "counts", "scores", "round", "places", "last"]);
const DEPTH = 3;

/** @param {string} game @returns {Board} */
export function board(game) {
  /** @param {string} piece */
  const face = (piece) => h("span", { class: "piece card plain", "aria-hidden": "true" }, piece);

  /** @param {any} value @param {number} depth @returns {Node | string} */
  const show = (value, depth) => {
    if (Array.isArray(value)) {
      if (value.length > 0 && value.every((part) => typeof part === "string"))
        return h("span", { class: "laid" }, ...value.map((part) => h("span", { class: "piece card plain" }, part)));
      return depth > DEPTH
        ? JSON.stringify(value)
        : h("ul", {}, ...value.map((part) => h("li", {}, show(part, depth + 1))));
    }
    if (value !== null && typeof value === "object") return list(value, depth + 1);
    return typeof value === "string" ? word(game, value) : String(value);
  };

  /** @param {any} fields @param {number} depth */
  const list = (fields, depth) => {
    const rows = Object.entries(fields).filter(([field]) => depth > 0 || !ELSEWHERE.has(field));
    if (rows.length === 0) return h("p", { class: "caption" }, t("generic.empty"));
    return h(
      "dl",
      {},
      ...rows.flatMap(([field, value]) => [h("dt", {}, humanise(field)), h("dd", {}, show(value, depth))]),
    );
  };

  return {
    game,
    face,
    spoken: (piece) => word(game, piece),
    middle: ({ view }) => [h("div", { class: "generic" }, list(view, 0))],
  };
}

/** A small picture of each game for the lobby, made of its own pieces. */

import { h } from "../app/dom.js";
import { face as card } from "./cards.js";
import { face as insect } from "./insects.js";
import { face as peeper } from "./peeper.js";
import { face as sparrow } from "./sparrow.js";

/** @type {Record<string, () => Element[]>} */
const PIECES = {
  peeper: () => ["7", "7", "X"].map(peeper),
  cockroach_duel: () => ["roach", "toad"].map(insect),
  pepper: () => ["JH", "JD", "AH"].map((piece) => card(piece)),
  chamsaejak: () => ["1", "3r", "F"].map(sparrow),
};

/** @param {string} game */
export function emblem(game) {
  const pieces = PIECES[game]?.() ?? [h("span", { class: "piece card plain" }, "?")];
  return h("div", { class: "emblem", "aria-hidden": "true" }, ...pieces);
}

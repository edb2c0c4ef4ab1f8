/** Pepper's cards. Suits are told by shape as well as by colour. */

import { h, s } from "../app/dom.js";
import { t } from "../app/text.js";

/** @type {Record<string, string>} */
const SUITS = {
  H: "M16 28C7 20 3 15 3 10a6.5 6.5 0 0 1 13-2 6.5 6.5 0 0 1 13 2c0 5-4 10-13 18z",
  D: "M16 2l11 14-11 14L5 16z",
  S: "M16 2c7 7 12 10 12 16a6 6 0 0 1-10.5 4l2.5 7h-8l2.5-7A6 6 0 0 1 4 18C4 12 9 9 16 2z",
  C: "M16 3a6.5 6.5 0 0 1 5.6 9.800A6.5 6.5 0 1 1 18 23l2 6h-8l2-6a6.5 6.5 0 1 1-3.6-10.200A6.5 6.5 0 0 1 16 3z",
};

/** @param {string} suit */
export function suitMark(suit) {
  const red = suit === "H" || suit === "D";
  return s(
    "svg",
    { viewBox: "0 0 32 32", class: `suit ${red ? "red" : "black"}`, "aria-hidden": "true" },
    s("path", { d: SUITS[suit] }),
  );
}

/** @param {string} piece */
export const suitOf = (piece) => piece.slice(-1);
/** @param {string} piece */
export const rankOf = (piece) => piece.slice(0, -1);

/** @param {string} piece @param {string | null} [trump] */
export function face(piece, trump = null) {
  const suit = suitOf(piece);
  const red = suit === "H" || suit === "D" ? " red" : "";
  const mark = trump && isTrump(piece, trump) ? " trump" : "";
  return h(
    "span",
    { class: `piece card${red}${mark}`, "aria-hidden": "true" },
    h("span", { class: "rank" }, rankOf(piece)),
    suitMark(suit),
  );
}

/** @type {Record<string, string>} */
const SISTER = { C: "S", S: "C", D: "H", H: "D" };

/** Whether the card belongs to the trump suit, the left bower included. @param {string} piece @param {string} trump */
export function isTrump(piece, trump) {
  return suitOf(piece) === trump || (rankOf(piece) === "J" && SISTER[trump] === suitOf(piece));
}

/** @param {string} piece */
export function spoken(piece) {
  return t("card", { suit: t(`suit.${suitOf(piece)}`), rank: t(`rank.${rankOf(piece)}`) });
}

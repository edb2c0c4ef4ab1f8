/** Peeper's tiles: ivory blocks with an engraved number and its letter in braille, as the real ones. */

import { h, s } from "../app/dom.js";
import { t } from "../app/text.js";

/** Braille dots a..o for 1..15, and x (dot 1 top left, 4 top right). */
const DOTS = ["1", "12", "14", "145", "15", "124", "1245", "125", "24", "245", "13", "123", "134", "1345", "135"];
const X_DOTS = "1346";

/** @param {string} piece */
export function dots(piece) {
  return piece === "X" ? X_DOTS : (DOTS[Number(piece.replace("r", "")) - 1] ?? "");
}

/** The braille cell of a tile as text. @param {string} piece */
export function cell(piece) {
  const bits = [...dots(piece)].reduce((sum, dot) => sum + 2 ** (Number(dot) - 1), 0);
  return String.fromCodePoint(0x2800 + bits);
}

/** @param {string} piece */
export function face(piece) {
  const red = piece.endsWith("r");
  const kind = red ? " red" : piece === "X" ? " wild" : "";
  return h(
    "span",
    { class: `piece tile peeper${kind}`, "aria-hidden": "true" },
    h("span", { class: "number" }, piece.replace("r", "")),
    red && h("span", { class: "notch" }),
    braille(piece),
  );
}

/** @param {string} piece */
function braille(piece) {
  const set = new Set(dots(piece));
  const marks = ["1", "2", "3", "4", "5", "6"].map((dot, i) =>
    s("circle", {
      cx: 6 + 10 * Math.floor(i / 3), cy: 5 + 8 * (i % 3), r: set.has(dot) ? 3 : 1,
      class: set.has(dot) ? "up" : "flat",
    }),
  );
  return s("svg", { viewBox: "0 0 22 26", class: "dots" }, ...marks);
}

/** @param {string} piece */
export function spoken(piece) {
  return piece === "1r" ? t("peeper.red") : piece;
}

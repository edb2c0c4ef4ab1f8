/** Chamsae-jak's tiles: bamboo 1 to 9 with a sparrow for the one, hatsu and chun. A red copy is marked
 * by a disc behind its index as well as by colour. */

import { h, s } from "../app/dom.js";
import { t } from "../app/text.js";

/** Bamboo sticks by number: [x, y] of each stick's middle in a field of 60 x 80. @type {Record<string, [number, number][]>} */
const STICKS = {
  2: [[30, 24], [30, 58]],
  3: [[30, 24], [17, 58], [43, 58]],
  4: [[17, 24], [43, 24], [17, 58], [43, 58]],
  5: [[15, 24], [45, 24], [30, 41], [15, 58], [45, 58]],
  6: [[14, 24], [30, 24], [46, 24], [14, 58], [30, 58], [46, 58]],
  7: [[30, 16], [14, 41], [30, 41], [46, 41], [14, 66], [30, 66], [46, 66]],
  8: [[12, 16], [30, 16], [48, 16], [21, 41], [39, 41], [12, 66], [30, 66], [48, 66]],
  9: [[14, 16], [30, 16], [46, 16], [14, 41], [30, 41], [46, 41], [14, 66], [30, 66], [46, 66]],
};

/** @param {string} piece */
export function face(piece) {
  const red = piece.endsWith("r") || piece === "C";
  const mark = piece[0];
  const kind = `${red ? " red" : ""}${mark === "F" ? " hatsu" : ""}`;
  const index = /\d/.test(mark) ? h("span", { class: "index" }, mark) : null;
  return h("span", { class: `piece tile sparrow${kind}`, "aria-hidden": "true" }, index, picture(mark));
}

/** @param {string} mark */
function picture(mark) {
  if (mark === "F" || mark === "C") return h("span", { class: "honour" }, mark === "F" ? "發" : "中");
  if (mark === "1") return bird();
  const tall = Number(mark) <= 6 && mark !== "5" ? 30 : 22;
  const sticks = STICKS[mark].map(([x, y]) => stick(x, y, tall));
  return s("svg", { viewBox: "0 0 60 82", class: "bamboo" }, ...sticks);
}

/** @param {number} x @param {number} y @param {number} tall */
function stick(x, y, tall) {
  const top = y - tall / 2;
  return s(
    "g",
    {},
    s("rect", { x: x - 4, y: top, width: 8, height: tall / 2 - 0.8, rx: 3.4 }),
    s("rect", { x: x - 4, y: y + 0.8, width: 8, height: tall / 2 - 0.8, rx: 3.4 }),
    s("line", { x1: x - 5, y1: y, x2: x + 5, y2: y, class: "knot" }),
  );
}

function bird() {
  return s(
    "svg",
    { viewBox: "0 0 60 82", class: "bamboo bird" },
    s("path", { d: "M10 50c0-15 12-26 27-26 9 0 15 6 15 14 0 15-11 27-25 27C17 65 10 59 10 50z" }),
    s("circle", { cx: 42, cy: 22, r: 11 }),
    s("path", { class: "beak", d: "M52 20l8 3-8 4z" }),
    s("path", { class: "wing", d: "M18 48c7-10 18-12 26-8-3 11-14 17-26 8z" }),
    s("circle", { class: "eye", cx: 44, cy: 20, r: 2.6 }),
    s("path", { class: "leg", d: "M25 64l-3 12m10-12l2 12M12 52L2 60" }),
  );
}

/** @param {string} piece */
export function spoken(piece) {
  if (piece === "F" || piece === "C") return t(`sparrow.${piece}`);
  return piece.endsWith("r") ? t("sparrow.red", { n: piece[0] }) : piece;
}

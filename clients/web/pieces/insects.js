/** Cockroach Duel's cards: who crawls, hops and flies; and the heart tokens. */

import { h, s } from "../app/dom.js";
import { t } from "../app/text.js";

/** Drawn in a field of 64 x 64: [element, attributes]. @type {Record<string, [string, Record<string, any>][]>} */
const PICTURES = {
  fly: [
    ["path", { class: "wing", d: "M30 30C10 12 4 22 8 32s18 8 24 2zM34 30c20-18 26-8 22 2s-18 8-24 2z" }],
    ["ellipse", { class: "body", cx: 32, cy: 40, rx: 9, ry: 14 }],
    ["path", { class: "line", d: "M24 37h16M24 43h16M18 50l6-4M46 50l-6-4M18 58l8-7M46 58l-8-7" }],
    ["circle", { class: "body", cx: 32, cy: 22, r: 8 }],
    ["circle", { class: "eye", cx: 27, cy: 20, r: 4 }],
    ["circle", { class: "eye", cx: 37, cy: 20, r: 4 }],
  ],
  roach: [
    ["path", { class: "line", d: "M28 14C24 6 16 4 10 6M36 14c4-8 12-10 18-8M20 30L8 24M20 38H6M21 46L9 54M44 30l12-6M44 38h14M43 46l12 8" }],
    ["ellipse", { class: "body", cx: 32, cy: 38, rx: 13, ry: 21 }],
    ["path", { class: "light", d: "M32 26v32M22 30c6 4 14 4 20 0" }],
    ["ellipse", { class: "body", cx: 32, cy: 18, rx: 9, ry: 7 }],
    ["circle", { class: "eye", cx: 28, cy: 16, r: 2 }],
    ["circle", { class: "eye", cx: 36, cy: 16, r: 2 }],
  ],
  toad: [
    ["path", { class: "body", d: "M8 46c0-16 10-24 24-24s24 8 24 24c0 8-8 11-24 11S8 54 8 46z" }],
    ["circle", { class: "body", cx: 20, cy: 20, r: 9 }],
    ["circle", { class: "body", cx: 44, cy: 20, r: 9 }],
    ["circle", { class: "eye", cx: 20, cy: 19, r: 4.5 }],
    ["circle", { class: "eye", cx: 44, cy: 19, r: 4.5 }],
    ["path", { class: "light", d: "M16 40c10 7 22 7 32 0M22 50h.1M32 52h.1M42 50h.1" }],
  ],
  rat: [
    ["path", { class: "line", d: "M50 46c10 0 10 10 2 12-6 2-10-1-14 0" }],
    ["path", { class: "body", d: "M6 44c4-14 16-22 28-20 12 1 20 10 20 20 0 7-6 10-14 10H18c-8 0-13-4-12-10z" }],
    ["circle", { class: "ear", cx: 24, cy: 22, r: 8 }],
    ["circle", { class: "ear", cx: 36, cy: 20, r: 8 }],
    ["circle", { class: "eye", cx: 17, cy: 36, r: 2.6 }],
    ["circle", { class: "nose", cx: 6, cy: 44, r: 3 }],
    ["path", { class: "line", d: "M8 48l-5 5M11 50l-3 6M20 54v5M40 54v5" }],
  ],
  bat: [
    ["path", { class: "body", d: "M32 24c4-6 8-6 12-2 8-6 14-6 18-4-4 4-4 10-4 18-6-4-10-2-12 4-4-3-9-2-14 10-5-12-10-13-14-10-2-6-6-8-12-4 0-8 0-14-4-18 4-2 10-2 18 4 4-4 8-4 12 2z" }],
    ["path", { class: "body", d: "M25 24l-1-9 6 4h4l6-4-1 9c0 8-14 8-14 0z" }],
    ["circle", { class: "eye", cx: 29, cy: 24, r: 2 }],
    ["circle", { class: "eye", cx: 35, cy: 24, r: 2 }],
    ["path", { class: "light", d: "M30 30l1 3 1-3 1 3 1-3" }],
  ],
  black: [
    ["path", { class: "body", d: "M32 5l6 9 10-5 1 11 11 2-5 10 7 8-10 5 2 11-11 0-4 9-7-6-7 6-4-9-11 0 2-11-10-5 7-8-5-10 11-2 1-11 10 5z" }],
    ["path", { class: "light", d: "M22 26l7 7m0-7l-7 7M35 26l7 7m0-7l-7 7M23 44c6-5 12-5 18 0" }],
  ],
};

/** What an attacker takes for each card that gets through. @type {Record<string, number>} */
const POWER = { fly: 1, roach: 1, rat: 2 };

/** @param {string} piece */
export function picture(piece) {
  const parts = (PICTURES[piece] ?? []).map(([tag, attributes]) => s(tag, attributes));
  return s("svg", { viewBox: "0 0 64 64", class: `insect ${piece}`, "aria-hidden": "true" }, ...parts);
}

/** @param {string} piece */
export function face(piece) {
  const side = piece in POWER ? "attacker" : piece === "black" ? "dark" : "blocker";
  return h(
    "span",
    { class: `piece card duel ${side}`, "aria-hidden": "true" },
    h("span", { class: "rank" }, t(`duel.${piece}`)),
    picture(piece),
    POWER[piece] ? h("span", { class: "power" }, "♥".repeat(POWER[piece])) : null,
  );
}

export function back() {
  return h("span", { class: "piece card back", "aria-hidden": "true" });
}

/** @param {string} piece */
export function spoken(piece) {
  return t(`duel.${piece}`);
}

/** Full and empty hearts. @param {number} now @param {number} most */
export function hearts(now, most) {
  return Array.from({ length: most }, (_, i) => {
    const d = "M16 28C7 20 3 15 3 10a6.5 6.5 0 0 1 13-2 6.5 6.5 0 0 1 13 2c0 5-4 10-13 18z";
    return s("svg", { viewBox: "0 0 32 32", class: i < now ? "heart" : "heart lost", "aria-hidden": "true" }, s("path", { d }));
  });
}

/** Pepper: the auction, then the trick with each card before the one who played it. */

import { h, unseen } from "../app/dom.js";
import { rich, t } from "../app/text.js";
import { face, spoken, suitMark } from "../pieces/cards.js";

/** @import {Board, Scene} from "./board.js" */

/** @param {any} bid */
const bidName = (bid) => (typeof bid === "number" ? String(bid) : t(`bid.${bid}`));

/** @param {Scene} scene */
function contract({ view, name }) {
  if (view.declarer == null) return null;
  const trump = view.trump && view.trump !== "none" ? suitMark(view.trump) : null;
  const named = view.trump ? t(view.trump === "none" ? "pepper.no-trump" : `suit.${view.trump}`) : null;
  return h(
    "p",
    { class: "contract" },
    h("span", {}, ...rich("pepper.contract", { who: name(view.declarer), bid: bidName(view.bid) })),
    trump && h("span", { class: "trump-mark" }, trump),
    named && ` ${named}`,
  );
}

/** @param {Scene} scene */
function auction({ view, name }) {
  const calls = (view.calls ?? []).map((/** @type {any} */ call) =>
    h("li", {}, ...rich("pepper.call", { who: name(call.seat), bid: call.bid == null ? t("passed") : bidName(call.bid) })),
  );
  return calls.length > 0 ? h("ol", { class: "calls", "aria-label": t("act.bid") }, ...calls) : h("p", { class: "caption" }, t("pepper.bidding"));
}

/** @param {Scene} scene @param {any[]} cards @param {string} more */
function trick({ view, name }, cards, more) {
  const trump = view.trump === "none" ? null : view.trump;
  const laid = cards.map(({ seat, card }) =>
    h("figure", { class: "played" }, face(card, trump), h("figcaption", {}, ...rich("who", { who: name(seat) }), unseen(`: ${spoken(card)}`))),
  );
  return h("div", { class: `trick ${more}` }, ...laid);
}

/** @param {Scene} scene */
function middle(scene) {
  const { view } = scene;
  const phase = view.phase ?? "bidding";
  const now = view.trick ?? [];
  const before = view.last_trick ?? [];
  return [
    contract(scene),
    phase === "bidding" || phase === "trump" ? auction(scene) : null,
    now.length > 0 ? trick(scene, now, "top") : null,
    now.length === 0 && before.length > 0 && phase !== "bidding"
      ? h("div", { class: "over" }, trick(scene, before, "top"), h("p", { class: "caption" }, t("pepper.last-trick")))
      : null,
  ];
}

/** @param {Scene} scene @param {number} seat */
function plate({ view, seat: own }, seat) {
  const tricks = view.tricks?.[seat] ?? 0;
  const sides = view.sides ?? [];
  const partner = own !== null && seat !== own && sides[seat] === sides[own];
  return [
    (view.dealer ?? 0) === seat ? h("span", { class: "badge dealer" }, t("dealer")) : null,
    partner ? h("span", { class: "badge partner" }, t("pepper.partner")) : null,
    view.declarer === seat
      ? h("span", { class: "badge" }, h("span", { "aria-hidden": "true" }, bidName(view.bid)), unseen(t("pepper.bid", { bid: bidName(view.bid) })))
      : null,
    view.phase === "play" || tricks ? h("span", { class: "tricks" }, t("pepper.tricks", { n: tricks })) : null,
  ];
}

/** @type {Board} */
export const board = {
  game: "pepper",
  face,
  spoken,
  middle,
  plate,
  label(action) {
    if (action.type === "bid") return t("pepper.bid", { bid: bidName(action.bid) });
    if (action.type === "trump")
      return action.suit === null ? t("pepper.no-trump") : t("pepper.trump", { suit: t(`suit.${action.suit}`) });
    return null;
  },
};

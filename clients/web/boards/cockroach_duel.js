/** Cockroach Duel: two piles face to face, what they are said to be, and the hearts. */

import { h, unseen } from "../app/dom.js";
import { rich, t } from "../app/text.js";
import { back, face, hearts, picture, spoken } from "../pieces/insects.js";

/** @import {Board, Scene} from "./board.js" */

const TOKENS = 7;

/** Cards in words: their pictures say nothing to a screen reader. @param {string[]} cards */
const named = (cards) => cards.map(spoken).join(", ");

/** @param {Scene} scene @param {"attack" | "block"} which */
function pile({ view, name, seat }, which) {
  const laid = view[which];
  if (!laid) return null;
  const owner = which === "attack" ? view.attacker : 1 - view.attacker;
  const claim = t("duel.claim", { n: laid.number, kind: spoken(laid.claim) });
  const own = seat === owner ? (laid.cards ?? []) : [];
  const cards = own.length > 0 ? own.map(face) : Array.from({ length: laid.number }, back);
  return h(
    "div",
    { class: `pile ${which}` },
    h("div", { class: "claim" }, picture(laid.claim), h("strong", {}, claim)),
    h("div", { class: "laid top" }, ...cards),
    own.length > 0 ? h("small", {}, t("duel.own"), unseen(`: ${named(own)}`)) : null,
    h("p", { class: "caption" }, ...rich(`duel.${which}`, { who: name(owner) })),
  );
}

/** What the last challenge turned up. @param {Scene} scene */
function turnedUp({ view, name }) {
  const shown = (view.last ?? []).find((/** @type {any} */ event) => event.type === "challenged");
  if (!shown) return null;
  return h(
    "div",
    { class: "pile shown" },
    h("div", { class: "laid top" }, ...shown.cards.map(face)),
    h("p", { class: "caption" }, ...rich(shown.honest ? "duel.honest" : "duel.lie", { who: name(shown.owner) }), unseen(`: ${named(shown.cards)}`)),
  );
}

/** @param {Scene} scene */
function middle(scene) {
  const { view, name } = scene;
  const phase = view.phase ?? "attack";
  const attacker = view.attacker ?? 0;
  const shown = turnedUp(scene);
  const full = { ...scene, view: { attacker: 0, ...view } };
  return [
    h(
      "p",
      { class: "caption stock" },
      h("span", { class: "deck" }, back()),
      t("duel.pile", { n: view.pile ?? 0 }),
      view.spent ? `, ${t("duel.spent", { n: view.spent })}` : "",
    ),
    h("div", { class: "piles" }, pile(full, "attack"), pile(full, "block"), shown),
    phase === "over" || view.attack || shown
      ? null
      : h("p", { class: "caption" }, ...rich("duel.attacks", { who: name(attacker) })),
  ];
}

/** @param {Scene} scene @param {number} seat */
function plate({ view }, seat) {
  const health = view.health?.[seat] ?? 0;
  return [
    h(
      "span",
      { class: "hearts", role: "img", "aria-label": t("duel.health", { n: health }) },
      ...hearts(health, Math.max(health, seat === (view.starter ?? 0) ? 3 : 4, Math.min(TOKENS, health))),
    ),
    view.black === seat ? h("span", { class: "badge dark" }, t("duel.black-shown")) : null,
    (view.attacker ?? 0) === seat ? h("span", { class: "badge" }, t("duel.attacker")) : null,
  ];
}

/** @type {Board} */
export const board = {
  game: "cockroach_duel",
  face,
  spoken,
  middle,
  plate,
  label(action) {
    if (action.type !== "attack" && action.type !== "block") return null;
    const claim = t("duel.claim", { n: action.cards.length, kind: spoken(action.claim) });
    return `${t(`act.${action.type}`)}: ${claim}`;
  },
};

/** Names of pieces, actions and options in the page's language. */

import { piecesOf } from "../../js/src/pieces.js";
import { gameInfo } from "./session.js";
import { first, has, humanise, locale, t } from "./text.js";

/** @typedef {import("./resolve.js").Action} Action */
/** @typedef {import("../boards/board.js").Board} Board */

/** What a canonical token is called: the first word of the page's own language that a player may type for it. @param {string} game @param {string} token */
export function word(game, token) {
  const words = gameInfo(game)?.words ?? {};
  const english = words.en ?? {};
  const own = Object.entries(words[locale] ?? {}).filter(([, to]) => to === token);
  const named = own.find(([said]) => locale === "en" || !(said in english)) ?? own[0];
  return named?.[0] ?? Object.keys(english).find((said) => english[said] === token) ?? humanise(token);
}

/** An action type in a word, e.g. on a button. @param {string} game @param {string} type */
export function kind(game, type) {
  return first([`act.${game}.${type}`, `act.${type}`], word(game, type));
}

/** An action in a few words. @param {Board} board @param {Action} action */
export function label(board, action) {
  const own = board.label?.(action);
  if (own) return own;
  const parts = Object.entries(action)
    .filter(([field]) => !["type", "tiles", "cards", "tile", "card"].includes(field))
    .map(([, value]) => word(board.game, String(value)));
  const pieces = piecesOf(action).map((piece) => board.spoken(piece));
  const more = [...parts, pieces.join(", ")].filter(Boolean).join(", ");
  return more ? `${kind(board.game, action.type)}: ${more}` : kind(board.game, action.type);
}

/** @param {string} game @param {string} option */
export function optionName(game, option) {
  return first([`option.${game}.${option}`, `option.${option}`], humanise(option));
}

/** @param {string} game @param {string} option @param {unknown} value */
export function optionValue(game, option, value) {
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (option.endsWith("_ms")) return t("seconds", { n: Number(value) / 1000 });
  const key = `option.${game}.${option}.${value}`;
  return has(key) ? t(key) : humanise(String(value));
}

/** The text field that takes everything: `5 5`, `pass`, `패스`, `손패`, `3 4 x`. */

import { h } from "./dom.js";
import * as live from "./live.js";
import { gameInfo } from "./session.js";
import { held, kinds, parse } from "./resolve.js";
import { locale, t } from "./text.js";

/** @typedef {import("./actions.js").Actions} Actions */

/** What may be typed at this game -> canonical token. @param {string} game @param {string[]} pieces */
function vocabulary(game, pieces) {
  const info = gameInfo(game);
  /** @type {Record<string, string>} */
  const words = {};
  for (const piece of pieces) words[piece.toLowerCase()] = piece;
  for (const language of ["en", locale])
    for (const [word, token] of Object.entries(info?.words?.[language] ?? {})) words[word.toLowerCase()] = token;
  return words;
}

/**
 * @param {Actions} actions
 * @param {(topic: any) => void} ask
 */
export function commandField(actions, ask) {
  const input = h("input", {
    id: "command", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go",
  });
  return h(
    "form",
    {
      class: "command row",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const text = input.value.trim();
        input.value = "";
        if (text) run(text, actions, ask);
      },
    },
    h("label", { for: "command" }, t("command")),
    input,
    h("button", { type: "submit" }, t("command.do")),
  );
}

/** @param {string} text @param {Actions} actions @param {(topic: any) => void} ask */
export function run(text, actions, ask) {
  const { table, board } = actions;
  const hand = table.view?.hand ?? [];
  const legal = table.requests.flatMap((request) => request.legal);
  const words = vocabulary(board.game, hand);
  const piece = (/** @type {string} */ token) => hand.includes(token) || isPiece(token, hand);
  const command = parse(text, words, { piece, types: new Set(kinds(legal)) });
  if (command.unknown.length > 0) return live.alert(t("command.unknown", { what: command.unknown.join(", ") }));
  if (command.topic && !command.type && command.pieces.length === 0) return ask(command.topic);
  if (command.pieces.length > 0) {
    const own = held(command.pieces, hand);
    // Pieces that are not all in the hand may include a stated value, e.g. the claim of an attack.
    if (own) command.pieces = own;
  }
  return actions.command(command);
}

/** Whether a token names a piece, also one that the hand lacks: a number, where the pieces are numbers. @param {string} token @param {string[]} hand */
function isPiece(token, hand) {
  const numeric = /^\d+r?$/;
  return numeric.test(token) && hand.some((piece) => numeric.test(piece));
}

/** From what a player has chosen or typed to the actions that this can mean. Pure: no page, no server. */

import { canLay, piecesOf } from "../../js/src/pieces.js";

/** @import {RequestInfo} from "../../js/src/protocol.gen.js" */
/** @typedef {import("../../js/src/pieces.js").Action} Action */

/** @param {string[]} pieces */
const sorted = (pieces) => [...pieces].sort().join(" ");

/** The requests of each kind; a seat has at most one of each. @param {RequestInfo[]} requests */
export function byKind(requests) {
  return {
    turn: requests.find((request) => request.kind === "turn") ?? null,
    claim: requests.find((request) => request.kind === "claim") ?? null,
  };
}

/** The legal actions with exactly these pieces. @param {Action[]} legal @param {string[]} pieces */
export function withPieces(legal, pieces) {
  const wanted = sorted(pieces);
  return legal.filter((action) => sorted(piecesOf(action)) === wanted);
}

/** The legal actions that name no piece: pass, challenge, a bid, ... @param {Action[]} legal */
export function bare(legal) {
  return legal.filter((action) => piecesOf(action).length === 0);
}

/** What a seat with this hand may send of a claim's public offer; `decline` is last. @param {RequestInfo} claim @param {string[]} hand */
export function claims(claim, hand) {
  const held = claim.legal.filter((action) => action.type !== "decline" && canLay(action, hand));
  // A claim without pieces (ron) is the hand's own matter: the server says whether it holds one.
  const mine = held.filter((action) => piecesOf(action).length > 0 || claim.can !== 0);
  return { mine, decline: claim.legal.find((action) => action.type === "decline") ?? claim.default };
}

/** The kinds of action that are possible, in the order in which they are offered. @param {Action[]} legal */
export function kinds(legal) {
  return [...new Set(legal.map((action) => action.type))];
}

/**
 * Whether at most one piece is laid at a time, so that choosing another one replaces the choice.
 * @param {RequestInfo | null} turn
 */
export function single(turn) {
  return turn !== null && !turn.more && turn.legal.every((action) => piecesOf(action).length < 2);
}

/**
 * The values that an action states besides its pieces: kind, rank, claim, bid, suit.
 * @param {Action} action
 * @returns {string[]}
 */
export function values(action) {
  const laid = new Set(["type", "tiles", "cards", "tile", "card"]);
  return Object.entries(action)
    .filter(([field]) => !laid.has(field))
    .map(([, value]) => String(value));
}

/**
 * What typed text asks for: an action type, a topic, pieces and stated values, in any order; `unknown`
 * holds words that mean nothing here.
 * @typedef {{topic: string | null, type: string | null, pieces: string[], values: string[], unknown: string[]}} Command
 */

const TOPICS = new Set(["hand", "table", "turn", "counts", "last", "clock", "legal", "score"]);

/**
 * @param {string} text
 * @param {Record<string, string>} words what may be typed -> canonical token
 * @param {{piece: (token: string) => boolean, types: Set<string>}} known
 * @returns {Command}
 */
export function parse(text, words, known) {
  /** @type {Command} */
  const command = { topic: null, type: null, pieces: [], values: [], unknown: [] };
  for (const token of tokens(text, words)) {
    if (known.types.has(token) && command.type === null) command.type = token;
    else if (known.piece(token)) command.pieces.push(token);
    else if (TOPICS.has(token) && command.topic === null) command.topic = token;
    else if (token.startsWith("?")) command.unknown.push(token.slice(1));
    else command.values.push(token);
  }
  return command;
}

/** Canonical tokens; words of several parts win over their parts. @param {string} text @param {Record<string, string>} words */
function tokens(text, words) {
  const typed = text.normalize("NFKC").toLowerCase().split(/[\s,.、。]+/).filter(Boolean);
  const found = [];
  for (let i = 0; i < typed.length; ) {
    let size = Math.min(4, typed.length - i);
    while (size > 1 && !(typed.slice(i, i + size).join(" ") in words)) size -= 1;
    const word = typed.slice(i, i + size).join(" ");
    found.push(words[word] ?? (/^\d+$/.test(word) ? word : `?${word}`));
    i += size;
  }
  return found;
}

/**
 * The pieces of the hand that typed ones mean: the very piece, else another copy of the same face (`1`
 * where only the red 1 is left). Null where the hand does not hold them.
 * @param {string[]} typed
 * @param {string[]} hand
 */
export function held(typed, hand) {
  const left = [...hand];
  const found = [];
  for (const piece of typed) {
    let at = left.indexOf(piece);
    if (at < 0) at = left.findIndex((own) => own === `${piece}r` || `${own}r` === piece);
    if (at < 0) return null;
    found.push(...left.splice(at, 1));
  }
  return found;
}

/**
 * The actions among `legal` that a command means.
 * @param {Action[]} legal
 * @param {Command} command
 */
export function meant(legal, command) {
  return legal.filter(
    (action) =>
      (command.type === null || action.type === command.type) &&
      (command.pieces.length === 0 || sorted(piecesOf(action)) === sorted(command.pieces)) &&
      command.values.every((value) => values(action).includes(value)),
  );
}

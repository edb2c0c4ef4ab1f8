/** What the page knows of one game beyond what the server says: how its table looks and what its pieces
 * are called. A game without a board of its own gets the generic one. */

/** @import {Table} from "../../js/src/table.js" */
/** @typedef {import("../app/resolve.js").Action} Action */

/**
 * What is on show: the view with every default filled in, and who sits where.
 * @typedef {object} Scene
 * @property {any} view
 * @property {Table} table
 * @property {(seat: number) => string} name
 * @property {number | null} seat own seat
 * @property {any[]} trail the latest events of the game, oldest first
 */

/**
 * @typedef {object} Board
 * @property {string} game
 * @property {(piece: string) => Element} face
 * @property {(piece: string) => string} spoken
 * @property {(scene: Scene) => (Node | null)[]} middle what lies in the middle of the table
 * @property {(scene: Scene, seat: number) => (Node | null)[]} [plate] what a seat's plate shows besides name,
 *   count and score
 * @property {(scene: Scene, seat: number) => (Node | null)[]} [front] what lies before a seat
 * @property {(scene: Scene) => string | null} [apart] a piece of the hand that is set apart (just drawn)
 * @property {(action: Action) => string | null} [label]
 * @property {(piece: string) => string} [cell] a piece as one braille cell
 * @property {(view: any) => 1 | -1} [around] 1: the next seat in number sits at one's left
 * @property {{label: string, orders: Record<string, any>}} [standing] a standing order worth a switch; the
 *   label is a text's key
 */

/** @type {Record<string, () => Promise<{board: Board}>>} */
const BOARDS = {
  peeper: () => import("./peeper.js"),
  cockroach_duel: () => import("./cockroach_duel.js"),
  pepper: () => import("./pepper.js"),
  chamsaejak: () => import("./chamsaejak.js"),
};

/** @param {string} game @returns {Promise<Board>} */
export async function boardOf(game) {
  if (game in BOARDS) return (await BOARDS[game]()).board;
  return (await import("./generic.js")).board(game);
}

/** The view with the defaults of the fields that every game has. @param {any} view */
export function filled(view) {
  return { seat: null, turn: null, hand: [], counts: [], scores: [], round: 1, ...view };
}

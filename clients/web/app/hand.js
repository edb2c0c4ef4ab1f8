/** The hand: a multi-select listbox with a roving tab stop. Nodes are keyed by piece, so a re-render keeps
 * focus and selection; nobody else's action moves the focus. */

import { digit } from "./keys.js";
import { h, sync } from "./dom.js";
import { has, t } from "./text.js";

/** @typedef {import("../boards/board.js").Board} Board */

/** How long digits belong together: `1` then `2` within it is 12. */
const TOGETHER_MS = 800;
const HALF = 0.5;

export class Hand {
  /** @type {string[]} */
  pieces = [];
  /** Keys of the chosen pieces, in the order of choosing. @type {string[]} */
  #chosen = [];
  #current = "";
  #typed = "";
  #typedAt = 0;
  /** Only one piece at a time can be laid. */
  single = false;
  /** @type {(string: string) => boolean} */
  #playable = () => true;
  #board;
  #changed;

  /** @param {Board} board @param {() => void} changed called when the selection changes */
  constructor(board, changed) {
    this.#board = board;
    this.#changed = changed;
    const name = `hand.${board.game}`;
    this.element = h("ul", {
      id: "hand", class: "hand", role: "listbox", "aria-multiselectable": "true", "aria-orientation": "horizontal",
      "aria-label": has(name) ? t(name) : t("hand"), onkeydown: (/** @type {KeyboardEvent} */ e) => this.#key(e),
    });
  }

  /** The chosen pieces, in the order of the hand. */
  get selection() {
    return this.#keys()
      .filter((key) => this.#chosen.includes(key))
      .map((key) => pieceOf(key));
  }

  /** The piece that has the focus, if the focus is here. */
  get focused() {
    return this.element.contains(document.activeElement) ? pieceOf(this.#current) : null;
  }

  /**
   * @param {string[]} pieces
   * @param {{apart: string | null, playable: (piece: string) => boolean}} how
   */
  show(pieces, { apart, playable }) {
    this.#playable = playable;
    const focused = this.element.contains(document.activeElement);
    const before = this.#keys();
    this.pieces = pieces;
    const keys = keyed(pieces);
    this.#chosen = this.#chosen.filter((key) => keys.includes(key));
    if (!keys.includes(this.#current)) this.#current = nearest(this.#current, before, keys);
    let drawn = apart === null ? -1 : pieces.lastIndexOf(apart);
    sync(
      this.element,
      keys,
      (key) => key,
      (key) => this.#create(key),
      (element, key) => this.#update(element, key, keys.indexOf(key) === drawn),
    );
    // A list box without options is nothing to come across.
    this.element.hidden = pieces.length === 0;
    // Only a hand that lost its focused piece needs the focus put back.
    if (focused && !this.element.contains(document.activeElement)) this.focus();
  }

  focus() {
    const target = this.#option(this.#current) ?? this.element.firstElementChild;
    /** @type {HTMLElement | null} */ (target)?.focus();
  }

  clear() {
    this.#chosen = [];
    this.#refresh();
  }

  /** Choose exactly these pieces. @param {string[]} pieces */
  choose(pieces) {
    const free = this.#keys();
    this.#chosen = pieces.flatMap((piece) => {
      const at = free.findIndex((key) => pieceOf(key) === piece);
      return at < 0 ? [] : free.splice(at, 1);
    });
    this.#refresh();
  }

  toggleFocused() {
    if (this.#current) this.#toggle(this.#current);
  }

  #keys() {
    return keyed(this.pieces);
  }

  /** @param {string} key */
  #create(key) {
    const piece = pieceOf(key);
    return h(
      "li",
      {
        role: "option", class: "held", "aria-label": this.#board.spoken(piece),
        onclick: () => {
          this.#current = key;
          this.#toggle(key);
          this.focus();
        },
        onfocus: () => this.#move(key, false),
      },
      this.#board.face(piece),
    );
  }

  /** @param {HTMLElement} element @param {string} key @param {boolean} apart */
  #update(element, key, apart) {
    element.tabIndex = key === this.#current ? 0 : -1;
    element.setAttribute("aria-selected", String(this.#chosen.includes(key)));
    element.classList.toggle("apart", apart);
    element.classList.toggle("dull", !this.#playable(pieceOf(key)));
  }

  #refresh() {
    for (const key of this.#keys()) {
      const option = this.#option(key);
      if (option) this.#update(option, key, option.classList.contains("apart"));
    }
    this.#changed();
  }

  /** @param {string} key */
  #toggle(key) {
    if (this.#chosen.includes(key)) this.#chosen = this.#chosen.filter((chosen) => chosen !== key);
    else this.#chosen = this.single ? [key] : [...this.#chosen, key];
    this.#refresh();
  }

  /** @param {string} key @returns {HTMLElement | null} */
  #option(key) {
    return /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-key="${CSS.escape(key)}"]`));
  }

  /** @param {string} key @param {boolean} [focus] */
  #move(key, focus = true) {
    const old = this.#option(this.#current);
    if (old) old.tabIndex = -1;
    this.#current = key;
    const next = this.#option(key);
    if (!next) return;
    next.tabIndex = 0;
    if (focus) next.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = this.#keys();
    const at = keys.indexOf(this.#current);
    const to = this.#target(event, at, keys);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (keys[to] !== undefined) this.#move(keys[to]);
  }

  /** @param {KeyboardEvent} event @param {number} at @param {string[]} keys @returns {number | null} */
  #target(event, at, keys) {
    const last = keys.length - 1;
    if (event.code === "ArrowLeft") return Math.max(0, at - 1);
    if (event.code === "ArrowRight") return Math.min(last, at + 1);
    if (event.code === "ArrowUp") return this.#row(at, -1);
    if (event.code === "ArrowDown") return this.#row(at, 1);
    if (event.code === "Home") return 0;
    if (event.code === "End") return last;
    const typed = digit(event.code) ?? (event.code === "KeyX" ? "X" : null);
    return typed === null ? null : this.jump(typed);
  }

  /** The piece above or below. @param {number} at @param {-1 | 1} step */
  #row(at, step) {
    const boxes = [...this.element.children].map((child) => child.getBoundingClientRect());
    const own = boxes[at];
    if (!own) return null;
    let best = at;
    let least = Infinity;
    boxes.forEach((box, i) => {
      if (Math.sign(Math.round(box.top - own.top)) !== step) return;
      const far = Math.abs(box.top - own.top) * 10 + Math.abs(box.left - own.left) * HALF;
      if (far < least) [least, best] = [far, i];
    });
    return best;
  }

  /** The position of the piece that digits name; the next such piece when it is named again. @param {string} typed */
  jump(typed) {
    const now = performance.now();
    const joined = now - this.#typedAt < TOGETHER_MS ? this.#typed + typed : typed;
    this.#typedAt = now;
    const keys = this.#keys();
    const numbers = keys.map((key) => pieceOf(key).replace(/[a-z]+$/i, (tail) => (tail === "X" ? tail : "")));
    for (const wanted of [joined, typed]) {
      if (!numbers.includes(wanted)) continue;
      this.#typed = wanted;
      const at = keys.indexOf(this.#current);
      const order = numbers.map((_, i) => (at + 1 + i) % keys.length);
      return order.find((i) => numbers[i] === wanted) ?? null;
    }
    this.#typed = typed;
    // Where pieces bear no numbers, a digit counts from the left.
    return numbers.some((number) => /^\d/.test(number)) ? null : Number(typed) - 1;
  }
}

/** Keys that tell equal pieces apart: `5`, `5~1`. @param {string[]} pieces */
function keyed(pieces) {
  /** @type {Map<string, number>} */
  const times = new Map();
  return pieces.map((piece) => {
    const n = times.get(piece) ?? 0;
    times.set(piece, n + 1);
    return n === 0 ? piece : `${piece}~${n}`;
  });
}

/** @param {string} key */
function pieceOf(key) {
  return key.replace(/~\d+$/, "");
}

/** Where the tab stop goes when its piece is gone: the neighbour that is still there. @param {string} current @param {string[]} before @param {string[]} keys */
function nearest(current, before, keys) {
  const at = before.indexOf(current);
  const rest = [...before.slice(at + 1), ...before.slice(0, Math.max(0, at)).reverse()];
  return rest.find((key) => keys.includes(key)) ?? keys[0] ?? "";
}

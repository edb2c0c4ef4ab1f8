/** What this seat can do now: whose decision it is in words, buttons for every action, and sending one. */

import { canLay, piecesOf } from "../../js/src/pieces.js";
import { choose } from "./dialog.js";
import { h, sync } from "./dom.js";
import * as earcons from "./earcons.js";
import { kind, label } from "./labels.js";
import * as live from "./live.js";
import { bare, byKind, claims, kinds, meant, single, withPieces } from "./resolve.js";
import { ruleLink } from "./rules.js";
import { settings } from "./settings.js";
import { first, rich, t } from "./text.js";

/** @import {Table} from "../../js/src/table.js" */
/** @import {RequestInfo} from "../../js/src/protocol.gen.js" */
/** @typedef {import("./resolve.js").Action} Action */
/** @typedef {import("./resolve.js").Command} Command */
/** @typedef {import("../boards/board.js").Board} Board */
/** @typedef {{request: RequestInfo, action: Action}} Way */

const ASK_AFTER_MS = 250;
const REFUSAL_MS = 5000;

export class Actions {
  /** What the server said of the present selection. @type {{key: string, ways: Way[], why: string | null}} */
  #asked = { key: "", ways: [], why: null };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The last refusal, shown long enough to be read. @type {{why: string, until: number} | null} */
  #refused = null;
  #prompt = h("p", { id: "prompt", class: "prompt" });
  #held = h("div", { class: "held-turn", hidden: true });
  #claims = h("div", { class: "row claims" });
  #ways = h("div", { class: "row ways" });
  #bare = h("div", { class: "row bare" });
  #hint = h("p", { class: "hint" });
  #clear;

  /**
   * @param {Table} table
   * @param {Board} board
   * @param {import("./hand.js").Hand} hand
   * @param {(seat: number) => string} name
   */
  constructor(table, board, hand, name) {
    this.table = table;
    this.board = board;
    this.hand = hand;
    this.name = name;
    this.#clear = h("button", { type: "button", class: "quiet", onclick: () => hand.clear() }, t("clear"));
    this.element = h(
      "div",
      { class: "actions" },
      this.#prompt,
      this.#held,
      this.#claims,
      h("div", { class: "row" }, this.#ways, this.#clear),
      this.#bare,
      this.#hint,
      board.standing ? this.#standing(board.standing) : null,
    );
  }

  /** A switch for the game's standing order. @param {{label: string, orders: Record<string, any>}} order */
  #standing({ label: key, orders }) {
    const box = h("input", {
      type: "checkbox",
      onchange: async () => {
        try {
          await this.table.standing(box.checked ? orders : {}, "match");
        } catch (error) {
          box.checked = !box.checked;
          live.error(/** @type {Error} */ (error).message);
        }
      },
    });
    return h("label", { class: "check" }, box, t(key));
  }

  get #view() {
    return this.table.view ?? {};
  }

  get #handPieces() {
    return this.#view.hand ?? [];
  }

  /** The requests that this seat has not answered. */
  get open() {
    return byKind(this.table.requests);
  }

  /** Whether a piece is part of anything that can be laid now. @param {string} piece */
  playable(piece) {
    const { turn, claim } = this.open;
    if (!turn || turn.more || !single(turn) || bare(turn.legal).length === turn.legal.length) return true;
    return [turn, claim].some((r) => r?.legal.some((action) => piecesOf(action).includes(piece)));
  }

  render() {
    const { turn, claim } = this.open;
    this.hand.single = single(turn) && (claim?.legal ?? []).every((action) => piecesOf(action).length < 2);
    this.#prompt.replaceChildren(...this.#promptNodes(turn, claim));
    this.#renderHeld(turn);
    this.#renderClaims(claim);
    this.#buttons(this.#bare, this.#others(turn));
    this.renderWays();
  }

  /** Actions without pieces of the hand: buttons of their own. @param {RequestInfo | null} turn @returns {Way[]} */
  #others(turn) {
    if (!turn) return [];
    const elsewhere = turn.legal.filter((action) => piecesOf(action).length > 0 && !canLay(action, this.#handPieces));
    return [...bare(turn.legal), ...elsewhere].map((action) => ({ request: turn, action }));
  }

  /** @param {Element} row @param {Way[]} ways @param {string} [look] */
  #buttons(row, ways, look = "") {
    sync(
      row,
      ways,
      ({ request, action }) => `${request.request} ${JSON.stringify(action)}`,
      ({ request, action }) =>
        h(
          "button",
          { type: "button", class: look, "data-act": action.type, onclick: () => this.act(request, action) },
          label(this.board, action),
        ),
    );
  }

  /** What the chosen pieces can be laid as. */
  renderWays() {
    const chosen = this.hand.selection;
    const ways = this.#local(chosen);
    const key = this.#key(chosen);
    const shown = ways.length > 0 ? ways : this.#asked.key === key ? this.#asked.ways : [];
    this.#buttons(this.#ways, shown, "primary");
    this.#clear.hidden = chosen.length === 0;
    const why = this.#asked.key === key ? this.#asked.why : null;
    if (this.#refused && performance.now() > this.#refused.until) this.#refused = null;
    this.#hint.textContent = this.#refused?.why ?? (shown.length === 0 ? (why ?? this.#advice(chosen)) : "");
    if (chosen.length > 0 && ways.length === 0 && this.#asked.key !== key) this.#askSoon(chosen, key);
  }

  /** @param {string[]} chosen */
  #advice(chosen) {
    const { turn } = this.open;
    return turn && chosen.length === 0 && turn.legal.some((action) => piecesOf(action).length > 0) && !turn.held
      ? first([`advice.${this.board.game}`], t("advice"))
      : "";
  }

  /** @param {string[]} chosen */
  #key(chosen) {
    const { turn } = this.open;
    return `${turn?.request} ${chosen.join(" ")}`;
  }

  /** @param {string[]} chosen @returns {Way[]} */
  #local(chosen) {
    if (chosen.length === 0) return [];
    return Object.values(this.open).flatMap((request) =>
      request ? withPieces(request.legal, chosen).map((action) => ({ request, action })) : [],
    );
  }

  /** @param {string[]} chosen @param {string} key */
  #askSoon(chosen, key) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      await this.#ask(chosen, key);
      if (key === this.#key(this.hand.selection)) this.renderWays();
    }, ASK_AFTER_MS);
  }

  /** Every reading of these pieces, or the rule that forbids them. @param {string[]} chosen @param {string} key */
  async #ask(chosen, key) {
    const { turn } = this.open;
    if (!turn) return;
    try {
      const ok = await this.table.legal(turn, chosen);
      this.#asked = { key, ways: (ok.legal ?? []).map((action) => ({ request: turn, action })), why: null };
    } catch (error) {
      this.#asked = { key, ways: [], why: /** @type {Error} */ (error).message };
    }
  }

  /** Lay what is chosen, or the focused piece where nothing is. */
  async play() {
    if (this.hand.selection.length === 0 && this.hand.focused !== null) this.hand.choose([this.hand.focused]);
    const chosen = this.hand.selection;
    if (chosen.length === 0) return live.status(this.#advice(chosen) || this.promptText());
    let ways = this.#local(chosen);
    if (ways.length === 0) {
      const key = this.#key(chosen);
      if (this.#asked.key !== key) await this.#ask(chosen, key);
      if (this.#asked.key !== key) return live.alert(this.promptText());
      ways = this.#asked.ways;
      if (ways.length === 0) return this.refuse(this.#asked.why ?? this.promptText());
    }
    return this.pick(ways);
  }

  /** An action by its type, from a key or a word: whichever of them this seat can send. @param {string[]} types */
  async take(types) {
    const ways = this.#sendable().filter(({ action }) => types.includes(action.type));
    if (ways.length === 0) return this.refuse(t("not-now", { what: kind(this.board.game, types[0]) }));
    return this.pick(ways);
  }

  /** Everything listed that this hand may send. @returns {Way[]} */
  #sendable() {
    const { turn, claim } = this.open;
    const held = claim ? claims(claim, this.#handPieces) : null;
    return [
      ...(turn?.legal ?? []).map((action) => ({ request: /** @type {RequestInfo} */ (turn), action })),
      ...(claim && held ? [...held.mine, held.decline].map((action) => ({ request: claim, action })) : []),
    ];
  }

  /** What typed words mean here. @param {Command} command */
  async command(command) {
    let ways = this.#matching(command);
    if (ways.length === 0 && command.pieces.length > 0 && this.open.turn) {
      await this.#ask(command.pieces, "typed");
      ways = this.#asked.ways.filter(({ action }) => meant([action], command).length > 0);
      if (ways.length === 0) return this.refuse(this.#asked.why ?? t("no-such-action"));
    }
    return ways.length > 0 ? this.pick(ways) : this.refuse(t("no-such-action"));
  }

  /** @param {Command} command @returns {Way[]} */
  #matching(command) {
    const all = this.#sendable();
    const [head, ...rest] = command.pieces;
    // `attack rat fly fly`: the first one is what the others are said to be.
    const claimed = all.filter(
      ({ action }) => action.claim === head && meant([action], { ...command, pieces: rest }).length > 0,
    );
    if (rest.length > 0 && claimed.length > 0) return claimed;
    return all.filter(({ action }) => meant([action], command).length > 0);
  }

  /** @param {Way[]} ways */
  async pick(ways) {
    const way = ways.length === 1 ? ways[0] : await choose(t("which"), ways, ({ action }) => label(this.board, action));
    if (way) await this.act(way.request, way.action);
  }

  /** @param {RequestInfo} request @param {Action} action */
  async act(request, action) {
    this.#refused = null;
    try {
      const ok = await this.table.act(request, action);
      if (request.kind === "turn") this.hand.clear();
      if (ok.held) live.status(t("held.told", { what: label(this.board, action) }));
      else if (ok.sealed && action.type !== "decline") live.status(t("sealed", { what: label(this.board, action) }));
    } catch (error) {
      this.refuse(/** @type {Error} */ (error).message);
    }
    // The pressed button may be gone; the place to go on from is the hand.
    if (document.activeElement === document.body) this.hand.focus();
  }

  async withdraw() {
    const { turn } = this.open;
    if (!turn?.held) return live.status(t("held.none"));
    try {
      await this.table.withdraw(turn);
      live.status(t("held.withdrawn"));
    } catch (error) {
      this.refuse(/** @type {Error} */ (error).message);
    }
    return undefined;
  }

  /** @param {string} why */
  refuse(why) {
    this.#refused = { why, until: performance.now() + REFUSAL_MS };
    earcons.play("refused");
    live.alert(why);
    this.renderWays();
  }

  /** @param {RequestInfo | null} turn */
  #renderHeld(turn) {
    const held = turn?.held;
    this.#held.hidden = !held;
    if (!held) return this.#held.replaceChildren();
    return this.#held.replaceChildren(
      h("span", { class: "spinner", "aria-hidden": "true" }),
      h("span", {}, t("held", { what: label(this.board, held) })),
      h("button", { type: "button", onclick: () => this.withdraw() }, t("withdraw")),
    );
  }

  /** @param {RequestInfo | null} claim */
  #renderClaims(claim) {
    if (!claim) return this.#buttons(this.#claims, []);
    const { mine, decline } = claims(claim, this.#handPieces);
    const ways = [...mine, decline].map((action) => ({ request: claim, action }));
    this.#buttons(this.#claims, ways, "claim");
    return undefined;
  }

  /** The prompt as text, for those who ask what they can do. */
  promptText() {
    return this.#prompt.textContent ?? "";
  }

  /** Whose decision it is and what kinds of action are possible, each a link to its rule. @param {RequestInfo | null} turn @param {RequestInfo | null} claim @returns {Node[]} */
  #promptNodes(turn, claim) {
    const { result, window, info } = this.table;
    const seat = this.#view.turn;
    if (result) return rich("over", {});
    if (info?.phase === "waiting") return rich("waiting", {});
    const nodes = [];
    if (claim) nodes.push(...this.#windowNodes(claim));
    if (turn?.held) nodes.push(...rich("your-turn.held", {}));
    else if (turn) nodes.push(...rich(window ? "your-turn.beside" : "your-turn", {}), ...this.#kindNodes(turn.legal));
    else if (seat != null && seat !== this.table.seat) nodes.push(...rich("turn-of", { who: this.name(seat) }));
    else if (window && !claim) nodes.push(...rich("window-open", { what: this.#kindNames(window.kinds) }));
    return nodes.length > 0 ? nodes : rich("nothing-asked", {});
  }

  /** @param {RequestInfo} claim */
  #windowNodes(claim) {
    const types = kinds(claim.legal).filter((type) => type !== "decline");
    const key = settings.shared ? "window" : claim.can ? "window.can" : "window.cannot";
    const { mine, decline } = claims(claim, this.#handPieces);
    const offered = settings.shared ? claim.legal : [...mine, decline];
    return [...rich(key, { what: this.#kindNames(types) }), ...this.#kindNodes(offered)];
  }

  /** @param {string[]} types */
  #kindNames(types) {
    return types.map((type) => kind(this.board.game, type)).join(", ");
  }

  /** @param {Action[]} legal */
  #kindNodes(legal) {
    const links = kinds(legal).flatMap((type, i) => [
      ...(i > 0 ? [document.createTextNode(", ")] : []),
      ruleLink(this.board.game, type, kind(this.board.game, type)),
    ]);
    return [document.createTextNode(` ${t("you-can")} `), ...links, document.createTextNode(". ")];
  }
}

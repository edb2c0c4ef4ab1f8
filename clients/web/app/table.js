/** The table: what lies there, the hand, what can be done, and everything that is heard of it. */

import { Actions } from "./actions.js";
import { showChat } from "./chat.js";
import { commandField } from "./command.js";
import { confirm } from "./dialog.js";
import { bdi, byId, h, keepFocus, unseen } from "./dom.js";
import * as earcons from "./earcons.js";
import { Hand } from "./hand.js";
import { showHelp } from "./help.js";
import { intentAt } from "./intent.js";
import { asked } from "./keys.js";
import { kind } from "./labels.js";
import * as live from "./live.js";
import { resultPanel } from "./result.js";
import { Ring } from "./ring.js";
import { showRules } from "./rules.js";
import { showSeats, tickClocks } from "./seats.js";
import { client, title } from "./session.js";
import { onChange, settings } from "./settings.js";
import { t } from "./text.js";
import { waitingRoom } from "./waiting.js";
import { boardOf, filled } from "../boards/board.js";

/** @import {Table} from "../../js/src/table.js" */
/** @typedef {import("../boards/board.js").Board} Board */

const TICK_MS = 200;
const TRAIL = 40;
/** Keys that ask, and what. */
const TOPICS = new Set(["hand", "table", "turn", "counts", "last", "clock", "legal", "score"]);
/** Keys that take an action, and the types that they stand for, by game. @type {Record<string, string[]>} */
const TAKES = {
  pass: ["pass"], mine: ["mine"], return: ["return", "ron"], tsumo: ["tsumo"], challenge: ["challenge"],
  accept: ["accept"], decline: ["decline"],
};

export class TablePage extends HTMLElement {
  /** @type {Table} */
  table = /** @type {any} */ (null);
  /** @type {(() => void)[]} */
  #offs = [];
  /** @type {any[]} */
  #trail = [];
  #ring = new Ring();
  #seats = h("ol", { class: "seats others" });
  #own = h("ol", { class: "seats own" });
  #middle = h("div", { class: "middle", "aria-live": "off" });
  #banner = h("div", { class: "banner", hidden: true });
  #panel = h("div", { class: "panel" });
  #state = h("span", { class: "state" });
  #audience = h("span", { class: "audience" });
  #planned = false;
  /** @type {Set<string>} */
  #met = new Set();
  #resultShown = "";

  /** Come to a table: to the own seat where there is one, else as a spectator. @param {string} id @param {string | null} invite */
  async enter(id, invite) {
    this.table = client.table(id);
    live.clear();
    this.#listen();
    const intent = intentAt(id);
    if (invite) intent.invite = invite;
    if (intent.join) await this.table.join(intent.invite ? { invite: intent.invite } : {});
    else if (this.table.stream === null || this.table.unseated)
      await this.table.watch(intent.invite ? { invite: intent.invite } : {});
    this.board = await boardOf(this.table.info?.game ?? "");
    this.#build(this.board);
    if (!this.isConnected) return;
    this.#render();
    byId("talk").hidden = false;
    this.#offs.push(showChat(this.table, client.player?.id ?? ""));
    const timer = setInterval(() => this.#tick(), TICK_MS);
    this.#offs.push(() => clearInterval(timer), onChange(() => this.#plan()));
    if (intent.ready) await this.#attempt(this.table.ready());
    this.focusHand();
  }

  disconnectedCallback() {
    for (const off of this.#offs.splice(0)) off();
    byId("talk").hidden = true;
    byId("skip").hidden = true;
    if (this.table?.seat === null && this.table.stream) this.table.unwatch().catch(() => {});
  }

  focusHand() {
    if (this.hand?.element.firstElementChild) this.hand.focus();
    else /** @type {HTMLElement | undefined} */ (this.#panel.querySelector("button.primary") ?? this.zone)?.focus();
  }

  /** @param {Board} board */
  #build(board) {
    const name = (/** @type {number} */ seat) => this.name(seat);
    this.hand = new Hand(board, () => this.actions?.renderWays());
    this.actions = new Actions(this.table, board, this.hand, name);
    const { info } = this.table;
    this.braille = h("p", { class: "braille", "aria-label": t("braille.line") });
    this.handZone = h(
      "section",
      { class: "hand-zone", "aria-labelledby": "hand-title" },
      h("h2", { id: "hand-title", class: "unseen" }, t("hand")),
      this.hand.element,
      this.braille,
      this.actions.element,
      commandField(this.actions, (topic) => this.ask(topic)),
    );
    this.zone = h(
      "div",
      { class: "zone", tabindex: "-1", onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) },
      h(
        "section",
        { class: "felt", "aria-labelledby": "table-title" },
        h("h2", { id: "table-title", class: "unseen" }, t("table")),
        this.#seats,
        h("div", { class: "center" }, this.#ring.element, this.#middle),
        this.#panel,
        this.#own,
      ),
      this.handZone,
    );
    this.replaceChildren(
      h(
        "div",
        { class: "table-head" },
        h("h1", {}, title(info?.game ?? "", info?.ruleset), " ", unseen("– "), this.#state),
        this.#audience,
        h("button", { type: "button", class: "quiet", onclick: () => showRules(board.game) }, t("rules")),
        h("button", { type: "button", class: "quiet", onclick: () => this.#leave() }, t("leave")),
      ),
      this.#banner,
      this.zone,
    );
  }

  #listen() {
    const { table } = this;
    this.#offs.push(
      table.on("event", ({ event, replay }) => this.#happened(event, replay)),
      table.on("say", ({ line, seq, replay }) => this.#said(line, seq, replay)),
      table.on("snapshot", ({ first }) => {
        if (!first) this.#trail = [];
      }),
      table.on("change", () => this.#plan()),
      table.on("audience", () => this.#plan()),
      table.on("unseated", () => this.#plan()),
      table.on("frozen", (frozen) => {
        live.alert(t(frozen ? "frozen" : "thawed"));
        this.#plan();
      }),
    );
  }

  /** @param {number} seat */
  name(seat) {
    return this.table.seats[seat]?.name ?? t("seat-free", { n: seat + 1 });
  }

  /** @param {any} event @param {boolean} replay */
  #happened(event, replay) {
    this.#trail = [...this.#trail, event].slice(-TRAIL);
    if (event.type === "match_started") this.#resultShown = "";
    if (replay) return;
    if (event.type === "window_opened" && event.opener !== this.table.seat) earcons.play("window");
    else if (event.type === "clock_low") earcons.play("low");
    else if (event.type === "match_ended") earcons.play("won");
    else if (event.seat !== undefined && event.seat !== this.table.seat) earcons.play("played");
  }

  #lineOf = 0;
  #lineSeq = -1;

  /** @param {import("../../js/src/protocol.gen.js").Say} line @param {number} seq @param {boolean} replay */
  #said(line, seq, replay) {
    this.#lineOf = seq === this.#lineSeq ? this.#lineOf + 1 : 0;
    this.#lineSeq = seq;
    // In a shared room nobody hears what a window offers unless he asks.
    const secret = settings.shared === true && line.about === "claim";
    const { epoch } = this.table;
    live.write(
      { text: line.text, priority: line.priority, kind: "game", key: `${epoch} ${seq} ${this.#lineOf}` },
      { replay, loud: line.priority === "high" && !secret, silent: secret },
    );
  }

  #plan() {
    if (this.#planned) return;
    this.#planned = true;
    queueMicrotask(() => {
      this.#planned = false;
      if (this.isConnected && this.board) this.#render();
    });
  }

  #render() {
    const { table, board, hand, actions } = this;
    if (!board || !hand || !actions) return;
    const view = filled(table.view);
    const scene = { view, table, seat: table.seat, trail: this.#trail, name: (/** @type {number} */ s) => this.name(s) };
    showSeats(this.#seats, this.#own, board, scene);
    const playing = table.info?.phase !== "waiting" && table.view !== null;
    const acting = [actions.element, this.#panel].some((part) => part.contains(document.activeElement));
    this.#middle.replaceChildren(...(playing ? board.middle(scene) : []).filter((node) => node !== null));
    this.#showPanel();
    this.#ring.show(table);
    const seated = table.seat !== null && playing;
    /** @type {HTMLElement} */ (this.handZone).hidden = !seated;
    byId("skip").hidden = !seated;
    actions.render();
    hand.show(view.hand, {
      apart: board.apart?.(scene) ?? null,
      playable: (piece) => actions.playable(piece),
    });
    actions.renderWays();
    // The button that had the focus is gone with its request: the hand is the place to go on from.
    if (acting && document.activeElement === document.body) this.focusHand();
    this.#showBraille(view.hand);
    this.#showState(view);
    this.#showBanner();
    this.#meet();
    this.#tick();
  }

  #showPanel() {
    const { table } = this;
    const waiting = table.info?.phase === "waiting";
    const key = waiting || table.result ? JSON.stringify([waiting, table.seats, table.result, table.invite]) : "";
    if (this.#panel.dataset.shown === key) return;
    this.#panel.dataset.shown = key;
    const attempt = (/** @type {Promise<any>} */ call) => this.#attempt(call);
    const name = (/** @type {number} */ seat) => this.name(seat);
    keepFocus(this.#panel, () => {
      if (waiting) this.#panel.replaceChildren(waitingRoom(table, attempt));
      else if (table.result) this.#panel.replaceChildren(resultPanel(table, name, attempt));
      else this.#panel.replaceChildren();
    });
    if (!table.result || this.#resultShown === table.result.match) return;
    this.#resultShown = table.result.match;
    document.getElementById("result-title")?.focus();
  }

  /** @param {string[]} pieces */
  #showBraille(pieces) {
    const { braille, board } = this;
    if (!braille) return;
    braille.hidden = !settings.braille || !board?.cell || pieces.length === 0;
    braille.textContent = braille.hidden ? "" : pieces.map((piece) => board?.cell?.(piece)).join("");
  }

  /** @param {any} view */
  #showState(view) {
    const { table } = this;
    const turn = table.requests.some((request) => request.kind === "turn" && !request.held);
    const claim = table.requests.find((request) => request.kind === "claim");
    const game = title(table.info?.game ?? "", table.info?.ruleset);
    let state = t("title.watching");
    if (table.result || table.info?.phase === "ended") state = t("finished");
    else if (table.info?.phase === "waiting") state = t("title.waiting");
    else if (turn) state = t("title.your-turn");
    else if (claim?.can && !settings.shared) state = t("title.window", { what: kind(table.info?.game ?? "", table.window?.kinds[0] ?? "") });
    else if (view.turn !== null) state = t("title.turn-of", { who: this.name(view.turn) });
    else if (table.window) state = t("title.window-open");
    document.title = `${state} – ${game}`;
    this.#state.replaceChildren(bdi(state));
    this.#state.classList.toggle("yours", turn);
    this.#audience.textContent = table.audience > 0 ? t("audience", { n: table.audience }) : "";
  }

  #showBanner() {
    const { table } = this;
    const nodes = [];
    if (table.unseated)
      nodes.push(
        h("p", {}, t(`unseated.${table.unseated}`)),
        table.unseated === "replaced"
          ? h("button", { type: "button", onclick: () => this.#attempt(table.watch()) }, t("take-back"))
          : h("a", { class: "button", href: "#/" }, t("to-lobby")),
      );
    else if (table.frozen) nodes.push(h("p", {}, t("frozen")));
    const key = table.unseated ?? (table.frozen ? "frozen" : "");
    if (this.#banner.dataset.key === key) return;
    this.#banner.dataset.key = key;
    this.#banner.hidden = nodes.length === 0;
    this.#banner.replaceChildren(...nodes);
    if (table.unseated) live.alert(t(`unseated.${table.unseated}`));
  }

  /** A sound for a turn that has just come. */
  #meet() {
    for (const { request, kind: which } of this.table.requests) {
      if (this.#met.has(request)) continue;
      this.#met.add(request);
      if (which === "turn") earcons.play("turn");
    }
  }

  #tick() {
    this.#ring.tick();
    tickClocks(this, this.table);
  }

  /** @param {any} what */
  async ask(what) {
    try {
      const ok = await this.table.ask(what);
      live.status((ok.say ?? []).map((line) => line.text).join(" ") || JSON.stringify(ok.data));
    } catch (error) {
      live.status(/** @type {Error} */ (error).message);
    }
  }

  /** @param {Promise<any>} call */
  async #attempt(call) {
    try {
      await call;
    } catch (error) {
      live.error(/** @type {Error} */ (error).message);
    }
    this.#plan();
  }

  async #leave() {
    const { table } = this;
    if (table.seat !== null) {
      const running = table.info?.phase === "running" && !table.result;
      if (running && !(await confirm(t("leave"), t("leave.sure"), t("leave")))) return;
      await this.#attempt(table.leave());
    }
    location.hash = "#/";
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const what = asked(event);
    if (what === null || !this.actions || !this.hand) return;
    event.preventDefault();
    if (TOPICS.has(what)) this.ask(what);
    else if (what in TAKES) this.actions.take(TAKES[what]);
    else if (what === "play") this.actions.play();
    else if (what === "select") this.hand.toggleFocused();
    else if (what === "clear") this.hand.clear();
    else if (what === "withdraw") this.actions.withdraw();
    else if (what === "help") showHelp();
    else if (what === "older") live.read(-1);
    else if (what === "newer") live.read(1);
    else live.turnBuffer(what === "buffer-before" ? -1 : 1);
  }
}

customElements.define("hanpan-table", TablePage);

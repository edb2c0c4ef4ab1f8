/** A match's record, shown again: a slider and keys to step, the board as spectators saw it. */

import { bdi, byId, h } from "./dom.js";
import { showSeats } from "./seats.js";
import { http, title } from "./session.js";
import { locale, t } from "./text.js";
import { boardOf, filled } from "../boards/board.js";

const LONGEST_PAUSE_MS = 3000;
const TRAIL = 40;

export class RecordPage extends HTMLElement {
  #at = 0;
  /** @type {any} */
  #record = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #seats = h("ol", { class: "seats others" });
  #own = h("ol", { class: "seats own" });
  #middle = h("div", { class: "middle" });
  #said = h("div", { class: "said-now", "aria-live": "polite" });
  #where = h("output", { for: "record-slider" });
  #slider = h("input", { id: "record-slider", type: "range", min: 0, value: "0", oninput: () => this.#go(Number(this.#slider.value)) });
  #play = h("button", { type: "button", class: "primary", onclick: () => this.#toggle() });

  /** @param {string} id */
  async enter(id) {
    const record = await http.record(id, locale);
    this.#record = { ...record, frames: record.frames.filter((/** @type {any} */ frame) => frame.view || frame.events?.length) };
    this.board = await boardOf(record.game);
    const name = title(record.game, record.ruleset);
    document.title = t("record-of", { game: name });
    this.#slider.max = String(Math.max(0, this.#record.frames.length - 1));
    this.#play.textContent = t("play");
    this.replaceChildren(
      h("div", { class: "table-head" }, h("h1", {}, document.title), h("a", { class: "button", href: "#/" }, t("to-lobby"))),
      h(
        "div",
        { class: "zone", onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) },
        h("section", { class: "felt", "aria-label": t("table") }, this.#seats, h("div", { class: "center" }, this.#middle), this.#own),
        h(
          "section",
          { class: "player", "aria-label": t("replay") },
          this.#said,
          h("div", { class: "field" }, h("label", { for: "record-slider" }, t("record.step")), this.#slider, this.#where),
          h(
            "div",
            { class: "row" },
            this.#step("⏮", "record.first", () => 0),
            this.#step("◀", "record.before", () => this.#at - 1),
            this.#play,
            this.#step("▶", "record.after", () => this.#at + 1),
            this.#step("⏭", "record.last", () => Infinity),
          ),
          h("p", { class: "quiet-text" }, t("record.keys")),
        ),
      ),
    );
    this.#go(0);
    this.#slider.focus();
    byId("skip").hidden = true;
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  /** @param {string} sign @param {string} key @param {() => number} to */
  #step(sign, key, to) {
    return h("button", { type: "button", "aria-label": t(key), onclick: () => this.#go(to()) }, sign);
  }

  /** @param {number} to */
  #go(to) {
    const { frames } = this.#record;
    this.#at = Math.max(0, Math.min(frames.length - 1, to));
    const past = frames.slice(0, this.#at + 1);
    const view = past.findLast((/** @type {any} */ frame) => frame.view)?.view ?? null;
    const names = this.#record.names ?? [];
    const seats = Array.from({ length: this.#record.seats }, (_, seat) => ({ seat, state: "here", name: names[seat] ?? null }));
    const name = (/** @type {number} */ seat) => names[seat] ?? t("seat-free", { n: seat + 1 });
    const table = /** @type {any} */ ({ seats, info: { phase: "running" } });
    const trail = past.flatMap((/** @type {any} */ frame) => frame.events ?? []).slice(-TRAIL);
    const scene = { view: filled(view), table, seat: null, name, trail };
    if (view && this.board) {
      showSeats(this.#seats, this.#own, this.board, scene);
      this.#middle.replaceChildren(...this.board.middle(scene).filter((node) => node !== null));
    }
    const lines = (frames[this.#at].say ?? []).map((/** @type {any} */ line) => h("p", {}, bdi(line.text)));
    this.#said.replaceChildren(...lines);
    this.#slider.value = String(this.#at);
    this.#where.textContent = t("record.where", { n: this.#at + 1, all: frames.length });
    this.#slider.setAttribute("aria-valuetext", `${this.#where.textContent}. ${this.#said.textContent}`);
  }

  #toggle() {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else {
      if (this.#at >= this.#record.frames.length - 1) this.#go(0);
      this.#later();
    }
    this.#play.textContent = t(this.#timer === undefined ? "play" : "pause");
  }

  #later() {
    const { frames } = this.#record;
    const pause = (frames[this.#at + 1]?.at ?? 0) - (frames[this.#at]?.at ?? 0);
    this.#timer = setTimeout(() => {
      this.#go(this.#at + 1);
      if (this.#at < frames.length - 1) this.#later();
      else this.#toggle();
    }, Math.min(LONGEST_PAUSE_MS, Math.max(700, pause)));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // The slider moves by its own keys; elsewhere the same keys step.
    const onSlider = event.target === this.#slider;
    const button = /** @type {HTMLElement} */ (event.target).closest("button");
    if (event.code === "Space" && !button) this.#toggle();
    else if (event.code === "ArrowLeft" && !onSlider) this.#go(this.#at - 1);
    else if (event.code === "ArrowRight" && !onSlider) this.#go(this.#at + 1);
    else if (event.code === "Home" && !onSlider) this.#go(0);
    else if (event.code === "End" && !onSlider) this.#go(Infinity);
    else return;
    event.preventDefault();
  }
}

customElements.define("hanpan-record", RecordPage);

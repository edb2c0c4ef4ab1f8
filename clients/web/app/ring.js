/** The window as a ring that empties, and the clock of the seat to act. Not live regions: time is spoken
 * when asked for, and by the server when it gets short. */

import { h, s } from "./dom.js";
import { kind } from "./labels.js";
import { duration, t } from "./text.js";

/** @import {Table} from "../../js/src/table.js" */

const RADIUS = 26;
const AROUND = 2 * Math.PI * RADIUS;

export class Ring {
  #arc = s("circle", { class: "arc", cx: 32, cy: 32, r: RADIUS });
  #label = h("span", { class: "ring-label" });
  #time = h("span", { class: "ring-time", "aria-hidden": "true" });
  #until = 0;
  #shown = "";

  constructor() {
    this.element = h(
      "div",
      { class: "ring", hidden: true },
      s(
        "svg",
        { viewBox: "0 0 64 64", "aria-hidden": "true" },
        s("circle", { class: "track", cx: 32, cy: 32, r: RADIUS }),
        this.#arc,
      ),
      this.#time,
      this.#label,
    );
  }

  /** @param {Table} table */
  show(table) {
    const { window } = table;
    this.element.hidden = !window;
    if (!window) return void (this.#shown = "");
    const total = window.claim_ms + window.grace_ms;
    this.#until = window.at + total;
    if (this.#shown === window.window) return this.tick();
    this.#shown = window.window;
    const names = window.kinds.map((type) => kind(table.info?.game ?? "", type)).join(", ");
    this.#label.textContent = t("window-for", { what: names });
    const left = Math.max(0, this.#until - performance.now());
    this.#arc.style.setProperty("--around", String(AROUND));
    // An animation of the whole length, begun as long ago as the window is old.
    this.#arc.style.animation = "none";
    this.#arc.getBoundingClientRect();
    this.#arc.style.animation = `empty ${total}ms linear ${left - total}ms both`;
    return this.tick();
  }

  tick() {
    if (this.element.hidden) return;
    const left = this.#until - performance.now();
    this.#time.textContent = left > 0 ? (left / 1000).toFixed(left < 10_000 ? 1 : 0) : "…";
    this.element.classList.toggle("tail", left <= 0);
  }
}

/** What is left on the clock now: turn time first, then the bank. @param {Table} table */
export function timeLeft(table) {
  const { clock } = table;
  if (!clock) return null;
  const passed = clock.running === false || table.frozen ? 0 : performance.now() - table.clockAt;
  const turn = Math.max(0, clock.left_ms - passed);
  const bank = Math.max(0, clock.bank_ms - Math.max(0, passed - clock.left_ms));
  return { seat: clock.seat, turn, bank, running: clock.running !== false };
}

/** The clock in words. @param {Table} table */
export function clockText(table) {
  const left = timeLeft(table);
  return left ? t("clock", { turn: duration(left.turn), bank: duration(left.bank) }) : "";
}

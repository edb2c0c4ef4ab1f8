/** The seats around the table: who sits there, what is left, whose turn it is, and who is away. */

import { bdi, h, sync, unseen } from "./dom.js";
import { timeLeft } from "./ring.js";
import { t } from "./text.js";

/** @typedef {import("../boards/board.js").Board} Board */
/** @typedef {import("../boards/board.js").Scene} Scene */

/** The seats in the order in which they are shown: from one's left around to one's right, oneself last. @param {number} n @param {number} own @param {1 | -1} around */
export function order(n, own, around) {
  return [...Array.from({ length: n - 1 }, (_, i) => (((own + around * (i + 1)) % n) + n) % n), own];
}

/**
 * @param {Element} others across the top of the table
 * @param {Element} own at its bottom: oneself, or seat 0 for a spectator
 * @param {Board} board
 * @param {Scene} scene
 */
export function showSeats(others, own, board, scene) {
  const { table, view, seat, name } = scene;
  const shown = order(table.seats.length, seat ?? 0, board.around?.(view) ?? 1);
  others.setAttribute("data-others", String(shown.length - 1));
  others.setAttribute("aria-label", t(seat === null ? "seats.all" : "seats.others"));
  own.setAttribute("aria-label", seat === null ? name(shown.at(-1) ?? 0) : t("seats.own"));
  fill(others, shown.slice(0, -1), board, scene);
  fill(own, shown.slice(-1), board, scene);
}

/** @param {Element} list @param {number[]} seats @param {Board} board @param {Scene} scene */
function fill(list, seats, board, scene) {
  sync(
    list,
    seats,
    (number) => `seat-${number}`,
    () => h("li", { class: "seat" }),
    (element, number) => showSeat(element, board, scene, number),
  );
}

/** @param {HTMLElement} element @param {Board} board @param {Scene} scene @param {number} number */
function showSeat(element, board, scene, number) {
  const { table, view, name, seat } = scene;
  const info = table.seats[number];
  const running = table.info?.phase === "running";
  const turn = running && view.turn === number;
  element.dataset.turn = String(turn);
  element.dataset.state = info.state;
  const left = view.counts?.[number];
  const score = view.scores?.[number];
  element.replaceChildren(
    h(
      "div",
      { class: "plate" },
      h(
        "p",
        { class: "who" },
        turn ? h("span", { class: "pointer", "aria-hidden": "true" }, "▶") : null,
        bdi(name(number)),
        number === seat ? [" ", h("span", { class: "you" }, t("you"))] : null,
        turn ? unseen(` – ${t("to-play")}`) : null,
      ),
      h(
        "p",
        { class: "facts" },
        left != null && running
          ? [h("span", { class: "count", "aria-hidden": "true", title: t("left", { n: left }) }, h("span", { class: "stack" }), String(left)), unseen(t("left", { n: left }))]
          : null,
        score != null ? h("span", { class: "score" }, t("points", { n: score })) : null,
        ...stateBadges(info),
        ...(view.turn === undefined ? [] : (board.plate?.(scene, number) ?? [])).filter((node) => node !== null),
      ),
      h("span", { class: "clock", "data-seat": number, "aria-hidden": "true" }),
    ),
    ...(board.front?.(scene, number) ?? []).filter((node) => node !== null),
  );
}

/** @param {any} info */
function stateBadges(info) {
  if (info.state === "bot") return [h("span", { class: "badge bot" }, t("bot"))];
  if (info.state === "open") return [h("span", { class: "badge" }, t("seat-open"))];
  if (info.state === "left") return [h("span", { class: "badge away" }, t("seat-left"))];
  if (info.state !== "away") return [];
  const seconds = Math.ceil((info.policy_in_ms ?? 0) / 1000);
  const what = info.policy ? t(`away.${info.policy}`, { n: seconds }) : t("away");
  return [h("span", { class: "badge away" }, what)];
}

/** Bring the clocks up to now. @param {Element} list everything around them @param {import("../../js/src/table.js").Table} table */
export function tickClocks(list, table) {
  const left = timeLeft(table);
  for (const element of list.querySelectorAll(".clock")) {
    const own = left !== null && Number(element.getAttribute("data-seat")) === left.seat;
    const seconds = own ? Math.ceil((left.turn > 0 ? left.turn : left.bank) / 1000) : null;
    const text = seconds === null ? "" : left && left.turn <= 0 ? t("bank", { n: seconds }) : `${seconds}`;
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle("low", own && left.turn + left.bank <= 10_000);
    element.classList.toggle("still", own && !left.running);
  }
}

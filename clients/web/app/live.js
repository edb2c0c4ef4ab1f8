/** What is spoken: the log, answers to questions, alerts, and reading back through the buffers.
 *
 * Live regions are in the page from the start and only ever appended to. Lines of a replay go to
 * `#earlier`, beside the live log, so that a screen reader does not read forty old lines aloud. A line
 * that `#alert` speaks is silent in the log. */

import { byId, h } from "./dom.js";
import { t } from "./text.js";
import { voice } from "./voice.js";

const KEEP = 200;

/** @typedef {{text: string, priority: string, kind: string, key: string}} Line kind: game, chat or page */

/** @type {Line[]} */
let lines = [];
/** @type {Set<string>} */
const seen = new Set();
const BUFFERS = ["all", "high", "chat"];
let buffer = 0;
let at = -1;

/** A new table: nothing said before belongs to it. */
export function clear() {
  lines = [];
  seen.clear();
  at = -1;
  byId("log").replaceChildren();
  byId("earlier").replaceChildren();
}

/**
 * A line of the log. `key` is its place in the stream; the same place is written once.
 * @param {Line} line
 * @param {{replay?: boolean, loud?: boolean, silent?: boolean}} [how] loud: spoken at once; silent:
 *   written, but told only when asked for
 */
export function write(line, { replay = false, loud = false, silent = false } = {}) {
  if (seen.has(line.key)) return;
  seen.add(line.key);
  lines.push(line);
  const log = byId("log");
  const earlier = byId("earlier");
  if (replay) {
    earlier.append(...log.children);
    earlier.append(element(line));
  } else {
    log.append(element(line, loud || silent ? "off" : null));
    if (loud) alert(line.text);
    else if (!silent) {
      voice.say(line.text, line.priority === "high");
      // The log lies outside of a dialog that is open, where no screen reader listens.
      if (byId("status").closest("dialog")) put("status", line.text, 4000, "unseen");
    }
  }
  trim();
  const scroll = byId("log-scroll");
  if (at < 0) scroll.scrollTop = scroll.scrollHeight;
}

/** @param {Line} line @param {string | null} [live] */
function element(line, live = null) {
  return h("p", { class: `said ${line.kind}`, "data-priority": line.priority, "aria-live": live }, line.text);
}

function trim() {
  const all = [...byId("earlier").children, ...byId("log").children];
  for (const old of all.slice(0, Math.max(0, all.length - KEEP))) old.remove();
  lines = lines.slice(-KEEP);
}

/** @param {string} region @param {string} text @param {number} keep @param {string | null} [look] */
function put(region, text, keep, look = null) {
  const place = byId(region);
  const node = h("p", { class: look }, text);
  place.append(node);
  while (place.children.length > 8) place.firstElementChild?.remove();
  setTimeout(() => node.remove(), keep);
}

/** A line of chat: shown elsewhere, kept here for reading back, told politely. @param {Line} line @param {boolean} own */
export function chat(line, own) {
  if (seen.has(line.key)) return;
  seen.add(line.key);
  lines.push(line);
  if (!own) status(line.text);
}

/** An answer to what the player asked, politely. @param {string} text */
export function status(text) {
  put("status", text, 9000);
  voice.say(text, true);
}

/** Something that cannot wait. @param {string} text */
export function alert(text) {
  put("alert", text, 4000);
  voice.say(text, true);
}

/** Something that went wrong: an alert that is seen as well. @param {string} text */
export function error(text) {
  put("alert", text, 7000, "error");
  voice.say(text, true);
}

/** Read the message before (-1) or after (1) the one read last. @param {-1 | 1} step */
export function read(step) {
  const chosen = filtered();
  if (chosen.length === 0) return status(t("buffer.empty"));
  if (at < 0) at = step < 0 ? chosen.length - 1 : chosen.length - 1;
  else at = Math.min(chosen.length - 1, Math.max(0, at + step));
  const line = chosen[at];
  status(at === chosen.length - 1 ? line.text : `${line.text} (${at - chosen.length + 1})`);
  if (at === chosen.length - 1 && step > 0) at = -1;
  return undefined;
}

/** The other buffer. @param {-1 | 1} step */
export function turnBuffer(step) {
  buffer = (buffer + step + BUFFERS.length) % BUFFERS.length;
  at = -1;
  status(t("buffer", { name: t(`buffer.${BUFFERS[buffer]}`), n: filtered().length }));
}

function filtered() {
  const which = BUFFERS[buffer];
  if (which === "all") return lines;
  if (which === "chat") return lines.filter((line) => line.kind === "chat");
  return lines.filter((line) => line.priority === "high");
}

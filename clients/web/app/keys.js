/** The key map. Keys are physical (`event.code`), because Korean input methods change `event.key`. */

import { settings } from "./settings.js";

/** What each key does at a table, in the order in which help lists it. @type {Record<string, string>} */
export const DEFAULT_KEYS = {
  select: "Space", play: "Enter", clear: "Backspace",
  pass: "KeyP", mine: "KeyM", return: "KeyR", tsumo: "KeyZ", challenge: "KeyD", accept: "KeyA",
  decline: "KeyN", withdraw: "KeyU",
  hand: "KeyH", table: "KeyB", last: "KeyL", turn: "KeyT", score: "KeyS", counts: "KeyC",
  clock: "KeyK", legal: "KeyG",
  older: "Comma", newer: "Period", "buffer-before": "BracketLeft", "buffer-after": "BracketRight",
};

/** Keys that are not remapped: they move in the hand. */
export const FIXED = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "Tab", "Escape", "KeyX"]);

/** @param {string} what */
export function codeOf(what) {
  return settings.keys[what] ?? DEFAULT_KEYS[what];
}

/** What a key does, or null. @param {string} code */
export function meaning(code) {
  return Object.keys(DEFAULT_KEYS).find((what) => codeOf(what) === code) ?? null;
}

/** A key's name as printed on it. @param {string} code */
export function keyName(code) {
  const names = /** @type {Record<string, string>} */ ({
    Comma: ",", Period: ".", BracketLeft: "[", BracketRight: "]", Slash: "/", Minus: "-", Equal: "=",
    Semicolon: ";", Quote: "'", Backslash: "\\", Backquote: "`",
  });
  return names[code] ?? code.replace(/^(Key|Digit)/, "");
}

/**
 * What this key press asks for in the game zone, or null: keys are off, a modifier is held, or the focus
 * is where keys write text or have a meaning of their own.
 * @param {KeyboardEvent} event
 */
export function asked(event) {
  if (!settings.keysOn || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("input, textarea, select, dialog")) return null;
  if (event.code === "Slash" && event.shiftKey) return "help";
  if (event.shiftKey) return null;
  const what = meaning(event.code);
  // On a button or link, Space and Enter press it.
  if ((what === "select" || what === "play") && target.closest("button, a, summary")) return null;
  return what;
}

/** The digit of a key, on the row or the pad. @param {string} code */
export function digit(code) {
  return code.match(/^(?:Digit|Numpad)(\d)$/)?.[1] ?? null;
}

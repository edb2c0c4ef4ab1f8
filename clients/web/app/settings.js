/** What this browser's player has chosen, kept in local storage. */

/**
 * @typedef {object} Settings
 * @property {string | null} locale
 * @property {string} name
 * @property {boolean} voice the built-in voice reads the log
 * @property {number} rate of the voice
 * @property {boolean} sounds
 * @property {boolean} shared others in the room hear this device: windows tell nothing by themselves
 * @property {"normal" | "large" | "huge"} size
 * @property {"auto" | "light" | "dark"} scheme
 * @property {"normal" | "more"} contrast
 * @property {boolean} keysOn
 * @property {Record<string, string>} keys remapped: what it does -> event.code
 * @property {boolean} braille
 * @property {string} speed of new tables
 */

/** @type {Settings} */
const DEFAULTS = {
  locale: null, name: "", voice: false, rate: 1, sounds: false, shared: false, size: "normal",
  scheme: "auto", contrast: "normal", keysOn: true, keys: {}, braille: false, speed: "standard",
};
const KEY = "hanpan.settings";

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...read() };

/** @type {Set<(changed: Partial<Settings>) => void>} */
const listeners = new Set();

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {}; // storage is off or broken: the defaults do
  }
}

/** @param {Partial<Settings>} changed */
export function change(changed) {
  Object.assign(settings, changed);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // storage is off: the choice holds until the page is closed
  }
  show();
  for (const listener of listeners) listener(changed);
}

/** Returns a function that ends it. @param {(changed: Partial<Settings>) => void} listener @returns {() => void} */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Carry the visual choices to the document. */
export function show() {
  const { dataset } = document.documentElement;
  dataset.size = settings.size;
  dataset.scheme = settings.scheme;
  dataset.contrast = settings.contrast;
}

/** What this browser's player has chosen, kept in local storage. */

/**
 * @typedef {object} Settings
 * @property {string | null} locale
 * @property {string} name
 * @property {boolean} voice the built-in voice reads the log
 * @property {number} rate of the voice
 * @property {boolean} sounds
 * @property {boolean | null} shared others in the room hear this device: windows tell nothing by themselves;
 *   null: not chosen, and nothing sounds that they could hear
 * @property {"normal" | "large" | "huge"} size
 * @property {"auto" | "light" | "dark"} scheme
 * @property {"normal" | "more"} contrast
 * @property {boolean} keysOn
 * @property {Record<string, string>} keys remapped: what it does -> event.code
 * @property {boolean} braille
 * @property {string} speed of new tables
 * @property {number} version of this form, as it is stored
 */

const VERSION = 2;
/** @type {Settings} */
const DEFAULTS = {
  locale: null, name: "", voice: false, rate: 1, sounds: false, shared: null, size: "normal",
  scheme: "auto", contrast: "normal", keysOn: true, keys: {}, braille: false, speed: "standard",
  version: VERSION,
};
const KEY = "hanpan.settings";

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...upgraded(read()) };
settings.shared = inRoom(settings);

/** @type {Set<(changed: Partial<Settings>) => void>} */
const listeners = new Set();

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {}; // storage is off or broken: the defaults do
  }
}

/**
 * What an older page stored. It kept `shared: false` for everybody: beside a voice or sounds that were on, the
 * box had been seen and left alone; without them it says nothing.
 * @param {Partial<Settings>} stored
 * @returns {Partial<Settings>}
 */
function upgraded(stored) {
  if (stored.version === VERSION) return stored;
  const meant = stored.shared || (stored.shared === false && (stored.voice || stored.sounds));
  return { ...stored, shared: meant ? stored.shared : null, version: VERSION };
}

/** A page cannot tell speakers from headphones: who lets it sound and has not said is taken to have speakers. @param {Settings} chosen */
function inRoom({ voice, sounds, shared }) {
  return shared === null && (voice || sounds) ? true : shared;
}

/** @param {Partial<Settings>} wished */
export function change(wished) {
  const shared = inRoom({ ...settings, ...wished });
  const changed = shared === settings.shared ? wished : { ...wished, shared };
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

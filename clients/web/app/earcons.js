/** Short sounds, each with words beside it; never the only carrier. Off until chosen. */

import { settings } from "./settings.js";

/** By name: [Hz, start in s, length in s]. @type {Record<string, [number, number, number][]>} */
const SOUNDS = {
  turn: [[523, 0, 0.12], [784, 0.13, 0.2]],
  window: [[330, 0, 0.08], [330, 0.14, 0.08]],
  played: [[196, 0, 0.05]],
  low: [[880, 0, 0.07], [880, 0.12, 0.07], [880, 0.24, 0.07]],
  refused: [[165, 0, 0.22]],
  won: [[523, 0, 0.12], [659, 0.12, 0.12], [784, 0.24, 0.12], [1047, 0.36, 0.3]],
  chat: [[660, 0, 0.06]],
};

/** @type {AudioContext | null} */
let context = null;

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (!settings.sounds) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const [pitch, start, length] of SOUNDS[name]) {
    const from = context.currentTime + start;
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = name === "played" ? "triangle" : "sine";
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0.0001, from);
    gain.gain.exponentialRampToValueAtTime(0.18, from + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + length + 0.02);
  }
}

/** The built-in voice, for players without a screen reader. Off until chosen. */

import { settings } from "./settings.js";
import { locale } from "./text.js";

const TAGS = /** @type {Record<string, string>} */ ({ en: "en-US", ko: "ko-KR", ja: "ja-JP" });
const LONGEST_QUEUE = 6;

class Voice {
  #waiting = 0;

  get possible() {
    return "speechSynthesis" in window;
  }

  /** @param {string} text @param {boolean} [urgent] before everything that waits */
  say(text, urgent = false) {
    if (!settings.voice || !this.possible) return;
    if (urgent || this.#waiting > LONGEST_QUEUE) this.stop();
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = TAGS[locale] ?? locale;
    utterance.rate = settings.rate;
    utterance.onend = utterance.onerror = () => (this.#waiting = Math.max(0, this.#waiting - 1));
    this.#waiting += 1;
    speechSynthesis.speak(utterance);
  }

  stop() {
    if (!this.possible) return;
    speechSynthesis.cancel();
    this.#waiting = 0;
  }
}

export const voice = new Voice();

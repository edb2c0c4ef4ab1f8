/** Keeps a connection below the server's limit of frames a second, above which it is closed (4005). */

/** Of the server's limit, what this side uses: its clock and the server's do not tick alike. */
const SHARE = 0.9;

export class Pacer {
  #tokens = 0;
  #rate = 0;
  #burst = 0;
  #at = 0;
  /** @type {string[]} */
  #waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #write;

  /** @param {(text: string) => void} write */
  constructor(write) {
    this.#write = write;
  }

  /** A new connection with these limits. @param {{frames: number, burst: number}} limits */
  start({ frames, burst }) {
    this.stop();
    this.#rate = (frames * SHARE) / 1000;
    this.#burst = this.#tokens = Math.max(1, Math.floor(burst * SHARE));
    this.#at = performance.now();
  }

  /** Write at once, or as soon as the limit allows it; the order is kept. @param {string} text */
  push(text) {
    this.#waiting.push(text);
    this.#flush();
  }

  /** Forget what waits. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #flush() {
    const now = performance.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) * this.#rate);
    this.#at = now;
    while (this.#waiting.length > 0 && this.#tokens >= 1) {
      this.#tokens -= 1;
      this.#write(/** @type {string} */ (this.#waiting.shift()));
    }
    if (this.#waiting.length === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#flush();
    }, (1 - this.#tokens) / this.#rate);
  }
}

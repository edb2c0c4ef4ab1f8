/** Listeners by name, and their events as an async iterator. */

/**
 * @template {Record<string, any>} Events
 */
export class Emitter {
  /** @type {Map<keyof Events, Set<(value: any) => void>>} */
  #listeners = new Map();

  /**
   * Call `listener` at each event of this name. Returns a function that ends it.
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {(value: Events[Name]) => void} listener
   * @returns {() => void}
   */
  on(name, listener) {
    let all = this.#listeners.get(name);
    if (!all) this.#listeners.set(name, (all = new Set()));
    all.add(listener);
    return () => all.delete(listener);
  }

  /**
   * The next event of this name.
   * @template {keyof Events} Name
   * @param {Name} name
   * @returns {Promise<Events[Name]>}
   */
  once(name) {
    return new Promise((resolve) => {
      const off = this.on(name, (value) => {
        off();
        resolve(value);
      });
    });
  }

  /**
   * @protected
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {Events[Name]} value
   */
  emit(name, value) {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(value);
  }
}

/**
 * A queue between events that come when they will and a reader that takes its time.
 * @template T
 * @implements {AsyncIterableIterator<T>}
 */
export class Feed {
  /** @type {T[]} */
  #waiting = [];
  /** @type {((result: IteratorResult<T, undefined>) => void)[]} */
  #readers = [];
  #ended = false;
  #onreturn;

  /** @param {() => void} [onreturn] called when the reader stops early */
  constructor(onreturn = () => {}) {
    this.#onreturn = onreturn;
  }

  /** @param {T} value */
  push(value) {
    if (this.#ended) return;
    const reader = this.#readers.shift();
    if (reader) reader({ value, done: false });
    else this.#waiting.push(value);
  }

  /** No more after what is waiting. */
  end() {
    this.#ended = true;
    for (const reader of this.#readers.splice(0)) reader({ value: undefined, done: true });
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** @returns {Promise<IteratorResult<T, undefined>>} */
  next() {
    const value = this.#waiting.shift();
    if (value !== undefined) return Promise.resolve({ value, done: false });
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** @returns {Promise<IteratorResult<T, undefined>>} */
  return() {
    this.#onreturn();
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }
}

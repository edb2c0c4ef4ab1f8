/** One lasting line to the server out of many sockets: opens, watches, reopens. It knows no messages
 * but `hello`, `draining` and the heartbeat. */

import { delay, resumes } from "./backoff.js";
import { Emitter } from "./emitter.js";
import { Pacer } from "./pacer.js";

/** @import {Hello, Server} from "./protocol.gen.js" */

export const SUBPROTOCOL = "hanpan.v1.json";

/**
 * What the line is doing. `waiting`: until the next attempt in `ms`. `stopped`: for good, with the
 * close code and the reason (an error code where the server named one).
 * @typedef {{name: "connecting"} | {name: "open"} | {name: "waiting", ms: number, code: number}
 *   | {name: "stopped", code: number, reason: string}} LinkState
 */

/** @extends {Emitter<{hello: Hello, frame: any, state: LinkState}>} */
export class Link extends Emitter {
  /** @type {LinkState} */
  state = { name: "connecting" };
  /** @type {WebSocket | null} */
  #socket = null;
  #attempt = 0;
  #heard = 0;
  /** @type {number | null} */
  #drainingMs = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #heartbeat;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #url;
  #WebSocket;
  #random;
  #pacer = new Pacer((text) => this.#socket?.send(text));

  /** @param {{url: string, WebSocket?: any, random?: () => number}} options */
  constructor({ url, WebSocket = globalThis.WebSocket, random = Math.random }) {
    super();
    this.#url = url;
    this.#WebSocket = WebSocket;
    this.#random = random;
  }

  /** Open the first socket, or a new one now instead of after the wait. */
  open() {
    if (this.#socket || this.state.name === "stopped") return;
    clearTimeout(this.#timer);
    this.#become({ name: "connecting" });
    const socket = new this.#WebSocket(this.#url, SUBPROTOCOL);
    this.#socket = socket;
    socket.onmessage = (/** @type {MessageEvent} */ event) => this.#receive(event.data);
    socket.onclose = (/** @type {CloseEvent} */ event) => this.#lost(socket, event.code);
    // A failed attempt also closes; without a listener Node ends the process.
    socket.onerror = () => {};
  }

  /** The server knows us: the line counts as open, and the next loss starts with a short wait. */
  ready() {
    this.#attempt = 0;
    this.#become({ name: "open" });
  }

  /** @param {object} message */
  send(message) {
    this.#pacer.push(JSON.stringify(message));
  }

  /** Drop the socket and open another one at once, e.g. after a change of language. */
  reopen() {
    this.#drop(1000);
    this.open();
  }

  /** Close for good. @param {string} [reason] @param {number} [code] */
  stop(reason = "closed", code = 1000) {
    if (this.state.name === "stopped") return;
    this.#drop(1000);
    clearTimeout(this.#timer);
    this.#become({ name: "stopped", code, reason });
  }

  /** @param {LinkState} state */
  #become(state) {
    this.state = state;
    this.emit("state", state);
  }

  /** @param {string} data */
  #receive(data) {
    this.#heard = performance.now();
    /** @type {Server} */
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return; // not a message of this protocol: lenient towards servers
    }
    if (message.type === "hello") {
      this.#pacer.start(message.limits);
      this.#beat(message.heartbeat_ms);
      this.emit("hello", message);
    } else {
      if (message.type === "draining") this.#drainingMs = message.in_ms;
      this.emit("frame", message);
    }
  }

  /** @param {number} every milliseconds */
  #beat(every) {
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => {
      // A dead line gives no close event for minutes; two silent heartbeats are enough.
      if (performance.now() - this.#heard > 2 * every && this.#socket) this.#lost(this.#socket, 4009);
      else if (this.state.name === "open") this.send({ type: "ping" });
    }, every * 0.8);
  }

  /** @param {number} code */
  #drop(code) {
    const socket = this.#socket;
    this.#socket = null;
    clearInterval(this.#heartbeat);
    this.#pacer.stop();
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close(code);
  }

  /** @param {WebSocket} socket @param {number} code */
  #lost(socket, code) {
    if (socket !== this.#socket) return;
    this.#drop(code === 4009 ? 4009 : 1000);
    if (!resumes(code)) {
      this.#become({ name: "stopped", code, reason: "closed" });
      return;
    }
    const ms = delay(this.#attempt, {
      code,
      drainingMs: this.#drainingMs,
      random: this.#random,
    });
    this.#attempt += 1;
    this.#drainingMs = null;
    this.#become({ name: "waiting", ms, code });
    this.#timer = setTimeout(() => this.open(), ms);
  }
}

/** The HTTP side: guests, games, tables, records. */

import { HanpanError } from "./errors.js";

/** @import {GameInfo, PlayerInfo, TableInfo} from "./protocol.gen.js" */

/** @typedef {{player: PlayerInfo, token: string}} Guest */

export class Http {
  #fetch;

  /**
   * @param {string | URL} base e.g. `http://127.0.0.1:8000`; `ws:` and `wss:` are understood
   * @param {typeof globalThis.fetch} [fetch]
   */
  constructor(base, fetch = globalThis.fetch) {
    this.base = new URL(base);
    this.base.protocol = this.base.protocol.replace("ws", "http");
    this.#fetch = fetch;
  }

  /** The WebSocket's address. */
  get socket() {
    const url = new URL("/v1/ws", this.base);
    url.protocol = url.protocol.replace("http", "ws");
    return url.href;
  }

  /**
   * A new guest; keep the token, it is the only proof of who this is.
   * @param {{name?: string, locale?: string}} [wish]
   * @returns {Promise<Guest>}
   */
  guest(wish = {}) {
    return this.#json("/v1/guests", { method: "POST", body: JSON.stringify(wish) });
  }

  /** Ends a token for good, and every connection of its player. @param {string} token */
  endToken(token) {
    const headers = { authorization: `Bearer ${token}` };
    return this.#json("/v1/token", { method: "DELETE", headers });
  }

  /** @returns {Promise<GameInfo[]>} */
  async games() {
    return (await this.#json("/v1/games")).games;
  }

  /** @param {string} id @returns {Promise<TableInfo>} */
  table(id) {
    return this.#json(`/v1/tables/${encodeURIComponent(id)}`);
  }

  /** @param {string} id @param {string} [locale] */
  record(id, locale) {
    const query = locale ? `?locale=${encodeURIComponent(locale)}` : "";
    return this.#json(`/v1/records/${encodeURIComponent(id)}${query}`);
  }

  /** The JSON schema of a game's options, actions, events and view. @param {string} game */
  schema(game) {
    return this.#json(`/v1/schema/${encodeURIComponent(game)}.json`);
  }

  /**
   * @param {string} path
   * @param {{method?: string, body?: string, headers?: Record<string, string>}} [init]
   * @returns {Promise<any>}
   */
  async #json(path, init = {}) {
    // A type without a body would have browsers ask first, which only calls with a body are ready for.
    /** @type {Record<string, string>} */
    const type = init.body === undefined ? {} : { "content-type": "application/json" };
    const headers = { accept: "application/json", ...type, ...init.headers };
    // Called without a receiver: browsers refuse `fetch` as a method of another object.
    const fetch = this.#fetch;
    const answer = await fetch(new URL(path, this.base), { ...init, headers });
    if (answer.ok) return answer.json();
    const problem = await answer.json().catch(() => ({}));
    throw new HanpanError({
      code: problem.code ?? (answer.status === 404 ? "not_found" : "unavailable"),
      message: problem.detail ?? problem.title ?? `the server answered ${answer.status}`,
      retry: answer.status >= 500,
    });
  }
}

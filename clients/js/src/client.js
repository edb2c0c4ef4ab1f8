/** A player's connection: requests and their answers, tables, resume. */

import { Emitter } from "./emitter.js";
import { HanpanError } from "./errors.js";
import { Http } from "./http.js";
import { Link } from "./link.js";
import { Table } from "./table.js";

/** @import {Client as ClientMessage, CreateTable, Identify, Lobby, Ok, PlayerInfo, Server, TableInfo} from "./protocol.gen.js" */
/** @import {LinkState} from "./link.js" */

/** How long after `moving` the same message is sent again. */
const MOVING_MS = 250;

/**
 * Messages that may have been carried out before the line was lost: what the repeat is then refused
 * with says that it was.
 * @type {Record<string, string>}
 */
const DONE_ALREADY = { join_table: "already_seated", leave_table: "not_seated" };

/**
 * @typedef {object} ClientOptions
 * @property {string} [token] of a guest, an account or a bot; without it a guest is made
 * @property {string} [name] of the guest
 * @property {string} [locale] `en`, `ko` or `ja`
 * @property {"say"[]} [want] `["say"]`: sentences with every update
 * @property {string} [client] name and version of the program
 * @property {any} [WebSocket] another implementation, or a fake one
 * @property {typeof globalThis.fetch} [fetch]
 * @property {() => number} [random] 0..1, for the waits between attempts
 */

/** @typedef {{message: any, resolve: (ok: Ok) => void, reject: (error: Error) => void, sent: number}} Pending */

/**
 * Connect as a player; resolves when the server knows who we are. Lost connections are resumed.
 * @param {string | URL} url the server, e.g. `http://127.0.0.1:8000`
 * @param {ClientOptions} [options]
 * @returns {Promise<Client>}
 */
export async function connect(url, options = {}) {
  const http = new Http(url, options.fetch);
  const token =
    options.token ?? (await http.guest({ name: options.name, locale: options.locale })).token;
  const client = new Client(http, { ...options, token });
  await client.open();
  return client;
}

/**
 * @extends {Emitter<{state: LinkState, identified: Ok, lobby: Lobby, draining: {in_ms: number},
 *   message: Server}>}
 */
export class Client extends Emitter {
  /** @type {PlayerInfo | null} */
  player = null;
  /** Tables at which this player has a seat, as of the last `identify`. @type {any[]} */
  seated = [];
  /** @type {Map<string, Table>} */
  tables = new Map();
  #next = 1;
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  #identify = 0;
  #options;
  #link;

  /** @param {Http} http @param {ClientOptions & {token: string}} options */
  constructor(http, options) {
    super();
    this.http = http;
    this.#options = options;
    this.#link = new Link({ url: http.socket, ...options });
    this.#link.on("hello", () => this.#introduce());
    this.#link.on("frame", (message) => this.#receive(message));
    this.#link.on("state", (state) => this.#changed(state));
  }

  /** What the line is doing. @returns {LinkState} */
  get state() {
    return this.#link.state;
  }

  get locale() {
    return this.#options.locale ?? "en";
  }

  /** Connect; resolves when identified, rejects when the server will not have us. */
  open() {
    return new Promise((resolve, reject) => {
      const done = [
        this.on("identified", () => (done.forEach((off) => off()), resolve(this))),
        this.on("state", (state) => {
          if (state.name !== "stopped") return;
          done.forEach((off) => off());
          reject(new HanpanError({ code: state.reason, message: `closed (${state.code})` }));
        }),
      ];
      this.#link.open();
    });
  }

  /** End the connection for good. The seats are kept for a while, as after any loss. */
  close() {
    this.#link.stop();
  }

  /** Try again now instead of after the wait, e.g. when the network is back. */
  wake() {
    this.#link.open();
  }

  /** Another language for sentences and refusals, from now on. @param {string} locale */
  speak(locale) {
    this.#options.locale = locale;
    if (this.state.name === "open") this.#link.reopen();
  }

  /**
   * Send a request; resolves with its `ok`, rejects with a HanpanError. Unanswered ones are sent again
   * after a lost connection, so each is carried out once.
   * @param {Record<string, any> & {type: ClientMessage["type"]}} message
   * @returns {Promise<Ok>}
   */
  request(message) {
    if (this.state.name === "stopped")
      return Promise.reject(new HanpanError({ code: "closed", message: "the connection is closed" }));
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      const pending = { message: { ...message, id }, resolve, reject, sent: 0 };
      this.#pending.set(id, pending);
      if (this.state.name === "open") this.#send(pending);
    });
  }

  /**
   * Make a table; take a seat with its `join()`.
   * @param {Omit<CreateTable, "type" | "id">} wish
   * @returns {Promise<Table>}
   */
  async create(wish) {
    const ok = await this.request({ type: "create_table", key: key(), ...wish });
    const table = this.table(/** @type {string} */ (ok.table));
    table.invite = ok.invite ?? null;
    return table;
  }

  /** Take a seat by the code of a private table. @param {string} code @returns {Promise<Table>} */
  async joinByCode(code) {
    const ok = await this.request({ type: "join_table", table: code, invite: code });
    const table = this.table(/** @type {string} */ (ok.table));
    if (table.stream === null) await table.once("snapshot");
    return table;
  }

  /** One object a table, whether anything was heard of it or not. @param {string} id @returns {Table} */
  table(id) {
    let table = this.tables.get(id);
    if (!table) this.tables.set(id, (table = new Table(this, id)));
    return table;
  }

  /** The public tables now; `lobby` events tell what changes. @returns {Promise<TableInfo[]>} */
  async watchLobby() {
    this.#lobby = true;
    return (await this.request({ type: "watch_lobby" })).tables ?? [];
  }

  unwatchLobby() {
    this.#lobby = false;
    return this.request({ type: "unwatch_lobby" });
  }

  #lobby = false;

  #introduce() {
    const { token, client = "hanpan-js/0.1", locale = "en", want = [] } = this.#options;
    /** @type {Identify} */
    const message = { type: "identify", token, client, locale, want };
    const at = [...this.tables.values()].flatMap((table) => table.place ?? []);
    if (at.length > 0) message.at = at;
    this.#identify = this.#next++;
    this.#link.send({ ...message, id: this.#identify });
  }

  /** @param {Pending} pending */
  #send(pending) {
    pending.sent += 1;
    this.#link.send(pending.message);
  }

  /** @param {Server & {table?: string}} message */
  #receive(message) {
    if (message.type === "ok" || message.type === "error") this.#answer(message);
    else if (message.type === "pong")
      for (const top of message.at ?? []) this.tables.get(top.table)?.expect(top);
    else if (message.type === "lobby") this.emit("lobby", message);
    else if (message.type === "draining") this.emit("draining", message);
    else if (message.table) this.tables.get(message.table)?.receive(message);
    this.emit("message", message);
  }

  /** @param {any} answer an `ok` or an `error` */
  #answer(answer) {
    if (answer.re === this.#identify) return this.#identified(answer);
    const pending = this.#pending.get(answer.re);
    if (!pending) return undefined;
    if (answer.code === "moving") return setTimeout(() => this.#send(pending), MOVING_MS);
    // The server goes away and said so: the request is sent again after the resume.
    if (answer.code === "draining") return undefined;
    this.#pending.delete(answer.re);
    // The stream of a table joined by its code comes before the program has heard its id.
    if (answer.table) this.table(answer.table);
    const refused = answer.type === "error" && pending.sent > 1;
    const done = refused && DONE_ALREADY[pending.message.type] === answer.code;
    if (answer.type === "ok" || done) pending.resolve(done ? { type: "ok" } : answer);
    else pending.reject(new HanpanError(answer));
    return undefined;
  }

  /** @param {any} answer */
  #identified(answer) {
    if (answer.type === "error") {
      if (!answer.retry) this.#link.stop(answer.code, 4003);
      return;
    }
    this.player = answer.player ?? null;
    this.seated = answer.tables ?? [];
    for (const top of answer.at ?? []) this.tables.get(top.table)?.replayTo(top);
    this.#link.ready();
    const unanswered = [...this.#pending.values()];
    if (this.#lobby && !unanswered.some((p) => p.message.type === "watch_lobby"))
      this.watchLobby().then((tables) => this.emit("lobby", { type: "lobby", tables }), () => {});
    for (const pending of unanswered) this.#send(pending);
    const goesOn = new Set((answer.at ?? []).map((/** @type {any} */ top) => `${top.table} ${top.stream}`));
    for (const table of this.tables.values()) if (!goesOn.has(`${table.id} ${table.stream}`)) table.renew();
    this.emit("identified", answer);
  }

  /** @param {LinkState} state */
  #changed(state) {
    if (state.name === "stopped") {
      const error = new HanpanError({ code: "closed", message: "the connection is closed" });
      for (const pending of this.#pending.values()) pending.reject(error);
      this.#pending.clear();
      for (const table of this.tables.values()) table.stopped();
    }
    this.emit("state", state);
  }
}

/** A key by which the server knows a repeated request of this player. */
export function key() {
  return crypto.randomUUID();
}

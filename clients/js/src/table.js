/** One table as one stream tells of it: state, events, and what can be done there. */

import { Emitter, Feed } from "./emitter.js";
import { key } from "./client.js";

/** @import {Client} from "./client.js" */
/** @import {ChatLine, Clock, Ok, Place, RequestInfo, Say, SeatInfo, Standing, TableInfo, Top} from "./protocol.gen.js" */

/** How long to wait before a stream that cannot be had now is asked for again. */
const RETRY_MS = 500;

/**
 * Something that happened. replay: it happened while the line was lost, and is not read aloud.
 * @typedef {{event: any, seq: number, replay: boolean}} Happening
 * @typedef {{seq: number, replay: boolean, first: boolean}} Jump the whole state was sent; where it is
 *   not the first, no event tells what changed
 * @typedef {{line: Say, seq: number, replay: boolean}} Sentence
 * @typedef {{window: string, kinds: string[], opener: number, claim_ms: number, grace_ms: number,
 *   ends: string, at: number}} OpenWindow at: when it was heard of, by `performance.now()`
 */

/**
 * @extends {Emitter<{change: {replay: boolean}, event: Happening, say: Sentence, snapshot: Jump, chat: ChatLine, audience: number, unseated: string, frozen: boolean,
 *   stopped: null}>}
 */
export class Table extends Emitter {
  /** `seat:2`, `public` or `public:delayed`; null until the first snapshot. @type {string | null} */
  stream = null;
  epoch = "";
  seq = 0;
  /** @type {"view" | "events"} */
  detail = "view";
  /** @type {string | null} */
  invite = null;
  /** @type {TableInfo | null} */
  info = null;
  /** @type {SeatInfo[]} */
  seats = [];
  /** What this viewer sees of the game; absent fields have their defaults. @type {any} */
  view = null;
  /** @type {Clock | null} */
  clock = null;
  /** When the clock was heard of, by `performance.now()`. */
  clockAt = 0;
  /** @type {OpenWindow | null} */
  window = null;
  /** @type {ChatLine[]} */
  chats = [];
  audience = 0;
  frozen = false;
  /** Why the seat or stream was taken away from this connection. @type {string | null} */
  unseated = null;
  /** The event that ended the last match, until the next one starts. @type {any} */
  result = null;
  /** @type {RequestInfo[]} */
  #requests = [];
  /** @type {Set<string>} */
  #answered = new Set();
  /** @type {Top | null} */
  #replay = null;
  /** The invite that was shown, for the next time. @type {string | null} */
  #shown = null;
  #gap = false;
  #client;

  /** @param {Client} client @param {string} id */
  constructor(client, id) {
    super();
    this.#client = client;
    this.id = id;
  }

  /** The own seat, null for a spectator. */
  get seat() {
    return this.stream?.startsWith("seat:") ? Number(this.stream.slice(5)) : null;
  }

  /** What is asked of this seat and not answered yet. */
  get requests() {
    return this.#requests.filter((request) => !this.#answered.has(request.request));
  }

  /** Where this client stands in its stream, for a resume. @returns {Place | null} */
  get place() {
    if (this.stream === null || this.unseated !== null) return null;
    const place = { table: this.id, stream: this.stream, epoch: this.epoch, seq: this.seq };
    return this.detail === "view" ? place : { ...place, detail: this.detail };
  }

  // -- what can be done ------------------------------------------------------------------------

  /** Take a seat. @param {{seat?: number, invite?: string, detail?: "view" | "events"}} [wish] */
  async join({ seat, invite = this.invite ?? undefined, detail = "view" } = {}) {
    this.#begin(detail, invite);
    const first = this.once("snapshot");
    const message = given({ type: /** @type {const} */ ("join_table"), table: this.id, seat, invite });
    if (detail === "events") Object.assign(message, { detail });
    const ok = await this.#client.request(message);
    if (this.stream === null) await first;
    return ok;
  }

  /** Watch, or come back to the own seat. @param {{detail?: "view" | "events", stream?: string, invite?: string}} [wish] */
  async watch({ detail = "view", stream, invite } = {}) {
    this.#begin(detail, invite);
    const first = this.once("snapshot");
    const type = /** @type {const} */ ("watch");
    const ok = await this.#client.request(given({ type, table: this.id, detail, stream, invite }));
    if (this.stream === null) await first;
    return ok;
  }

  async unwatch() {
    this.#forget();
    return this.#client.request({ type: "unwatch", table: this.id });
  }

  async leave() {
    const ok = await this.#client.request({ type: "leave_table", table: this.id });
    this.#forget();
    return ok;
  }

  ready(ready = true) {
    return this.#ask({ type: "ready", ...(ready ? {} : { ready }) });
  }

  start() {
    return this.#ask({ type: "start" });
  }

  rematch() {
    return this.#ask({ type: "rematch" });
  }

  /** @param {{seat?: number, level?: string}} [wish] */
  addBot(wish = {}) {
    return this.#ask(given({ type: "add_bot", ...wish }));
  }

  /** @param {number} seat */
  removeBot(seat) {
    return this.#ask({ type: "remove_bot", seat });
  }

  /**
   * Answer a request. `ok.held`: the turn waits for the window; `ok.sealed`: a claim, settled at the close.
   * @param {RequestInfo | string} request
   * @param {{type: string, [field: string]: any}} action
   * @returns {Promise<Ok>}
   */
  async act(request, action) {
    const id = typeof request === "string" ? request : request.request;
    try {
      const ok = await this.#ask({ type: "act", request: id, action });
      if (!ok.held) this.#answer(id);
      return ok;
    } catch (error) {
      const stands = /** @type {any} */ (error).requests;
      if (stands) this.#put(stands);
      throw error;
    }
  }

  /** Take back a held turn. @param {RequestInfo | string} request */
  withdraw(request) {
    const id = typeof request === "string" ? request : request.request;
    return this.#ask({ type: "withdraw", request: id });
  }

  /**
   * Every legal action with exactly these pieces; rejects with the rule that forbids them.
   * @param {RequestInfo | string} request
   * @param {string[]} tiles
   */
  legal(request, tiles) {
    const id = typeof request === "string" ? request : request.request;
    return this.#ask({ type: "legal", request: id, tiles });
  }

  /** @param {Standing["orders"]} orders @param {"round" | "match"} [until] */
  standing(orders, until = "round") {
    return this.#ask({ type: "standing", orders, until });
  }

  /** @param {"hand" | "table" | "turn" | "counts" | "last" | "clock" | "legal" | "score"} what */
  ask(what) {
    return this.#ask({ type: "ask", what });
  }

  /** @param {string} text */
  chat(text) {
    return this.#ask({ type: "chat", text, key: key() });
  }

  /**
   * What is asked of this seat, each request once, until the match ends or the seat is lost: the loop
   * of a bot.
   * @returns {AsyncIterableIterator<RequestInfo>}
   */
  decisions() {
    const seen = new Set();
    let sat = false;
    const offs = [
      this.on("change", () => look()),
      this.on("stopped", () => finish()),
      this.on("unseated", () => finish()),
    ];
    const finish = () => (offs.forEach((off) => off()), feed.end());
    const feed = /** @type {Feed<RequestInfo>} */ (new Feed(finish));
    const look = () => {
      for (const request of this.requests) {
        if (seen.has(request.request)) continue;
        seen.add(request.request);
        feed.push(request);
      }
      // A seat that was away for too long before or after a match is given up: only watching is left.
      if (this.result || (sat && this.seat === null)) finish();
      sat = this.seat !== null;
    };
    look();
    return feed;
  }

  // -- what the server tells --------------------------------------------------------------------

  /** @param {any} message a message of this table */
  receive(message) {
    if (message.type === "snapshot") this.#snapshot(message);
    else if (message.type === "update") this.#update(message);
    else if (message.type === "requests") this.#put(message.requests), this.emit("change", { replay: false });
    else if (message.type === "chat") this.#chat(message);
    else if (message.type === "audience") this.emit("audience", (this.audience = message.count));
    else if (message.type === "unseated") this.#gone(message.why);
    else if (message.type === "frozen" || message.type === "thawed")
      this.emit("frozen", (this.frozen = message.type === "frozen"));
  }

  /** Frames up to this number are the replay of a resume. @param {Top} top */
  replayTo(top) {
    if (this.stream === top.stream) this.#replay = top;
  }

  /** The server's number of our stream: everything up to it must have come. @param {Top} top */
  expect(top) {
    if (top.stream === this.stream && top.epoch === this.epoch && top.seq > this.seq) this.#repair();
  }

  /** After a lost line the server does not go on with this stream: what there is now is asked for. */
  renew() {
    if (this.place !== null) this.#repair();
  }

  /** The connection has ended for good. */
  stopped() {
    this.emit("stopped", null);
  }

  /** @param {any} message */
  #snapshot(message) {
    const first = this.stream === null;
    const top = this.#replay;
    const replay = top !== null && top.epoch === message.epoch && message.seq <= top.seq;
    this.stream = message.stream;
    this.epoch = message.epoch;
    this.seq = message.seq;
    this.#gap = false;
    this.unseated = null;
    this.frozen = false;
    this.info = message.info;
    this.audience = message.info.audience ?? 0;
    this.seats = message.seats;
    this.view = message.view ?? null;
    this.#time(message.clock ?? null);
    this.window = message.window ? opened(message.window) : null;
    if (message.info.phase !== "ended") this.result = null;
    this.#put(message.requests ?? []);
    this.chats = message.chat ?? [];
    this.#tell(message.say, message.seq, replay);
    this.emit("snapshot", { seq: message.seq, replay, first });
    this.emit("change", { replay });
  }

  /** @param {any} message */
  #update(message) {
    if (message.stream !== this.stream || this.#gap || message.seq <= this.seq) return;
    if (message.seq !== this.seq + 1) return this.#repair();
    this.seq = message.seq;
    const top = this.#replay;
    const replay = top !== null && top.epoch === this.epoch && message.seq <= top.seq;
    if (message.view !== undefined) this.view = message.view;
    if (message.seats) this.seats = message.seats;
    if (message.clock) this.#time(message.clock);
    if (message.requests) this.#put(message.requests);
    for (const event of message.events ?? []) {
      this.#follow(event);
      this.emit("event", { event, seq: message.seq, replay });
    }
    this.#tell(message.say, message.seq, replay);
    this.emit("change", { replay });
  }

  /** What an event of the table itself changes here. @param {any} event */
  #follow(event) {
    if (event.type === "window_opened") this.window = { ...event, at: performance.now() };
    else if (event.type === "window_closed") this.window = null;
    else if (event.type === "match_started") {
      this.result = null;
      this.window = null;
      if (this.info) this.info.phase = "running";
    } else if (event.type === "match_ended" || event.type === "match_voided") {
      this.result = event;
      this.window = null;
      this.#time(null);
      if (this.info) this.info.phase = "ended";
    }
  }

  /** @param {Say[] | null | undefined} lines @param {number} seq @param {boolean} replay */
  #tell(lines, seq, replay) {
    for (const line of lines ?? []) this.emit("say", { line, seq, replay });
  }

  /** @param {ChatLine} line */
  #chat(line) {
    this.chats.push(line);
    this.emit("chat", line);
  }

  /** @param {Clock | null} clock */
  #time(clock) {
    this.clock = clock;
    this.clockAt = performance.now();
  }

  /** @param {RequestInfo[]} requests */
  #put(requests) {
    this.#requests = requests;
    const open = new Set(requests.map((request) => request.request));
    this.#answered = new Set([...this.#answered].filter((id) => open.has(id)));
  }

  /** @param {string} id */
  #answer(id) {
    this.#answered.add(id);
    this.emit("change", { replay: false });
  }

  /** A number is missing: nothing is guessed, the present is asked for. */
  #repair() {
    if (this.#gap || this.stream === null) return;
    this.#gap = true;
    const stream = this.seat === null ? { stream: this.stream } : {};
    const message = given({ type: /** @type {const} */ ("watch"), detail: this.detail, invite: this.#shown ?? this.invite ?? undefined, ...stream });
    this.#ask(message).catch((error) => this.#refused(error));
  }

  /** The stream is not to be had, now or for good. @param {import("./errors.js").HanpanError} error */
  #refused(error) {
    this.#gap = false;
    if (error.retry) setTimeout(() => this.renew(), error.afterMs ?? RETRY_MS);
    else if (error.code !== "closed") this.emit("unseated", (this.unseated = "closed"));
  }

  /** The server has no place here for this client. Who took the table over may not know that it showed the
   * invite: that is shown once more, and the answer counts. @param {string} why */
  #gone(why) {
    const invited = (this.#shown ?? this.invite) !== null && this.seat === null;
    if (why === "closed" && invited && this.place !== null) this.#repair();
    else this.emit("unseated", (this.unseated = why));
  }

  /** @param {"view" | "events"} detail @param {string} [invite] */
  #begin(detail, invite) {
    this.detail = detail;
    this.#shown = invite ?? this.#shown;
    this.unseated = null;
  }

  #forget() {
    this.stream = null;
    this.seq = 0;
    this.#put([]);
  }

  /** @param {Record<string, any> & {type: import("./protocol.gen.js").Client["type"]}} message */
  #ask(message) {
    return this.#client.request({ ...message, table: this.id });
  }
}

/** An open window as a snapshot tells it, dated back to its opening. @param {any} window @returns {OpenWindow} */
function opened({ left_ms = 0, ...window }) {
  const passed = window.claim_ms + window.grace_ms - left_ms;
  return { ...window, at: performance.now() - passed };
}

/**
 * The object without what is undefined: absent means default on the wire.
 * @template {object} T
 * @param {T} fields
 * @returns {T}
 */
function given(fields) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== undefined)));
}

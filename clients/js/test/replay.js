/** Plays the server's side of a transcript (tests/transcripts/README.md) against a real client. */

import assert from "node:assert/strict";

import { Client, Http } from "../src/index.js";

/** @param {any} part @param {any} whole */
export function contains(part, whole) {
  return Object.entries(part).every(
    ([field, value]) =>
      ["id", "client", "key"].includes(field) || equal(value, /** @type {any} */ (whole)[field]),
  );
}

/** @param {any} a @param {any} b */
function equal(a, b) {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

/** Let everything that is under way arrive. */
export async function settle() {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** How a program asks for what a line says. @type {Record<string, (table: any, message: any) => any>} */
const CALLS = {
  watch: (table, { detail, stream, invite }) => table.watch({ detail, stream, invite }),
  unwatch: (table) => table.unwatch(),
  join_table: (table, { seat, invite, detail }) => table.join({ seat, invite, detail }),
  leave_table: (table) => table.leave(),
  ready: (table, { ready }) => table.ready(ready),
  start: (table) => table.start(),
  rematch: (table) => table.rematch(),
  add_bot: (table, { seat, level }) => table.addBot({ seat, level }),
  remove_bot: (table, { seat }) => table.removeBot(seat),
  act: (table, { request, action }) => table.act(request, action),
  withdraw: (table, { request }) => table.withdraw(request),
  legal: (table, { request, tiles }) => table.legal(request, tiles),
  standing: (table, { orders, until }) => table.standing(orders, until),
  ask: (table, { what }) => table.ask(what),
  chat: (table, { text }) => table.chat(text),
};

export class Replay {
  /** @type {any} */
  socket = null;
  /** @type {any[]} */
  received = [];
  /** @type {(() => void)[]} */
  #waiting = [];
  /** @type {Map<any, any>} */
  #ids = new Map();
  /** @type {Map<any, string>} */
  #keys = new Map();
  #opened = 0;
  #used = 0;
  /** @type {Record<"events" | "said" | "errors", any[]>} */
  #log = { events: [], said: [], errors: [] };
  #watched = new Set();
  #last = "";

  /** @param {any[]} lines */
  constructor(lines) {
    this.lines = lines;
    const replay = this;
    /** @type {any} */
    const WebSocket = class {
      onmessage = null;
      onclose = null;
      constructor() {
        replay.socket = this;
        replay.#opened += 1;
        replay.#wake();
      }
      /** @param {string} text */
      send(text) {
        replay.received.push(JSON.parse(text));
        replay.#wake();
      }
      close() {
        if (replay.socket === this) replay.socket = null;
      }
    };
    const { c: identify = {} } = lines.find((line) => line.c?.type === "identify") ?? {};
    const { token = "secret", locale, want } = identify;
    this.client = new Client(new Http("http://server"), { token, locale, want, WebSocket, random: () => 0 });
  }

  async run() {
    this.client.open().catch(() => {});
    for (let i = 0; i < this.lines.length; i += 1) {
      const line = this.lines[i];
      if (line.s) await this.#serve(line.s);
      else if ("end" in line) this.#end(line.end);
      else if (line.know) await this.#check(line.know, i);
      else {
        const group = [];
        while (this.lines[i]?.c) group.push(this.lines[i++]);
        i -= 1;
        await this.#expect(group);
      }
    }
    this.client.close();
  }

  #wake() {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** @param {() => boolean} done @param {string} what */
  async #until(done, what) {
    const late = setTimeout(() => this.#wake(), 3000);
    const end = Date.now() + 3000;
    while (!done()) {
      assert.ok(Date.now() < end, `waited in vain for ${what}`);
      await new Promise((resolve) => this.#waiting.push(() => resolve(undefined)));
    }
    clearTimeout(late);
  }

  /** @param {any} message */
  async #serve(message) {
    if (message.type === "hello") {
      await this.#until(() => this.#opened > this.#used, "a connection");
      this.#used += 1;
    }
    const re = "re" in message ? { re: this.#ids.get(message.re) } : {};
    this.socket.onmessage({ data: JSON.stringify({ ...message, ...re }) });
    await settle();
  }

  /** @param {number} code */
  #end(code) {
    const socket = this.socket;
    this.socket = null;
    socket.onclose({ code: code === 0 ? 1006 : code });
  }

  /** @param {any[]} group */
  async #expect(group) {
    for (const line of group)
      if (!line.auto && line.c.type !== "identify") this.#call(line.c);
    for (const line of group) {
      const match = () => this.received.findIndex((message) => contains(line.c, message));
      await this.#until(() => match() >= 0, JSON.stringify(line.c));
      const [message] = this.received.splice(match(), 1);
      this.#ids.set(line.c.id ?? 1, message.id);
      if (line.c.key !== undefined) {
        assert.equal(message.key, this.#keys.get(line.c.key) ?? message.key);
        this.#keys.set(line.c.key, message.key);
      }
    }
  }

  /** @param {any} message */
  #call(message) {
    const call = CALLS[message.type];
    const result =
      message.type === "create_table"
        ? this.client.create(without(message))
        : call
          ? call(this.#table(message.table), message)
          : this.client.request(without(message));
    result.catch((/** @type {any} */ error) => this.#log.errors.push(error.code));
  }

  /** @param {string} id */
  #table(id) {
    const table = this.client.table(id);
    this.#last = id;
    if (this.#watched.has(id)) return table;
    this.#watched.add(id);
    table.on("snapshot", ({ replay, first }) => first || this.#log.events.push(["snapshot", replay]));
    table.on("event", ({ event, replay }) => this.#log.events.push([event.type, replay]));
    table.on("say", ({ line, replay }) => this.#log.said.push([line.text, replay]));
    return table;
  }

  /** @param {any} know @param {number} at */
  async #check(know, at) {
    await settle();
    const table = this.client.table(know.table ?? this.#last);
    for (const [field, wanted] of Object.entries(know)) {
      const where = `line ${at + 1}: ${field}`;
      if (field === "table") continue;
      if (field in this.#log) {
        const log = /** @type {"events" | "said" | "errors"} */ (field);
        assert.deepEqual(this.#log[log].splice(0), wanted, where);
      } else if (field === "requests")
        assert.deepEqual(table.requests.map((request) => request.request), wanted, where);
      else if (field === "stopped") {
        assert.equal(this.client.state.name, "stopped", where);
        assert.equal(/** @type {any} */ (this.client.state).code, wanted, where);
      } else assert.deepEqual(/** @type {any} */ (table)[field], wanted, where);
    }
  }
}

/** @param {any} message */
function without({ id: _id, key: _key, ...rest }) {
  return rest;
}

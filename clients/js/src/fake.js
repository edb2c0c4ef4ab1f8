/** A server in memory for tests of bots and pages: no socket, no rules, every answer under control. */

/** @import {Top} from "./protocol.gen.js" */

/** @typedef {(message: any, connection: FakeConnection) => any} Handler what goes into the `ok` */

/** A refusal that a handler throws. */
export class FakeRefusal extends Error {
  /** @param {string} code @param {object} [more] further fields of the error */
  constructor(code, more = {}) {
    super(code);
    this.code = code;
    this.more = more;
  }
}

/** A table's streams with their frames, numbered as a server numbers them. */
export class FakeTable {
  /** @type {Map<string, any[]>} */
  frames = new Map();
  epoch = "e1";

  /** @param {FakeServer} server @param {string} id @param {object} [info] */
  constructor(server, id, info = {}) {
    this.server = server;
    this.id = id;
    this.info = {
      table: id, game: "peeper", ruleset: "standard", options: {}, speed: "instant", seats: [],
      phase: "running", visibility: "public", ...info,
    };
    /** By stream: what the last frame left. @type {Map<string, {view?: any, requests?: any[]}>} */
    this.state = new Map();
  }

  /** The next frame of a stream, to everyone who follows it. @param {string} stream @param {object} parts */
  push(stream, parts) {
    const frames = this.frames.get(stream) ?? [];
    this.frames.set(stream, frames);
    this.state.set(stream, { ...this.state.get(stream), ...parts });
    const frame = { type: "update", table: this.id, stream, seq: frames.length + 1, ...parts };
    frames.push(frame);
    for (const connection of this.server.connections)
      if (connection.streams.get(this.id) === stream) connection.send(frame);
    return frame;
  }

  /** @param {string} stream @returns {Top} */
  top(stream) {
    return { table: this.id, stream, epoch: this.epoch, seq: this.frames.get(stream)?.length ?? 0 };
  }

  /** @param {string} stream */
  snapshot(stream) {
    const { view = {}, requests = [] } = this.state.get(stream) ?? {};
    return { type: "snapshot", ...this.top(stream), info: this.info, seats: this.info.seats, view, requests };
  }
}

/** One client's socket, seen from the server. */
export class FakeConnection {
  /** By table: the stream that it follows. @type {Map<string, string>} */
  streams = new Map();
  /** @type {any[]} */
  received = [];

  /** @param {FakeServer} server @param {any} socket */
  constructor(server, socket) {
    this.server = server;
    this.socket = socket;
  }

  /** @param {object} message */
  send(message) {
    this.socket.deliver(JSON.stringify(message));
  }

  /** @param {number} code */
  close(code) {
    this.server.connections.delete(this);
    this.socket.end(code);
  }
}

export class FakeServer {
  /** @type {Set<FakeConnection>} */
  connections = new Set();
  /** @type {Map<string, FakeTable>} */
  tables = new Map();
  /** @type {Map<string, Handler>} */
  #handlers = new Map();
  hello = {
    type: "hello", protocol: "1.0", server: "fake", now: 0, heartbeat_ms: 60_000, features: ["say"],
    limits: { max_frame: 16384, frames: 1000, burst: 1000, chat: 5, chat_ms: 10_000, connections: 5 },
  };

  constructor() {
    const server = this;
    /** To be given to `connect`. */
    this.WebSocket = class extends FakeSocket {
      /** @param {string} url @param {string} [protocol] */
      constructor(url, protocol) {
        super(server, url, protocol);
      }
    };
    this.on("ping", () => ({}));
    this.on("identify", (message, connection) => this.#identify(message, connection));
    this.on("watch", (message, connection) => {
      this.#follow(message.table, message.stream ?? "public", connection);
      return {};
    });
    this.on("join_table", (message, connection) => {
      const seat = message.seat ?? 0;
      this.#follow(message.table, `seat:${seat}`, connection);
      return { table: message.table, seat };
    });
  }

  /** `fetch` for the HTTP side: a guest, and no more. @type {typeof globalThis.fetch} */
  fetch = async () =>
    new Response(JSON.stringify({ player: { id: "p_1", name: "guest", guest: true }, token: "token" }));

  /** How a message of this type is answered; everything unknown gets a bare `ok`. @param {string} type @param {Handler} handler */
  on(type, handler) {
    this.#handlers.set(type, handler);
  }

  /** @param {string} id @param {object} [info] */
  table(id, info) {
    const table = this.tables.get(id) ?? new FakeTable(this, id, info);
    this.tables.set(id, table);
    return table;
  }

  /** Close every connection, as a lost line (1006) or with a code of the protocol. @param {number} [code] */
  drop(code = 1006) {
    for (const connection of [...this.connections]) connection.close(code);
  }

  /** @param {FakeConnection} connection @param {any} message */
  receive(connection, message) {
    connection.received.push(message);
    if (message.type === "ping") return connection.send({ type: "pong", re: message.id, now: 0 });
    try {
      const fields = this.#handlers.get(message.type)?.(message, connection) ?? {};
      if (fields !== SILENT) connection.send({ type: "ok", re: message.id, ...fields });
    } catch (error) {
      if (!(error instanceof FakeRefusal)) throw error;
      const { code, more } = error;
      connection.send({ type: "error", re: message.id, code, message: code, retry: false, ...more });
    }
    return undefined;
  }

  /** @param {string} id @param {string} stream @param {FakeConnection} connection */
  #follow(id, stream, connection) {
    const table = this.tables.get(id);
    if (!table) throw new FakeRefusal("not_found");
    connection.streams.set(id, stream);
    connection.send(table.snapshot(stream));
  }

  /** @param {any} message @param {FakeConnection} connection */
  #identify(message, connection) {
    const at = [];
    const behind = [];
    for (const place of message.at ?? []) {
      const table = this.tables.get(place.table);
      if (!table) continue;
      connection.streams.set(place.table, place.stream);
      at.push(table.top(place.stream));
      const same = place.epoch === table.epoch;
      const frames = table.frames.get(place.stream) ?? [];
      behind.push(...(same ? frames.slice(place.seq) : [table.snapshot(place.stream)]));
      const { requests = [] } = table.state.get(place.stream) ?? {};
      behind.push({ type: "requests", table: place.table, stream: place.stream, requests });
    }
    const player = { id: "p_1", name: "guest", guest: true };
    connection.send({ type: "ok", re: message.id, player, tables: [], at });
    for (const frame of behind) connection.send(frame);
    return SILENT;
  }
}

/** What a handler returns that answers by itself, or not at all. @type {any} */
export const SILENT = Symbol("no answer");

/** The part of WebSocket that the SDK uses. */
class FakeSocket {
  /** @type {((event: any) => void) | null} */
  onmessage = null;
  /** @type {((event: any) => void) | null} */
  onclose = null;
  /** @type {((event: any) => void) | null} */
  onerror = null;

  /** @param {FakeServer} server @param {string} url @param {string} [protocol] */
  constructor(server, url, protocol) {
    this.url = url;
    this.protocol = protocol;
    this.connection = new FakeConnection(server, this);
    queueMicrotask(() => {
      server.connections.add(this.connection);
      this.connection.send(server.hello);
    });
  }

  /** @param {string} text */
  send(text) {
    const { server } = this.connection;
    // As on a line: never answered inside the call that sends.
    queueMicrotask(() => {
      if (server.connections.has(this.connection)) server.receive(this.connection, JSON.parse(text));
    });
  }

  close() {
    this.connection.server.connections.delete(this.connection);
  }

  /** @param {string} data */
  deliver(data) {
    this.onmessage?.({ data });
  }

  /** @param {number} code */
  end(code) {
    this.onclose?.({ code });
  }
}

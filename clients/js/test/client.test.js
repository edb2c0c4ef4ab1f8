import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { FakeRefusal, FakeServer, SILENT } from "../src/fake.js";
import { HanpanError, Http, canLay, connect, piecesOf } from "../src/index.js";
import { settle } from "./replay.js";

/** @type {import("../src/index.js").Client[]} */
const open = [];
afterEach(() => open.splice(0).forEach((client) => client.close()));

/** @param {FakeServer} server @param {object} [more] */
async function join(server, more) {
  const client = await connect("http://fake", {
    WebSocket: server.WebSocket, fetch: server.fetch, random: () => 0, ...more,
  });
  open.push(client);
  return client;
}

/** @param {FakeServer} server @param {string} type */
const received = (server, type) =>
  [...server.connections].flatMap((c) => c.received.filter((message) => message.type === type));

test("only a body has a type, and only the end of a token shows it", async () => {
  /** @type {[string, any][]} */
  const calls = [];
  const http = new Http("ws://fake", /** @type {any} */ (async (/** @type {URL} */ url, /** @type {any} */ init) => {
    calls.push([`${init.method ?? "GET"} ${url.pathname}`, init.headers]);
    return { ok: true, json: async () => ({}) };
  }));
  await http.games();
  await http.guest();
  await http.endToken("t0k3n");
  const accept = "application/json";
  assert.deepEqual(calls, [
    ["GET /v1/games", { accept }],
    ["POST /v1/guests", { accept, "content-type": accept }],
    ["DELETE /v1/token", { accept, authorization: "Bearer t0k3n" }],
  ]);
});

test("connect makes a guest and identifies with its token", async () => {
  const server = new FakeServer();
  const client = await join(server, { locale: "ko", want: ["say"] });
  assert.equal(client.player?.name, "guest");
  const [identify] = received(server, "identify");
  assert.equal(identify.token, "token");
  assert.equal(identify.locale, "ko");
  assert.deepEqual(identify.want, ["say"]);
  assert.ok(!("at" in identify), "`at` is only for a lost connection");
});

test("a refusal rejects with code, retry and the requests that stand", async () => {
  const server = new FakeServer();
  const client = await join(server);
  const table = client.table("t_1");
  const stands = [{ request: "r2", kind: "turn", legal: [], default: { type: "pass" } }];
  server.table("t_1");
  server.on("act", () => {
    throw new FakeRefusal("stale_request", { requests: stands });
  });
  await table.join();
  await assert.rejects(table.act("r1", { type: "pass" }), (error) => {
    assert.ok(error instanceof HanpanError);
    assert.equal(error.code, "stale_request");
    assert.equal(error.retry, false);
    return true;
  });
  assert.deepEqual(table.requests, stands);
});

test("an answered request is no longer open, a held one is", async () => {
  const server = new FakeServer();
  const client = await join(server);
  const table = client.table("t_1");
  const requests = [{ request: "r1", kind: "turn", legal: [], default: { type: "pass" } }];
  server.table("t_1").push("seat:0", { view: {}, requests });
  await table.join();
  server.on("act", () => ({ held: true }));
  await table.act("r1", { type: "pass" });
  assert.equal(table.requests.length, 1);
  server.on("act", () => ({ seq: 2 }));
  await table.act("r1", { type: "pass" });
  assert.equal(table.requests.length, 0);
});

test("missed frames come after a lost line, marked as replay, each once", async () => {
  const server = new FakeServer();
  const fake = server.table("t_1");
  fake.push("seat:0", { view: { round: 1 } });
  const client = await join(server);
  const table = client.table("t_1");
  await table.join();
  /** @type {any[]} */
  const seen = [];
  table.on("event", ({ event, replay }) => seen.push([event.n, replay]));
  fake.push("seat:0", { events: [{ type: "x", n: 1 }] });
  server.drop();
  fake.push("seat:0", { events: [{ type: "x", n: 2 }, { type: "x", n: 3 }] });
  await client.once("identified");
  await settle();
  fake.push("seat:0", { events: [{ type: "x", n: 4 }] });
  assert.deepEqual(seen, [[1, false], [2, true], [3, true], [4, false]]);
  assert.equal(table.seq, 4);
});

/** The server knows the player's old streams no longer. @param {FakeServer} server */
function forget(server) {
  server.on("identify", () => ({ player: { id: "p_1", name: "guest", guest: true }, tables: [], at: [] }));
}

test("a seat that was given up while the line was lost ends the loop of a bot, and is watched", async () => {
  const server = new FakeServer();
  const fake = server.table("t_1");
  const client = await join(server);
  const table = client.table("t_1");
  await table.join();
  const loop = (async () => {
    for await (const request of table.decisions()) assert.fail(request.request);
  })();
  forget(server);
  server.drop();
  await loop;
  assert.equal(table.stream, "public");
  fake.push("public", { events: [{ type: "x" }] });
  assert.equal(table.seq, 1);
});

test("a stream that does not go on is asked for until it can be had", async () => {
  const server = new FakeServer();
  server.table("t_1");
  const client = await join(server);
  const table = client.table("t_1");
  table.invite = "12345678";
  await table.watch();
  /** @type {any[]} */
  const asked = [];
  server.on("watch", (message, connection) => {
    asked.push(message);
    if (asked.length < 3) throw new FakeRefusal("rate_limited", { retry: true, after_ms: 1 });
    connection.send({ ...server.table("t_1").snapshot("public"), epoch: "e2" });
    return {};
  });
  forget(server);
  server.drop();
  while (table.epoch !== "e2") await table.once("change");
  assert.deepEqual(asked.map(({ stream, invite }) => [stream, invite]), Array(3).fill(["public", "12345678"]));
});

test("a spectator whom a new owner does not know shows the invite again", async () => {
  const server = new FakeServer();
  server.table("t_1");
  const client = await join(server);
  const table = client.table("t_1");
  await table.watch({ invite: "12345678" });
  /** @type {any[]} */
  const asked = [];
  server.on("watch", (message, connection) => {
    asked.push(message.invite);
    if (asked.length > 1) throw new FakeRefusal("not_found");
    connection.send({ ...server.table("t_1").snapshot("public"), epoch: "e2" });
    return {};
  });
  table.receive({ type: "unseated", table: "t_1", why: "closed" });
  while (table.epoch !== "e2") await table.once("change");
  assert.equal(table.unseated, null);
  table.receive({ type: "unseated", table: "t_1", why: "closed" });
  assert.equal(await table.once("unseated"), "closed");
  assert.deepEqual(asked, ["12345678", "12345678"]);
});

test("a table that is gone after a lost line is told as closed", async () => {
  const server = new FakeServer();
  server.table("t_1");
  const client = await join(server);
  const table = client.table("t_1");
  await table.join();
  forget(server);
  server.tables.clear();
  server.drop();
  assert.equal(await table.once("unseated"), "closed");
  assert.equal(table.place, null);
});

test("an unanswered request is sent again after a lost line, with the same id and key", async () => {
  const server = new FakeServer();
  const client = await join(server);
  server.on("create_table", () => SILENT);
  const made = client.create({ game: "peeper", seats: 2 });
  await settle();
  const [first] = received(server, "create_table");
  server.on("create_table", () => ({ table: "t_9" }));
  server.drop();
  assert.equal((await made).id, "t_9");
  const [second] = received(server, "create_table");
  assert.deepEqual(second, first);
  assert.ok(first.key);
});

test("a repeated join that had been carried out counts as done", async () => {
  const server = new FakeServer();
  server.table("t_1");
  const client = await join(server);
  let times = 0;
  server.on("join_table", (_message, connection) => {
    times += 1;
    if (times > 1) throw new FakeRefusal("already_seated");
    connection.streams.set("t_1", "seat:0");
    connection.send(server.table("t_1").snapshot("seat:0"));
    return SILENT;
  });
  const joined = client.table("t_1").join();
  await settle();
  server.drop();
  await joined;
  assert.equal(client.table("t_1").seat, 0);
});

test("`moving` is tried again until it is answered", async () => {
  const server = new FakeServer();
  const client = await join(server);
  let times = 0;
  server.on("list_games", () => {
    times += 1;
    if (times < 3) throw new FakeRefusal("moving", { retry: true });
    return { games: [] };
  });
  assert.deepEqual((await client.request({ type: "list_games" })).games, []);
  assert.equal(times, 3);
});

test("a refused token ends the client", async () => {
  const server = new FakeServer();
  server.on("identify", () => {
    throw new FakeRefusal("bad_token");
  });
  await assert.rejects(join(server), /** @param {any} error */ (error) => error.code === "bad_token");
});

test("a close that says stop rejects what is open and ends the loop of a bot", async () => {
  const server = new FakeServer();
  server.table("t_1");
  const client = await join(server);
  const table = client.table("t_1");
  await table.join();
  server.on("ask", () => SILENT);
  const asked = assert.rejects(table.ask("hand"), /** @param {any} error */ (error) => error.code === "closed");
  const loop = (async () => {
    for await (const request of table.decisions()) assert.fail(request.request);
  })();
  server.drop(4011);
  await asked;
  await loop;
  assert.equal(client.state.name, "stopped");
  await assert.rejects(client.request({ type: "ping" }));
});

test("decisions come once each, and end with the match", async () => {
  const server = new FakeServer();
  const fake = server.table("t_1");
  const client = await join(server);
  const table = client.table("t_1");
  await table.join();
  const request = { request: "r1", kind: "turn", legal: [], default: { type: "pass" } };
  const claim = { request: "r2", kind: "claim", legal: [], default: { type: "decline" } };
  /** @type {string[]} */
  const seen = [];
  const loop = (async () => {
    for await (const { request: id } of table.decisions()) seen.push(id);
  })();
  fake.push("seat:0", { requests: [request] });
  fake.push("seat:0", { requests: [request, claim] });
  fake.push("seat:0", { requests: [], events: [{ type: "match_ended", match: "m", places: [1] }] });
  await loop;
  assert.deepEqual(seen, ["r1", "r2"]);
  assert.deepEqual(table.result.places, [1]);
});

test("windows open and close with their events", async () => {
  const server = new FakeServer();
  const fake = server.table("t_1");
  const client = await join(server);
  const table = client.table("t_1");
  await table.join();
  const opened = { type: "window_opened", window: "w1", kinds: ["mine"], claim_ms: 1, grace_ms: 0 };
  fake.push("seat:0", { events: [opened] });
  assert.equal(table.window?.window, "w1");
  fake.push("seat:0", { events: [{ type: "window_closed", window: "w1", claims: [] }] });
  assert.equal(table.window, null);
});

test("unknown messages and fields are ignored", async () => {
  const server = new FakeServer();
  const fake = server.table("t_1");
  const client = await join(server);
  const table = client.table("t_1");
  await table.join();
  for (const connection of server.connections) connection.send({ type: "weather", table: "t_1" });
  fake.push("seat:0", { view: { round: 2, moon: true }, colour: "blue" });
  assert.equal(table.view.round, 2);
});

test("pieces of an action, and whether a hand holds them", () => {
  assert.deepEqual(piecesOf({ type: "play", tiles: ["5", "5"] }), ["5", "5"]);
  assert.deepEqual(piecesOf({ type: "discard", tile: "3r" }), ["3r"]);
  assert.deepEqual(piecesOf({ type: "pass" }), []);
  assert.ok(canLay({ type: "mine", tiles: ["5", "5"] }, ["5", "4", "5"]));
  assert.ok(!canLay({ type: "mine", tiles: ["5", "5"] }, ["5", "4"]));
});

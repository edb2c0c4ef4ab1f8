/** Put before the README's bot: the server that it plays against where none is running. */
import { FakeServer } from "../src/fake.js";

const server = new FakeServer();
globalThis.WebSocket = /** @type {any} */ (server.WebSocket);
globalThis.fetch = server.fetch;
server.on("create_table", () => ({ table: server.table("t_1").id }));
server.on("ready", () => {
  const legal = [{ type: "play", tiles: ["5"] }];
  const requests = [{ request: "r1", kind: "turn", legal, default: legal[0] }];
  queueMicrotask(() => server.table("t_1").push("seat:0", { view: { hand: ["5"] }, requests }));
  return {};
});
server.on("act", (/** @type {any} */ message) => {
  if (message.action.tiles[0] !== "5") throw new Error("the bot laid another tile than it holds");
  const events = [{ type: "match_ended", match: "m", scores: [4, 1], places: [1, 2] }];
  server.table("t_1").push("seat:0", { events, requests: [] });
  return { seq: 2 };
});

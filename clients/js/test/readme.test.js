import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const bot = /** @type {string} */ (text.match(/## A bot in 15 lines\n\n```js\n([^]*?)```/)?.[1]);

test("the bot has at most 15 lines", () => {
  assert.ok(bot.split("\n").filter((line) => line.trim()).length <= 15);
});

/** @param {string} path */
const file = (path) => JSON.stringify(new URL(`../${path}`, import.meta.url).href);

// The bot runs as a program against the server that the surrounding test run started; without one it
// runs against the fake server below, so that the text of the README is always executed.
test("the bot of the README plays a match to its end", async () => {
  const folder = new URL("../", import.meta.url);
  const setup = process.env.HANPAN_URL ? "" : `import ${file("test/fakebot.js")};\n`;
  const source = setup + bot.replace('"hanpan"', file("src/index.js"));
  const child = spawn(process.execPath, ["--input-type=module", "-"], { cwd: folder });
  let out = "";
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (out += data));
  child.stdin.end(source);
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(code, 0, out);
  assert.match(out, /places \[/);
});

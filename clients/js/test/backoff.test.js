import assert from "node:assert/strict";
import { test } from "node:test";

import { delay, resumes } from "../src/backoff.js";
import { Pacer } from "../src/pacer.js";

test("codes that the protocol names say whether to come back, all others do", () => {
  for (const code of [4001, 4003, 4005, 4007, 4009, 1006, 1012, 1001]) assert.ok(resumes(code), `${code}`);
  for (const code of [4000, 4002, 4004, 4006, 4011]) assert.ok(!resumes(code), `${code}`);
});

test("the bound doubles from 250 ms to 10 s, with full jitter under it", () => {
  const most = [0, 1, 2, 5, 6, 50].map((attempt) => delay(attempt, { random: () => 1 }));
  assert.deepEqual(most, [250, 500, 1000, 8000, 10_000, 10_000]);
  assert.equal(delay(7, { random: () => 0 }), 0);
});

test("draining names the first wait, too many frames cost two seconds", () => {
  assert.equal(delay(0, { drainingMs: 3000, random: () => 0 }), 3000);
  assert.equal(delay(1, { drainingMs: 3000, random: () => 0 }), 0);
  assert.equal(delay(0, { code: 4005, random: () => 0 }), 2000);
});

test("frames above the limit wait, in order", async () => {
  /** @type {string[]} */
  const written = [];
  const pacer = new Pacer((text) => written.push(text));
  pacer.start({ frames: 100, burst: 10 });
  const all = Array.from({ length: 14 }, (_, i) => String(i));
  for (const text of all) pacer.push(text);
  assert.equal(written.length, 9, "nine tenths of the burst at once");
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.deepEqual(written, all);
});

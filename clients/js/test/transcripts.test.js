import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { Replay } from "./replay.js";

const FOLDER = new URL("../../../tests/transcripts/", import.meta.url);
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"));

test("there are transcripts", () => assert.ok(files.length > 0));

for (const name of files)
  test(`transcript ${name}`, async () => {
    const lines = readFileSync(new URL(name, FOLDER), "utf8")
      .split("\n")
      .filter((line) => line.trim())
      .map((line) => JSON.parse(line));
    await new Replay(lines).run();
  });

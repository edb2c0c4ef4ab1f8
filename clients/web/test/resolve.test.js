import assert from "node:assert/strict";
import { test } from "node:test";

import { bare, claims, held, kinds, meant, parse, single, withPieces } from "../app/resolve.js";

const LEGAL = [
  { type: "play", tiles: ["5"] },
  { type: "play", tiles: ["5", "5"] },
  { type: "play", tiles: ["X", "14", "15"], as: "straight", low: 13 },
  { type: "play", tiles: ["X", "14", "15"], as: "straight", low: 14 },
  { type: "pass" },
];
const WORDS = { pass: "pass", 패스: "pass", x: "X", 손패: "hand", hand: "hand", "big pepper": "big", big: "big", rat: "rat", 쥐: "rat", attack: "attack" };
const PIECES = ["5", "X", "14", "15", "rat", "fly"];
const KNOWN = { piece: (/** @type {string} */ token) => PIECES.includes(token), types: new Set(["play", "pass", "attack"]) };

test("chosen pieces find every reading of exactly these pieces, in any order", () => {
  assert.equal(withPieces(LEGAL, ["5"]).length, 1);
  assert.equal(withPieces(LEGAL, ["15", "X", "14"]).length, 2);
  assert.equal(withPieces(LEGAL, ["5", "5", "5"]).length, 0);
});

test("actions without pieces are buttons of their own", () => {
  assert.deepEqual(bare(LEGAL), [{ type: "pass" }]);
  assert.deepEqual(kinds(LEGAL), ["play", "pass"]);
});

test("one piece at a time where nothing longer is legal, unless there is more than is listed", () => {
  const request = { request: "r", kind: /** @type {"turn"} */ ("turn"), default: {}, legal: [{ type: "play", card: "9C" }] };
  assert.ok(single(request));
  assert.ok(!single({ ...request, more: true }));
  assert.ok(!single({ ...request, legal: LEGAL }));
  assert.ok(!single(null));
});

test("of a claim's public offer only what the hand holds is sent", () => {
  const legal = [{ type: "mine", tiles: ["5", "5"] }, { type: "mine", tiles: ["5", "X"] }, { type: "decline" }];
  const claim = { request: "r", kind: /** @type {"claim"} */ ("claim"), legal, default: legal[2], can: 1 };
  assert.deepEqual(claims(claim, ["5", "X"]).mine, [legal[1]]);
  assert.deepEqual(claims(claim, ["4"]).mine, []);
  assert.deepEqual(claims(claim, []).decline, { type: "decline" });
});

test("a claim without pieces is offered where the server says that it is held", () => {
  const legal = [{ type: "ron" }, { type: "decline" }];
  const claim = { request: "r", kind: /** @type {"claim"} */ ("claim"), legal, default: legal[1], can: 1 };
  assert.deepEqual(claims(claim, []).mine, [{ type: "ron" }]);
  assert.deepEqual(claims({ ...claim, can: 0 }, []).mine, []);
});

test("typed words: numbers, action types in two languages, topics, values, unknown ones", () => {
  assert.deepEqual(parse("5 5", WORDS, KNOWN).pieces, ["5", "5"]);
  assert.equal(parse("패스", WORDS, KNOWN).type, "pass");
  assert.equal(parse("PASS", WORDS, KNOWN).type, "pass");
  assert.equal(parse("손패", WORDS, KNOWN).topic, "hand");
  assert.deepEqual(parse("14, 15 x", WORDS, KNOWN).pieces, ["14", "15", "X"]);
  assert.deepEqual(parse("big pepper", WORDS, KNOWN).values, ["big"]);
  assert.deepEqual(parse("3", WORDS, KNOWN).values, ["3"]);
  assert.deepEqual(parse("hello", WORDS, KNOWN).unknown, ["hello"]);
});

test("full-width digits of an input method are digits", () => {
  assert.deepEqual(parse("５ ５", WORDS, KNOWN).pieces, ["5", "5"]);
});

test("a typed face means another copy where the very piece is not held", () => {
  assert.deepEqual(held(["1"], ["1r", "2"]), ["1r"]);
  assert.deepEqual(held(["1", "1"], ["1r", "1"]), ["1", "1r"]);
  assert.equal(held(["3"], ["1"]), null);
});

test("a command means the actions that agree with everything that was said", () => {
  const none = { topic: null, type: null, pieces: [], values: [], unknown: [] };
  assert.equal(meant(LEGAL, { ...none, type: "pass" }).length, 1);
  assert.equal(meant(LEGAL, { ...none, pieces: ["X", "14", "15"], values: ["14"] }).length, 1);
  assert.equal(meant(LEGAL, { ...none, type: "play", pieces: ["5"] }).length, 1);
  assert.equal(meant([{ type: "trump", suit: null }], { ...none, values: ["null"] }).length, 1);
});

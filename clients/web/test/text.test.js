import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const LOCALES = ["en", "ko", "ja"];
const folder = new URL("../", import.meta.url);

/** @param {string} locale @returns {Promise<Record<string, string>>} */
async function catalog(locale) {
  const page = await import(`../text/${locale}.js`);
  const games = await import(`../text/${locale}.games.js`);
  return { ...page.default, ...games.default };
}

/** The words in braces of a text. @param {string} text */
const places = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

// English alone has a form of its own for one.
const keysOf = (/** @type {Record<string, string>} */ words) => Object.keys(words).filter((key) => !key.endsWith(".one")).sort();

test("every language has every text, with the same places", async () => {
  const english = await catalog("en");
  for (const locale of LOCALES) {
    const words = await catalog(locale);
    assert.deepEqual(keysOf(words), keysOf(english), locale);
    for (const key of keysOf(english)) {
      assert.ok(words[key], `${locale} ${key} is empty`);
      assert.deepEqual(places(words[key]), places(english[key]), `${locale} ${key}`);
    }
  }
});

test("no Korean text takes a particle after a name", async () => {
  const words = await catalog("ko");
  for (const [key, text] of Object.entries(words))
    assert.doesNotMatch(text, /\{(who|what|game)\}(이|가|은|는|을|를|와|과|으로|로)(?=[\s.,!?]|$)/, key);
});

test("every text that the page asks for by a fixed key exists", async () => {
  const words = await catalog("en");
  const sources = ["app", "boards", "pieces"].flatMap((name) =>
    readdirSync(new URL(`${name}/`, folder)).map((file) => readFileSync(new URL(`${name}/${file}`, folder), "utf8")),
  );
  const asked = sources.flatMap((source) => [...source.matchAll(/\b(?:t|rich)\("([^"]+)"/g)].map((match) => match[1]));
  assert.ok(asked.length > 100);
  for (const key of asked) assert.ok(key in words, key);
});

test("the rules of each game exist in every language, with the same anchors", () => {
  const games = readdirSync(new URL("rules/", folder));
  assert.deepEqual(games.sort(), ["chamsaejak", "cockroach_duel", "pepper", "peeper"].sort());
  for (const game of games) {
    const anchors = LOCALES.map((locale) => {
      const text = readFileSync(new URL(`rules/${game}/${locale}.html`, folder), "utf8");
      assert.doesNotMatch(text, /<script|style=|on\w+=/);
      return [...text.matchAll(/data-about="([^"]+)"/g)].map((match) => match[1]);
    });
    assert.ok(anchors[0].length > 4);
    for (const other of anchors) assert.deepEqual(other, anchors[0], game);
  }
});

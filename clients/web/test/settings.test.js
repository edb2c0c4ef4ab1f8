import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** @type {Map<string, string>} */
const storage = new Map();
Object.assign(globalThis, {
  localStorage: {
    getItem: (/** @type {string} */ key) => storage.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => storage.set(key, value),
  },
  document: { documentElement: { dataset: {} } },
});
const KEY = "hanpan.settings";
let visits = 0;

/** The page as it is when it is opened with this in storage. @param {object} [stored] @returns {Promise<typeof import("../app/settings.js")>} */
async function visit(stored) {
  if (stored) storage.set(KEY, JSON.stringify(stored));
  visits += 1;
  return import(`../app/settings.js?visit=${visits}`);
}

beforeEach(() => storage.clear());

test("a silent page has not been told who hears it", async () => {
  const { settings } = await visit();
  assert.equal(settings.shared, null);
});

test("who turns on voice or sounds is taken to have speakers, and whoever listens is told", async () => {
  for (const sounding of [{ voice: true }, { sounds: true }]) {
    storage.clear();
    const { settings, change, onChange } = await visit();
    /** @type {object[]} */
    const told = [];
    onChange((changed) => told.push(changed));
    change(sounding);
    assert.equal(settings.shared, true);
    assert.deepEqual(told, [{ ...sounding, shared: true }]);
  }
});

test("what was chosen stays, on this visit and the next", async () => {
  const { settings, change } = await visit();
  change({ shared: false });
  change({ voice: true });
  assert.equal(settings.shared, false);
  change({ voice: false });
  const next = await visit();
  next.change({ sounds: true });
  assert.equal(next.settings.shared, false);
});

test("what older pages stored keeps its meaning", async () => {
  /** What was stored, what that means, and what it is once there is sound. @type {[object, boolean | null, boolean][]} */
  const kept = [
    [{ voice: false, sounds: false, shared: false }, null, true],
    [{ voice: true, sounds: false, shared: false }, false, false],
    [{ voice: false, sounds: true, shared: true }, true, true],
    [{ voice: false, sounds: false, shared: true }, true, true],
    [{ voice: true }, true, true],
    [{ rate: 2 }, null, true],
  ];
  for (const [stored, meant, sounding] of kept) {
    const { settings, change } = await visit(stored);
    assert.equal(settings.shared, meant, JSON.stringify(stored));
    change({ voice: true, sounds: true });
    assert.equal(settings.shared, sounding, JSON.stringify(stored));
  }
});

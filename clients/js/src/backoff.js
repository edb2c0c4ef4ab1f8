/** How long to wait before the next attempt, and when there is none. */

import { RESUMES } from "./codes.gen.js";

const FIRST_MS = 250;
const LONGEST_MS = 10_000;
const AFTER_TOO_FAST_MS = 2_000;
const TOO_FAST = 4005;

/**
 * Whether a closed connection is resumed. Codes that the protocol does not name (a lost line, a
 * restarted proxy) are.
 * @param {number} code
 */
export function resumes(code) {
  return RESUMES[code] ?? true;
}

/**
 * Milliseconds before attempt number `attempt` (from 0): full jitter under a doubling bound, so that
 * many clients of one server do not come back together.
 * @param {number} attempt
 * @param {{code?: number, drainingMs?: number | null, random?: () => number}} [why]
 */
export function delay(attempt, { code, drainingMs = null, random = Math.random } = {}) {
  const bound = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  let least = 0;
  if (attempt === 0 && drainingMs !== null) least = drainingMs;
  else if (code === TOO_FAST) least = AFTER_TOO_FAST_MS;
  return Math.round(least + random() * bound);
}

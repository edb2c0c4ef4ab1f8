/** This browser's player: the token, the connection, and the games of the server. */

import { Client, Http, HanpanError } from "../../js/src/index.js";
import { settings } from "./settings.js";
import { locale } from "./text.js";

/** @import {GameInfo} from "../../js/src/protocol.gen.js" */
/** @import {LinkState} from "../../js/src/link.js" */

const KEY = "hanpan.token";
const RETRY_MS = 2000;

export const http = new Http(location.origin);
/** @type {Client} */
export let client;
/** @type {GameInfo[]} */
export let games = [];

/** @type {(state: LinkState | {name: "unreachable"}) => void} */
let told = () => {};

/** @param {typeof told} listener told of every change of the line */
export function onLine(listener) {
  told = listener;
}

/** Connect; a browser without a token gets a guest. Resolves when the server knows us. */
export async function start() {
  games = await untilReached(() => http.games());
  await enter();
  addEventListener("online", () => client.wake());
  document.addEventListener("visibilitychange", () => document.hidden || client.wake());
}

async function enter() {
  let token = read();
  if (!token) {
    const wish = settings.name ? { name: settings.name, locale } : { locale };
    const guest = await untilReached(() => http.guest(wish));
    token = guest.token;
    keep(token);
  }
  const next = new Client(http, { token, locale, want: ["say"], client: "hanpan-web/0.1" });
  next.on("state", (state) => told(state));
  client = next;
  try {
    await next.open();
  } catch (error) {
    if (!(error instanceof HanpanError) || error.code !== "bad_token") throw error;
    // The token was revoked or belongs to another server: a new guest.
    keep(null);
    await enter();
  }
}

/** Another guest with this name; seats of the old one stay his. @param {string} name */
export async function rename(name) {
  const guest = await http.guest(name ? { name, locale } : { locale });
  keep(guest.token);
  location.reload();
}

/** @template T @param {() => Promise<T>} call @returns {Promise<T>} */
async function untilReached(call) {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof HanpanError && !error.retry) throw error;
      told({ name: "unreachable" });
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string | null} token */
function keep(token) {
  try {
    if (token) localStorage.setItem(KEY, token);
    else localStorage.removeItem(KEY);
  } catch {
    // storage is off: this guest lasts as long as the page
  }
}

/** @param {string} name @returns {GameInfo | undefined} */
export function gameInfo(name) {
  return games.find((game) => game.game === name);
}

/** A game's title in the page's language. @param {string} name @param {string} [ruleset] */
export function title(name, ruleset = "standard") {
  const info = gameInfo(name);
  const base = info?.titles[locale] ?? info?.titles.en ?? name;
  return ruleset === "standard" ? base : `${base} ${ruleset.toUpperCase()}`;
}

/** The page's own words in the chosen language. Sentences about the game come from the server. */

import { bdi } from "./dom.js";

export const LOCALES = ["en", "ko", "ja"];
/** Each language's own name. @type {Record<string, string>} */
export const LANGUAGES = { en: "English", ko: "한국어", ja: "日本語" };

/** @type {Record<string, string>} */
let words = {};
export let locale = "en";

/** The language to begin with: what was chosen, else what the browser asks for. @param {string | null} chosen */
export function firstLocale(chosen) {
  const wanted = [chosen, ...navigator.languages].map((tag) => tag?.slice(0, 2) ?? "");
  return wanted.find((tag) => LOCALES.includes(tag)) ?? "en";
}

/** @param {string} wanted */
export async function speak(wanted) {
  const [page, games] = await Promise.all([
    import(`../text/${wanted}.js`),
    import(`../text/${wanted}.games.js`),
  ]);
  words = { ...page.default, ...games.default };
  locale = wanted;
  document.documentElement.lang = wanted;
}

/** @param {string} key */
export const has = (key) => key in words;

/** The text for one, where there is one of its own, and for any other number. @param {string} key @param {Record<string, any>} params */
const form = (key, params) => words[params.n === 1 && has(`${key}.one`) ? `${key}.one` : key] ?? key;

/**
 * The text of a key, its `{places}` filled in.
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 */
export function t(key, params = {}) {
  return form(key, params).replace(/\{(\w+)\}/g, (_, name) => String(params[name] ?? ""));
}

/** The first of these keys that has a text, or the fallback. @param {string[]} keys @param {string} fallback */
export function first(keys, fallback) {
  const key = keys.find(has);
  return key ? t(key) : fallback;
}

/**
 * The text of a key as nodes, with names of people kept apart from the sentence's direction.
 * @param {string} key
 * @param {Record<string, string | number | Node>} params
 * @returns {Node[]}
 */
export function rich(key, params) {
  return form(key, params).split(/(\{\w+\})/).map((part) => {
    const name = part.match(/^\{(\w+)\}$/)?.[1];
    if (!name) return document.createTextNode(part);
    const value = params[name] ?? "";
    if (value instanceof Node) return value;
    return name === "who" ? bdi(String(value)) : document.createTextNode(String(value));
  });
}

/** Milliseconds as seconds or minutes in words. @param {number} ms */
export function duration(ms) {
  if (ms >= 120_000) return t("minutes", { n: Math.round(ms / 60_000) });
  return t("seconds", { n: Number((ms / 1000).toFixed(1)) });
}

/** A field or value without a text of its own, made readable. @param {string} raw */
export function humanise(raw) {
  return raw.replaceAll("_", " ").replaceAll("-", " ");
}

/** The rules of each game, from pages beside this one; anchors are the action types and topics. */

import { open } from "./dialog.js";
import { byId, h } from "./dom.js";
import { title } from "./session.js";
import { locale, t } from "./text.js";

/** A link to the rule about something, which opens over the table. @param {string} game @param {string} about @param {string} text */
export function ruleLink(game, about, text) {
  return h(
    "a",
    {
      href: `#/rules/${game}/${about}`, class: "rule",
      onclick: (/** @type {Event} */ event) => {
        event.preventDefault();
        showRules(game, about);
      },
    },
    text,
  );
}

/** @param {string} game @param {string} [about] */
export async function showRules(game, about) {
  const text = await load(game);
  const dialog = open({ id: "rules", title: t("rules-of", { game: title(game) }), wide: true }, () => [text]);
  const target = about && text.querySelector(`[data-about~="${CSS.escape(about)}"]`);
  if (target instanceof HTMLElement) {
    target.tabIndex = -1;
    target.classList.add("sought");
    target.focus();
    target.scrollIntoView({ block: "start" });
  } else dialog.querySelector("h2")?.scrollIntoView();
}

/** The rules as a page of their own. @param {string} game */
export async function rulesPage(game) {
  const text = await load(game);
  document.title = t("rules-of", { game: title(game) });
  byId("main").replaceChildren(
    h("article", { class: "page" }, h("h1", {}, document.title), h("p", {}, h("a", { href: "#/" }, t("to-lobby"))), text),
  );
}

/** @param {string} game */
async function load(game) {
  const article = h("div", { class: "rules" });
  const answer = await fetch(`/web/rules/${encodeURIComponent(game)}/${locale}.html`);
  if (!answer.ok) {
    article.append(h("p", {}, t("rules-missing")));
    return article;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  article.append(...page.body.childNodes);
  return article;
}

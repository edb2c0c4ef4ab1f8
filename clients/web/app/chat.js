/** Chat at a table, with phrases for those who play with both hands. */

import { bdi, byId, h } from "./dom.js";
import * as earcons from "./earcons.js";
import * as live from "./live.js";
import { t } from "./text.js";

/** @import {Table} from "../../js/src/table.js" */
/** @import {ChatLine} from "../../js/src/protocol.gen.js" */

const PHRASES = ["hello", "nice", "thanks", "hurry", "sorry", "bye"];
const KEEP = 50;

/** @param {Table} table @param {string} ownId @returns {() => void} ends it */
export function showChat(table, ownId) {
  const lines = h("ol", { class: "chat-lines scroll", tabindex: "0", "aria-label": t("chat.lines") });
  const input = h("input", { id: "chat-text", type: "text", maxlength: 500, autocomplete: "off", enterkeyhint: "send" });

  /** @param {string} text */
  const send = async (text) => {
    try {
      await table.chat(text);
      return true;
    } catch (error) {
      live.error(/** @type {Error} */ (error).message);
      return false;
    }
  };

  const form = h(
    "form",
    {
      class: "row",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        const text = input.value.trim();
        if (text && (await send(text))) input.value = "";
      },
    },
    h("label", { for: "chat-text", class: "unseen" }, t("chat.text")),
    input,
    h("button", { type: "submit" }, t("chat.send")),
  );
  const phrases = h(
    "div",
    { class: "row phrases", role: "group", "aria-label": t("chat.phrases") },
    ...PHRASES.map((phrase) =>
      h("button", { type: "button", class: "quiet", onclick: () => send(t(`phrase.${phrase}`)) }, t(`phrase.${phrase}`)),
    ),
  );
  byId("chat-zone").replaceChildren(h("h2", { id: "chat-title" }, t("chat")), lines, form, phrases);

  /** @param {ChatLine} line @param {boolean} spoken */
  const add = (line, spoken) => {
    lines.append(h("li", {}, h("strong", {}, bdi(line.name)), ": ", bdi(line.text)));
    while (lines.children.length > KEEP) lines.firstElementChild?.remove();
    lines.scrollTop = lines.scrollHeight;
    if (!spoken) return;
    const own = line.player === ownId;
    const text = `${line.name}: ${line.text}`;
    live.chat({ text, priority: "low", kind: "chat", key: `chat ${line.at} ${line.player}` }, own);
    if (!own) earcons.play("chat");
  };
  const show = () => {
    lines.replaceChildren();
    for (const line of table.chats) add(line, false);
  };
  show();
  const offs = [table.on("chat", (line) => add(line, true)), table.on("snapshot", show)];
  return () => offs.forEach((off) => off());
}

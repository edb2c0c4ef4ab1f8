/** Joining a private table by its code. */

import { open } from "./dialog.js";
import { h } from "./dom.js";
import { client } from "./session.js";
import { t } from "./text.js";

export function openJoin() {
  const input = h("input", {
    id: "join-code", type: "text", inputmode: "numeric", autocomplete: "off", maxlength: 12, required: true,
  });
  const error = h("p", { class: "error", role: "alert" });
  open({ id: "join", title: t("join-code") }, (close) => [
    h(
      "form",
      {
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          try {
            const table = await client.joinByCode(input.value.normalize("NFKC").replace(/\D/g, ""));
            close();
            location.hash = `#/table/${table.id}`;
          } catch (problem) {
            error.textContent = /** @type {Error} */ (problem).message;
          }
        },
      },
      h("div", { class: "field" }, h("label", { for: "join-code" }, t("code")), input),
      h("p", { class: "quiet-text" }, t("code.about")),
      error,
      h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, t("join")), h("button", { type: "button", onclick: close }, t("cancel"))),
    ),
  ]);
  input.focus();
}

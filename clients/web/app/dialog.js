/** Dialogs: `<dialog>` with a heading and a way out. */

import { byId, h } from "./dom.js";
import { t } from "./text.js";

/**
 * Show a modal dialog; it leaves the page when it is closed, and the focus goes back where it was.
 * @param {{id: string, title: string, wide?: boolean}} about
 * @param {(close: () => void) => (Node | null)[]} content
 * @returns {HTMLDialogElement}
 */
export function open({ id, title, wide = false }, content) {
  /** @type {HTMLDialogElement | null} */ (document.getElementById(id))?.close();
  const back = document.activeElement;
  const dialog = h("dialog", {
    id, class: wide ? "wide" : null, "aria-labelledby": `${id}-title`,
    onclose: () => {
      carry();
      dialog.remove();
      if (back instanceof HTMLElement && back.isConnected) back.focus();
    },
  });
  const close = () => dialog.close();
  dialog.append(
    h(
      "header",
      {},
      h("h2", { id: `${id}-title` }, title),
      h("button", { type: "button", class: "quiet close", onclick: close, "aria-label": t("close") }, "✕"),
    ),
    h("div", { class: "body" }, ...content(close).filter((node) => node !== null)),
  );
  byId("dialogs").append(dialog);
  dialog.showModal();
  carry();
  return dialog;
}

/** What is said goes where it is heard and seen: outside of a modal dialog the page is neither read nor on top. */
function carry() {
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  (open ?? document.body).append(byId("status"), byId("alert"));
}

/**
 * Let the player pick one of several things; resolves with it, or with null.
 * @template T
 * @param {string} title
 * @param {T[]} items
 * @param {(item: T) => string} label
 * @returns {Promise<T | null>}
 */
export function choose(title, items, label) {
  return new Promise((resolve) => {
    const dialog = open({ id: "choose", title }, (close) => [
      h(
        "div",
        { class: "choices" },
        ...items.map((item) =>
          h("button", { type: "button", onclick: () => (resolve(item), close()) }, label(item)),
        ),
      ),
    ]);
    dialog.addEventListener("close", () => resolve(null));
    /** @type {HTMLElement | null} */ (dialog.querySelector(".choices button"))?.focus();
  });
}

/** A yes-or-no question. @param {string} title @param {string} text @param {string} yes @returns {Promise<boolean>} */
export function confirm(title, text, yes) {
  return new Promise((resolve) => {
    const dialog = open({ id: "confirm", title }, (close) => [
      h("p", {}, text),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "primary", onclick: () => (resolve(true), close()) }, yes),
        h("button", { type: "button", onclick: close }, t("cancel")),
      ),
    ]);
    dialog.addEventListener("close", () => resolve(false));
  });
}

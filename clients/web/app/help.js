/** Help: the keys, the text field, and what the sounds mean. */

import { open } from "./dialog.js";
import { h } from "./dom.js";
import { DEFAULT_KEYS, codeOf, keyName } from "./keys.js";
import { t } from "./text.js";

export function showHelp() {
  const rows = [
    ["← → ↑ ↓ Home End", t("key.move")],
    ["0–9 X", t("key.jump")],
    ...Object.keys(DEFAULT_KEYS).map((what) => [keyName(codeOf(what)), t(`key.${what}`)]),
    ["?", t("key.help")],
  ];
  open({ id: "help", title: t("help"), wide: true }, () => [
    h("p", {}, t("help.intro")),
    h(
      "table",
      { class: "keys" },
      h("caption", {}, t("help.keys")),
      h("tbody", {}, ...rows.map(([key, does]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, does)))),
    ),
    h("h3", {}, t("help.text-title")),
    h("p", {}, t("help.text")),
    h("h3", {}, t("help.windows-title")),
    h("p", {}, t("help.windows")),
  ]);
}

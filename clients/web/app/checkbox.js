/** A check box of one setting. It follows the setting, which another box or another choice may change. */

import { h } from "./dom.js";
import * as live from "./live.js";
import { change, onChange, settings } from "./settings.js";
import { t } from "./text.js";

/** @param {"voice" | "sounds" | "shared" | "braille" | "keysOn"} what @param {() => void} [then] called once it is on */
export function checkBox(what, then) {
  const box = h("input", { type: "checkbox", checked: settings[what] === true, onchange: chosen });
  function chosen() {
    const before = settings.shared;
    change({ [what]: box.checked });
    if (what !== "shared" && settings.shared && !before) live.status(t("shared.assumed"));
    if (box.checked) then?.();
  }
  const off = onChange(() => {
    if (box.isConnected) box.checked = settings[what] === true;
    else off();
  });
  return h("label", { class: "check" }, box, t(`setting.${what}`));
}

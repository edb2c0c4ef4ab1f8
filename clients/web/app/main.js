/** The page begins: language, line, and which screen the address names. */

import { byId, h } from "./dom.js";
import { showHelp } from "./help.js";
import * as live from "./live.js";
import { join } from "./lobby.js";
import "./record.js";
import { rulesPage } from "./rules.js";
import { client, onLine, start } from "./session.js";
import { change, onChange, settings, show } from "./settings.js";
import { showSettings } from "./settingsdialog.js";
import { duration, firstLocale, speak, t } from "./text.js";
import { TablePage } from "./table.js";
import { voice } from "./voice.js";

/** @import {RecordPage} from "./record.js" */

/** The parts of the address after `#/`. */
function address() {
  return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
}

async function route() {
  const [screen = "", ...rest] = address();
  const main = byId("main");
  document.body.dataset.screen = screen || "lobby";
  byId("brand").replaceChildren(screen ? h("a", { href: "#/" }, t("brand")) : "");
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  voice.stop();
  try {
    if (screen === "table" && rest[0]) await tablePage(rest[0], rest[1] ?? null);
    else if (screen === "join" && rest[0]) join(rest[0], rest[1]);
    else if (screen === "record" && rest[0]) {
      const page = /** @type {RecordPage} */ (document.createElement("hanpan-record"));
      main.replaceChildren(page);
      await page.enter(rest[0]);
    } else if (screen === "rules" && rest[0]) await rulesPage(rest[0]);
    else main.replaceChildren(document.createElement("hanpan-lobby"));
  } catch (error) {
    main.replaceChildren(
      h("article", { class: "page" }, h("h1", {}, t("not-here")), h("p", {}, /** @type {Error} */ (error).message), h("p", {}, h("a", { href: "#/" }, t("to-lobby")))),
    );
    document.title = t("not-here");
    live.error(/** @type {Error} */ (error).message);
  }
}

/** @param {string} id @param {string | null} invite */
async function tablePage(id, invite) {
  const page = new TablePage();
  byId("main").replaceChildren(page);
  await page.enter(id, invite);
}

/** What stands around every screen, in the page's language. */
function frame() {
  byId("skip").textContent = t("skip");
  byId("talk-title").textContent = t("talk");
  byId("log-title").textContent = t("log");
  const tools = byId("tools");
  tools.setAttribute("aria-label", t("tools"));
  tools.replaceChildren(
    h("button", { type: "button", class: "quiet", onclick: () => showHelp() }, t("help")),
    h("button", { type: "button", class: "quiet", onclick: () => showSettings(changeLanguage) }, t("settings")),
  );
}

/** @param {string} tag */
async function changeLanguage(tag) {
  change({ locale: tag });
  await speak(tag);
  client.speak(tag);
  frame();
  await route();
}

/** The server said that it goes away for a while. @param {{in_ms: number}} message */
function showDraining({ in_ms }) {
  live.status(t("line.draining", { n: duration(in_ms) }));
}

let lineWas = "open";

/** @param {import("../../js/src/link.js").LinkState | {name: "unreachable"}} state */
function showLine(state) {
  const line = byId("line");
  line.dataset.state = state.name;
  let text = t(`line.${state.name}`);
  if (state.name === "waiting") text = t("line.waiting", { n: duration(state.ms) });
  if (state.name === "stopped") text = t(`line.stopped.${state.code === 1000 ? state.reason : state.code}`);
  line.textContent = text;
  if (state.name === "stopped") line.append(" ", h("button", { type: "button", onclick: () => location.reload() }, t("line.reload")));
  // Losing the line is told once, and so is its return; attempts in between are not.
  const lost = state.name === "waiting" || state.name === "stopped" || state.name === "unreachable";
  if (lost && lineWas === "open") live.alert(text);
  if (state.name === "open" && lineWas !== "open") live.status(t("line.back"));
  if (lost || state.name === "open") lineWas = state.name === "open" ? "open" : "lost";
}

/** The skip link moves the focus and leaves the address alone. @param {Event} event */
function skip(event) {
  event.preventDefault();
  const page = document.querySelector("hanpan-table");
  if (page instanceof TablePage) page.focusHand();
}

show();
await speak(firstLocale(settings.locale));
frame();
byId("skip").addEventListener("click", skip);
onLine(showLine);
onChange((changed) => {
  if (changed.voice === false) voice.stop();
});
await start();
client.on("draining", showDraining);
addEventListener("hashchange", route);
await route();

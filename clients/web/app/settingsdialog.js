/** Settings: language, voice and sounds, looks, keys. They take effect at once. */

import { checkBox } from "./checkbox.js";
import { open } from "./dialog.js";
import { h, unseen } from "./dom.js";
import * as earcons from "./earcons.js";
import { DEFAULT_KEYS, FIXED, codeOf, keyName } from "./keys.js";
import * as live from "./live.js";
import { client, rename } from "./session.js";
import { change, settings } from "./settings.js";
import { LANGUAGES, LOCALES, locale, t } from "./text.js";
import { voice } from "./voice.js";

/** @param {(locale: string) => void} onLanguage */
export function showSettings(onLanguage) {
  open({ id: "settings", title: t("settings"), wide: true }, (close) => [
    choice("language", t("language"), LOCALES.map((tag) => [tag, LANGUAGES[tag]]), locale, (tag) => {
      close();
      onLanguage(tag);
    }),
    nameField(),
    group(
      "by-ear",
      checkBox("voice", () => voice.say(t("voice.test"))),
      range(),
      checkBox("sounds", () => earcons.play("turn")),
      checkBox("shared"),
      checkBox("braille"),
    ),
    group(
      "looks",
      choice("size", t("setting.size"), ["normal", "large", "huge"].map((v) => [v, t(`size.${v}`)]), settings.size, (size) => change({ size: /** @type {any} */ (size) })),
      choice("scheme", t("setting.scheme"), ["auto", "light", "dark"].map((v) => [v, t(`scheme.${v}`)]), settings.scheme, (scheme) => change({ scheme: /** @type {any} */ (scheme) })),
      choice("contrast", t("setting.contrast"), ["normal", "more"].map((v) => [v, t(`contrast.${v}`)]), settings.contrast, (contrast) => change({ contrast: /** @type {any} */ (contrast) })),
    ),
    group("keys", checkBox("keysOn"), keyTable()),
  ]);
}

/** @param {string} name @param {...Element} parts */
function group(name, ...parts) {
  return h("fieldset", {}, h("legend", {}, t(`settings.${name}`)), ...parts);
}

function range() {
  const input = h("input", {
    id: "rate", type: "range", min: 0.5, max: 3, step: 0.25, value: String(settings.rate),
    onchange: () => {
      change({ rate: Number(input.value) });
      voice.say(t("voice.test"), true);
    },
  });
  return h("div", { class: "field" }, h("label", { for: "rate" }, t("setting.rate")), input);
}

/** @param {string} id @param {string} label @param {string[][]} options @param {string} now @param {(value: string) => void} chosen */
function choice(id, label, options, now, chosen) {
  const select = h(
    "select",
    { id: `set-${id}`, onchange: () => chosen(select.value) },
    ...options.map(([value, text]) => h("option", { value, lang: id === "language" ? value : null }, text)),
  );
  select.value = now;
  return h("div", { class: "field" }, h("label", { for: `set-${id}` }, label), select);
}

function nameField() {
  const input = h("input", { id: "set-name", type: "text", maxlength: 24, autocomplete: "nickname", value: client?.player?.name ?? settings.name });
  const error = h("p", { class: "error", role: "alert" });
  const save = async () => {
    try {
      change({ name: input.value.trim() });
      await rename(settings.name);
    } catch (problem) {
      error.textContent = /** @type {Error} */ (problem).message;
    }
  };
  return h(
    "div",
    { class: "field" },
    h("label", { for: "set-name" }, t("setting.name")),
    h("div", { class: "row" }, input, h("button", { type: "button", onclick: save }, t("setting.name.save"))),
    h("small", {}, t("setting.name.about")),
    error,
  );
}

function keyTable() {
  const body = h("tbody");
  const render = () =>
    body.replaceChildren(
      ...Object.keys(DEFAULT_KEYS).map((what) => {
        const button = h("button", { type: "button", class: "quiet" }, h("kbd", {}, keyName(codeOf(what))), unseen(` – ${t("key.change", { what: t(`key.${what}`) })}`));
        button.addEventListener("click", () => listen(button, what, render));
        return h("tr", {}, h("th", { scope: "row" }, t(`key.${what}`)), h("td", {}, button));
      }),
    );
  render();
  return h(
    "details",
    {},
    h("summary", {}, t("keys.change")),
    h("table", { class: "keys" }, body),
    h("button", { type: "button", onclick: () => (change({ keys: {} }), render()) }, t("keys.reset")),
  );
}

/** The next key press becomes the key of `what`. @param {HTMLElement} button @param {string} what @param {() => void} render */
function listen(button, what, render) {
  button.textContent = t("key.press");
  button.addEventListener(
    "keydown",
    (event) => {
      event.preventDefault();
      event.stopPropagation();
      const { code } = event;
      const taken = Object.keys(DEFAULT_KEYS).find((other) => other !== what && codeOf(other) === code);
      if (taken || FIXED.has(code) || /^(Digit|Numpad)\d$/.test(code)) live.error(t("key.taken", { key: keyName(code) }));
      else change({ keys: { ...settings.keys, [what]: code } });
      render();
    },
    { once: true },
  );
}

/** Making a table: game, players, speed and options in plain words. */

import { open } from "./dialog.js";
import { h } from "./dom.js";
import { come } from "./intent.js";
import { optionName, optionValue } from "./labels.js";
import * as live from "./live.js";
import { systems, usualSeats } from "./lobby.js";
import { client, gameInfo, http, title } from "./session.js";
import { change, settings } from "./settings.js";
import { t } from "./text.js";

const SPEEDS = ["relaxed", "standard", "blitz", "instant"];

/** @param {"public" | "private"} visibility */
export function openCreate(visibility) {
  open({ id: "create", title: t(`create.${visibility}`), wide: true }, (close) => {
    const form = new CreateForm(visibility, close);
    form.refresh();
    return [form.element];
  });
}

class CreateForm {
  #options = h("div", { class: "options" });
  #seats = h("select", { id: "create-seats" });
  #bots = h("select", { id: "create-bots" });
  #error = h("p", { class: "error", role: "alert" });
  #system;
  #speed;
  #record = h("input", { type: "checkbox" });
  /** @type {Map<string, () => any>} */
  #values = new Map();

  /** @param {"public" | "private"} visibility @param {() => void} close */
  constructor(visibility, close) {
    this.visibility = visibility;
    this.close = close;
    this.#system = h(
      "select",
      { id: "create-game", onchange: () => this.refresh() },
      ...systems().map(({ game, ruleset }) => h("option", { value: `${game} ${ruleset}` }, title(game, ruleset))),
    );
    this.#seats.addEventListener("change", () => this.#fillBots());
    this.#speed = h(
      "fieldset",
      {},
      h("legend", {}, t("speed")),
      ...SPEEDS.map((speed) =>
        h(
          "label",
          { class: "check" },
          h("input", { type: "radio", name: "speed", value: speed, checked: speed === settings.speed }),
          h("span", {}, t(`speed.${speed}`), " – ", h("small", {}, t(`speed.${speed}.about`))),
        ),
      ),
    );
    this.element = h(
      "form",
      {
        class: "create",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.#submit();
        },
      },
      field("create-game", t("game"), this.#system),
      field("create-seats", t("players"), this.#seats),
      field("create-bots", t("bots-number"), this.#bots),
      this.#speed,
      h("details", {}, h("summary", {}, t("options")), this.#options, h("label", { class: "check" }, this.#record, t("open-record"))),
      this.#error,
      h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, t("create")), h("button", { type: "button", onclick: close }, t("cancel"))),
    );
  }

  get #chosen() {
    const [game, ruleset] = this.#system.value.split(" ");
    return { game, ruleset };
  }

  /** Another game was chosen: its seats and options. */
  async refresh() {
    const { game, ruleset } = this.#chosen;
    const [least = 2, most = 2] = gameInfo(game)?.seats ?? [];
    const numbers = Array.from({ length: most - least + 1 }, (_, i) => least + i);
    this.#seats.replaceChildren(...numbers.map((n) => h("option", { value: n }, n)));
    this.#seats.value = String(usualSeats(game));
    this.#fillBots();
    const schema = await http.schema(game).catch(() => ({}));
    if (this.#chosen.game !== game || this.#chosen.ruleset !== ruleset) return;
    const rules = gameInfo(game)?.rulesets[ruleset] ?? {};
    this.#values.clear();
    this.#options.replaceChildren(
      ...Object.entries(optionsOf(schema)).filter(([name]) => !(rules.fixed ?? []).includes(name)).map(([name, node]) => this.#option(game, name, node, rules.options?.[name] ?? node.default)),
    );
  }

  #fillBots() {
    const others = Number(this.#seats.value);
    this.#bots.replaceChildren(...Array.from({ length: others }, (_, n) => h("option", { value: n }, n)));
  }

  /** @param {string} game @param {string} name @param {any} node @param {any} preset */
  #option(game, name, node, preset) {
    const id = `option-${name}`;
    const said = optionName(game, name);
    if (node.type === "boolean") {
      const box = h("input", { type: "checkbox", checked: preset === true });
      this.#values.set(name, () => (box.checked === preset ? undefined : box.checked));
      return h("label", { class: "check" }, box, said);
    }
    if (node.enum) {
      const select = h("select", { id }, ...node.enum.map((/** @type {any} */ value) => h("option", { value }, optionValue(game, name, value))));
      select.value = String(preset);
      this.#values.set(name, () => (select.value === String(preset) ? undefined : select.value));
      return field(id, said, select);
    }
    const scale = name.endsWith("_ms") ? 1000 : 1;
    const input = h("input", {
      id, type: "number", min: (node.minimum ?? 0) / scale, max: (node.maximum ?? 1e6) / scale, step: scale === 1 ? 1 : 0.1,
      value: String(preset / scale),
    });
    this.#values.set(name, () => {
      const value = Math.round(Number(input.value) * scale);
      return value === preset ? undefined : value;
    });
    return field(id, scale === 1 ? said : `${said} (${t("in-seconds")})`, input);
  }

  async #submit() {
    const { game, ruleset } = this.#chosen;
    /** @type {Record<string, any>} */
    const options = {};
    for (const [name, read] of this.#values) if (read() !== undefined) options[name] = read();
    const speed = /** @type {any} */ (this.#speed.querySelector("input:checked"))?.value ?? "standard";
    change({ speed });
    try {
      const table = await client.create({
        game, ruleset, options, speed, seats: Number(this.#seats.value), bots: Number(this.#bots.value), visibility: this.visibility,
        ...(this.#record.checked ? { open_record: true } : {}),
      });
      this.close();
      come(table.id, { join: true });
    } catch (error) {
      this.#error.textContent = /** @type {Error} */ (error).message;
      live.alert(this.#error.textContent ?? "");
    }
  }
}

/** The options in a game's schema, references followed. @param {any} schema @returns {Record<string, any>} */
function optionsOf(schema) {
  /** @param {any} node @returns {any} */
  const follow = (node) => (node?.$ref ? follow(schema.$defs[node.$ref.split("/").at(-1)]) : node);
  const options = follow(schema.properties?.options);
  return Object.fromEntries(Object.entries(options?.properties ?? {}).map(([name, node]) => [name, { ...follow(node), default: /** @type {any} */ (node).default }]));
}

/** @param {string} id @param {string} label @param {Element} control */
function field(id, label, control) {
  return h("div", { class: "field" }, h("label", { for: id }, label), control);
}

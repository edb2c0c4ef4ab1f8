/** Building elements. Text is always text: nothing that a player or the server wrote is read as HTML. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false | any[]} Child lists may be nested */

/**
 * An element. In `props`, `on…` are listeners, `class` and `data-…` attributes, `style` an object of
 * properties (set through the CSSOM, which the page's content policy allows), false and null leave out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  apply(element, props);
  append(element, children);
  return element;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  apply(element, props);
  append(element, children);
  return element;
}

/** @param {Element} element @param {Record<string, any>} props */
export function apply(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style")
      for (const [property, is] of Object.entries(value))
        /** @type {HTMLElement} */ (element).style.setProperty(property, String(is));
    else if (name === "value" || name === "checked") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Node} parent @param {Child[]} children */
export function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.appendChild(child);
    else parent.appendChild(document.createTextNode(String(child)));
  }
}

/** A name, kept apart from the direction of the text around it. @param {string} name */
export function bdi(name) {
  return h("bdi", {}, name);
}

/** Text for screen readers alone. @param {...Child} children */
export function unseen(...children) {
  return h("span", { class: "unseen" }, ...children);
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
}

/** Rebuild what is in `parent`; the focus stays on what stands in the place of what had it. @param {Element} parent @param {() => void} rebuild */
export function keepFocus(parent, rebuild) {
  const all = () => /** @type {HTMLElement[]} */ ([...parent.querySelectorAll("button, a, input, select, [tabindex]")]);
  const at = all().findIndex((element) => element === document.activeElement);
  rebuild();
  if (at >= 0) all()[Math.min(at, all().length - 1)]?.focus();
}

/**
 * Make the children of `parent` those that `items` ask for: one node a key, kept while its key stays, so
 * that focus and selection survive.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => Element} create
 * @param {(element: any, item: T) => void} [update]
 */
export function sync(parent, items, key, create, update = () => {}) {
  const old = new Map([...parent.children].map((child) => [child.getAttribute("data-key"), child]));
  let before = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    let element = old.get(name);
    old.delete(name);
    if (!element) {
      element = create(item);
      element.setAttribute("data-key", name);
    }
    update(element, item);
    if (element === before) before = before.nextElementSibling;
    else parent.insertBefore(element, before);
  }
  for (const gone of old.values()) gone.remove();
}

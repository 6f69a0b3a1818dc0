const data = JSON.parse(document.getElementById("data").textContent);
const app = document.getElementById("app");

// An element with attributes and children. Texts become text nodes: nothing here makes markup of a text.
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined) continue;
    if (key.startsWith("aria-")) { element.setAttribute(key, String(value)); continue; }
    if (value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";
function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Characters that end lines or turn the direction of text, as escapes.
function visible(text) {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, (c) => "\\u{" + c.codePointAt(0).toString(16) + "}");
}
// A value of a page, such as an id, an address or a file name, which cannot turn the words around it, nor be too long.
const MAX_SHOWN_CHARS = 300;
function shown(text) {
  return visible(text.length > MAX_SHOWN_CHARS ? text.slice(0, MAX_SHOWN_CHARS) + "…" : text);
}
function value(text) {
  return el("bdi", {}, shown(text));
}
// A title, in its own direction.
function titled(text) {
  return el("bdi", {}, text.length > MAX_SHOWN_CHARS ? text.slice(0, MAX_SHOWN_CHARS) + "…" : text);
}

function count(n) {
  return n.toLocaleString("en-US");
}
function counted(n, one, many) {
  return count(n) + " " + (n === 1 ? one : many);
}
function share(part, whole) {
  return whole > 0 ? percent(part / whole) : "–";
}
function percent(value) {
  if (value === null || value === undefined) return "–";
  const shown = (100 * value).toFixed(1);
  // What is not all, and what is not nothing, is not shown as such.
  if (value > 0 && shown === "0.0") return "<0.1 %";
  if (value < 1 && shown === "100.0") return ">99.9 %";
  return shown + " %";
}
function bytes(n) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let at = 0;
  while (n >= 1000 && at < units.length - 1) { n /= 1000; at += 1; }
  return (at === 0 ? String(n) : n.toFixed(n < 10 ? 2 : n < 100 ? 1 : 0)) + " " + units[at];
}
function fraction(value) {
  if (value === null || value === undefined) return "–";
  return value.toFixed(3).replace(/^0/, "");
}

// Works on 0…n-1 in slices of some milliseconds, so that the page answers meanwhile. The first slice is at once.
// A later call with the same `owner` ends an earlier one.
const running = new Map();
function inSlices(owner, n, step, done) {
  const ticket = {};
  running.set(owner, ticket);
  let at = 0;
  const slice = () => {
    if (running.get(owner) !== ticket) return;
    const until = performance.now() + 10;
    while (at < n) {
      step(at);
      at += 1;
      if (at % 16 === 0 && performance.now() > until) break;
    }
    if (at < n) setTimeout(slice, 0);
    else { running.delete(owner); if (done) done(); }
  };
  slice();
}

// A dialog with the keys of a page.
function helpDialog(keys) {
  const list = el("dl", {}, keys.map(([key, what]) => [el("dt", {}, key.split(" ").map((k) => [el("kbd", {}, k), " "])), el("dd", {}, what)]));
  const dialog = el("dialog", { "aria-label": "Keys" }, el("h2", {}, "Keys"), list,
    el("button", { onclick: () => dialog.close() }, "Close"));
  document.body.append(dialog);
  return dialog;
}

// Whether a key press is meant for a field, or for the browser.
function isTyping(event) {
  return event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input:not([type=range]), textarea, dialog[open]");
}

// A table whose heads sort it. `columns`: {name, value(row), cell(row), numeric}; `by` is the number of a column.
function sortable(columns, rows, by, descending, note) {
  const body = el("tbody");
  const heads = columns.map((column, at) => el("th", { class: column.numeric ? "n" : null, scope: "col" },
    el("button", { onclick: () => sort(at, at === order.by ? !order.descending : !!column.numeric) }, column.name)));
  const order = { by, descending };
  function sort(at, down) {
    order.by = at;
    order.descending = down;
    const value = columns[at].value;
    const sorted = rows.map((row, i) => [value(row), i, row]);
    sorted.sort(([a, i], [b, j]) => {
      if (a === null || b === null) return a === b ? i - j : a === null ? 1 : -1;
      const ordered = typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
      return (down ? -ordered : ordered) || i - j;
    });
    heads.forEach((head, i) => i === at ? head.setAttribute("aria-sort", down ? "descending" : "ascending") : head.removeAttribute("aria-sort"));
    body.replaceChildren(...sorted.map(([, , row]) => el("tr", {}, columns.map((column) => el("td", { class: column.numeric ? "n" : null, "data-name": column.name }, column.cell(row))))));
  }
  sort(by, descending);
  return el("div", { class: "scroll" }, el("table", { class: "stack" }, note ? el("caption", { class: "unseen" }, note) : null, el("thead", {}, el("tr", {}, heads)), body));
}

// The list of events: the timeline for keys and screen readers, and the details of the chosen one.

import { element, listFigures, write } from "./format.js";
import { facts, labels, text, when } from "./wording.js";

const PAGE = 10;

export class Events {
  // ``chosen`` is told of the event that was chosen, by key or pointer.
  constructor(record, chosen) {
    this.record = record;
    this.chosen = chosen;
    this.list = document.getElementById("events");
    this.details = document.getElementById("details");
    this.sorts = new Set();
    this.key = null;
    this.boxes = [...document.querySelectorAll("input[name=sort]")];
    for (const box of this.boxes) box.onchange = () => this.rebuild();
    this.list.onclick = (event) => {
      const item = event.target.closest("[role=option]");
      if (item) this.choose(item.dataset.key);
    };
    this.list.onkeydown = (event) => this.press(event);
    this.details.onkeydown = (event) => {
      if (event.key === "Escape") this.list.focus();
    };
  }

  rebuild() {
    this.sorts = new Set(this.boxes.filter((box) => box.checked).map((box) => box.value));
    this.list.replaceChildren(...this.record.events.filter((e) => this.sorts.has(e.sort))
      .map((event) => this.item(event)));
    if (!this.find(this.key)) this.key = null;
    this.mark();
    this.tidy();
  }

  add(event) {
    if (!this.sorts.has(event.sort)) return;
    let after = this.list.lastElementChild;
    while (after && this.record.byKey.get(after.dataset.key)?.start > event.start)
      after = after.previousElementSibling;
    if (after) after.after(this.item(event));
    else this.list.prepend(this.item(event));
    this.tidy();
  }

  // Keeps the newest in view while the live edge is followed.
  toEnd() {
    if (this.follows && !this.list.hidden) this.list.scrollTop = this.list.scrollHeight;
  }

  change(event) {
    const item = this.find(event.key);
    if (!item) return;
    const fresh = this.item(event);
    if (item.textContent !== fresh.textContent) item.replaceChildren(...fresh.childNodes);
    if (event.key === this.key) this.tell();
  }

  remove(event) {
    this.find(event.key)?.remove();
    if (event.key === this.key) {
      this.key = null;
      this.mark();
    }
    this.tidy();
  }

  item(event) {
    const words = labels(event).flatMap((word) => [element("span", { class: "label" }, word), " "]);
    const said = element("span", event.withdrawn ? { class: "withdrawn" } : {}, text(event));
    return element("li", { role: "option", id: idOf(event.key), "data-key": event.key,
      "aria-selected": String(event.key === this.key) },
    element("span", { class: "time" }, when(event) + " "), element("span", {}, ...words, said));
  }

  find(key) {
    return key === null ? null : document.getElementById(idOf(key));
  }

  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const items = [...this.list.children];
    const at = items.indexOf(this.find(this.key));
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: PAGE,
      PageUp: -PAGE }[event.key];
    let next = null;
    if (step !== undefined) next = at < 0 ? items.length - 1 : at + step;
    else if (event.key === "Home") next = 0;
    else if (event.key === "End") next = items.length - 1;
    else if (event.key === "Enter") this.details.focus();
    else return;
    event.preventDefault();
    if (next === null || !items.length) return;
    this.choose(items[Math.max(0, Math.min(items.length - 1, next))].dataset.key);
  }

  choose(key) {
    this.key = key;
    this.mark();
    this.find(key)?.scrollIntoView({ block: "nearest" });
    const event = this.record.byKey.get(key);
    if (event) this.chosen(event);
  }

  mark() {
    for (const item of this.list.querySelectorAll("[aria-selected=true]"))
      item.setAttribute("aria-selected", "false");
    const item = this.find(this.key);
    if (item) {
      item.setAttribute("aria-selected", "true");
      this.list.setAttribute("aria-activedescendant", item.id);
    } else {
      this.list.removeAttribute("aria-activedescendant");
    }
    this.tell();
  }

  tell() {
    const event = this.key === null ? undefined : this.record.byKey.get(this.key);
    document.getElementById("no-details").hidden = Boolean(event);
    listFigures(document.getElementById("details-list"), event ? facts(event) : []);
  }

  tidy() {
    const { events, forgotten } = this.record;
    this.list.hidden = !this.list.children.length;
    const empty = document.getElementById("no-events");
    empty.hidden = !this.list.hidden;
    write(empty, events.length ? "None of the kinds you chose." : "Nothing has happened yet.");
    const gone = forgotten ? `; ${forgotten} older ones were let go of` : "";
    write(document.getElementById("kept"), `The newest ${events.length} events are kept${gone}.`);
  }
}

function idOf(key) {
  return "event-" + encodeURIComponent(key);
}

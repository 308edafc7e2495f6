// A line over media time, with the same in words and as a table.

import { count, drawn, element, figure, mediaTime, percentile, write } from "./format.js";

const HEIGHT = 150;
const LEFT = 40;
const ROWS = 50;

export class Chart {
  // ``limit``: {name, value()}; a line that the figures should stay below.
  constructor(section, { title, unit, what, limit }) {
    Object.assign(this, { unit, what, limit });
    const id = section.id;
    this.words = element("p", { id: `${id}-words` });
    this.svg = drawn("svg", { class: "chart", "aria-hidden": "true", focusable: "false" });
    this.body = element("tbody");
    const heads = ["Media time", title + (unit ? ` (${unit})` : "")]
      .map((name) => element("th", { scope: "col" }, name));
    this.table = element("details", {}, element("summary", {}, `${title} as a table`),
      element("div", { class: "scroll", tabindex: "0", role: "region",
        "aria-label": `${title} as a table` },
      element("table", {}, element("caption", { class: "apart" },
        `${title}: the newest ${ROWS} figures, newest first`),
      element("thead", {}, element("tr", {}, ...heads)), this.body)));
    this.table.ontoggle = () => this.fill();
    section.replaceChildren(element("h4", { id: `${id}-title` }, title), this.words, this.svg,
      this.table);
    this.points = [];
  }

  draw(points) {
    this.points = points;
    write(this.words, this.sentence());
    this.fill();
    const width = this.svg.clientWidth || 400;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.svg.replaceChildren(...this.parts(width));
  }

  sentence() {
    if (!this.points.length) return `No ${this.what} yet.`;
    const sorted = this.points.map((point) => point.value).sort((a, b) => a - b);
    const say = (value) => figure(value, 2, this.unit);
    const limit = this.limit();
    const over = limit ? sorted.filter((value) => value > limit.value).length : 0;
    return `Now ${say(this.points.at(-1).value)}. Median (p50) ${say(percentile(sorted, 0.5))}, `
      + `95th percentile (p95) ${say(percentile(sorted, 0.95))}, highest ${say(sorted.at(-1))}, `
      + `of the newest ${count(sorted.length, this.what)}.`
      + (limit ? ` ${over ? over + " of them" : "None"} above ${say(limit.value)} (${limit.name}).`
        : "");
  }

  *parts(width) {
    if (!this.points.length) return;
    const limit = this.limit();
    const values = this.points.map((point) => point.value);
    const top = Math.max(...values, limit ? limit.value : 0, 0.01) * 1.1;
    const low = Math.min(0, ...values);
    const first = this.points[0].at;
    const last = Math.max(this.points.at(-1).at, first + 1);
    const x = (at) => LEFT + ((at - first) / (last - first)) * (width - LEFT - 8);
    const y = (value) => HEIGHT - 22 - ((value - low) / (top - low)) * (HEIGHT - 34);
    for (const value of [low, (low + top) / 2, top]) {
      yield drawn("line", { x1: LEFT, x2: width, y1: y(value), y2: y(value), class: "grid" });
      yield drawn("text", { x: 2, y: y(value) + 4, class: "label-text" }, value.toFixed(top < 2 ? 2 : 1));
    }
    yield drawn("text", { x: LEFT, y: HEIGHT - 5, class: "label-text" }, mediaTime(first, 0));
    yield drawn("text", { x: width - 4, y: HEIGHT - 5, "text-anchor": "end", class: "label-text" },
      mediaTime(last, 0));
    if (limit) {
      yield drawn("line", { x1: LEFT, x2: width, y1: y(limit.value), y2: y(limit.value),
        class: "limit" });
      yield drawn("text", { x: width - 4, y: y(limit.value) - 4, "text-anchor": "end" }, limit.name);
    }
    const sorted = [...this.points].sort((a, b) => a.at - b.at);
    yield drawn("polyline", { class: "line",
      points: sorted.map((point) => `${x(point.at)},${y(point.value)}`).join(" ") });
    const newest = this.points.at(-1);
    yield drawn("circle", { cx: x(newest.at), cy: y(newest.value), r: 4, class: "dot" });
  }

  fill() {
    if (!this.table.open) return;
    const rows = this.points.slice(-ROWS).reverse();
    while (this.body.children.length > rows.length) this.body.lastElementChild.remove();
    rows.forEach(({ at, value }, n) => {
      const row = this.body.children[n] || this.body.appendChild(
        element("tr", {}, element("td"), element("td")));
      write(row.firstElementChild, mediaTime(at));
      write(row.lastElementChild, figure(value));
    });
  }
}

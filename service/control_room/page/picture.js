// The timeline as a picture: lanes of speech and gaps, descriptions, and what was dropped.
// It is hidden from screen readers: the list of events says the same.

import { drawn, mediaTime, write } from "./format.js";

const SPANS = [15, 30, 60, 120, 300, 900, 3600];
const LANES = [
  ["Speech and gaps", 34, 26, ["speech", "gap"]],
  ["Descriptions", 86, 34, ["ad"]],
  ["Dropped, warnings", 146, 22, ["drop", "warning"]],
];
const HEIGHT = 200;
const LETTER = 7.2;

export class Picture {
  constructor(svg, shown, choose) {
    this.svg = svg;
    this.shown = shown;
    this.zoom = 2;
    this.follows = true;
    this.from = 0;
    this.chosen = null;
    svg.append(drawn("defs", {}, drawn("pattern",
      { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse",
        patternTransform: "rotate(45)" },
      drawn("line", { x1: 0, y1: 0, x2: 0, y2: 6, class: "hatch" }))));
    this.ground = svg.appendChild(drawn("g"));
    svg.addEventListener("click", (event) => {
      const key = event.target.closest("[data-key]")?.dataset.key;
      if (key) choose(key);
    });
  }

  get span() {
    return SPANS[this.zoom];
  }

  // Zooms by a step, keeping the middle. Whether there is a further step.
  scale(step) {
    const middle = this.from + this.span / 2;
    this.zoom = Math.min(SPANS.length - 1, Math.max(0, this.zoom + step));
    this.from = Math.max(0, middle - this.span / 2);
  }

  canScale(step) {
    return SPANS[this.zoom + step] !== undefined;
  }

  shift(share) {
    this.follows = false;
    this.from = Math.max(0, this.from + share * this.span);
  }

  // Brings a time into view.
  show(at) {
    this.follows = false;
    if (at < this.from || at > this.from + this.span * 0.9)
      this.from = Math.max(0, at - this.span / 2);
  }

  draw(record) {
    const width = this.svg.clientWidth || 600;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    if (this.follows) this.from = Math.max(0, record.edge - this.span * 0.9);
    const to = this.from + this.span;
    this.x = (at) => ((at - this.from) / this.span) * width;
    const parts = [...this.axis(width)];
    for (const [name, y] of LANES)
      parts.push(drawn("text", { x: 4, y: y - 5, class: "label-text" }, name));
    for (const event of record.events) {
      const end = event.end ?? Math.max(event.start, record.edge);
      if (end >= this.from && event.start <= to) parts.push(this.shape(event, end));
    }
    parts.push(...this.marks(record, to));
    this.ground.replaceChildren(...parts);
    const until = Math.min(to, Math.max(record.edge, this.from));
    write(this.shown, `Shown: ${mediaTime(this.from, 0)} to ${mediaTime(to, 0)} of the stream, `
      + `which has reached ${mediaTime(record.edge, 0)}.`);
    return until;
  }

  *axis(width) {
    const step = this.span / (width < 500 ? 3 : 6);
    for (let at = Math.ceil(this.from / step) * step; at <= this.from + this.span; at += step) {
      const x = this.x(at);
      yield drawn("line", { x1: x, y1: 18, x2: x, y2: HEIGHT, class: "grid" });
      if (x < width - 30)
        yield drawn("text", { x: x + 3, y: 12, class: "label-text" }, mediaTime(at, 0));
    }
  }

  *marks(record, to) {
    const marks = [["edge", record.edge]];
    if (record.about) marks.push(["viewers", record.edge - record.about.delay]);
    for (const [name, at] of marks) {
      if (at < this.from || at > to || at <= 0) continue;
      const x = this.x(at);
      yield drawn("line", { x1: x, y1: 18, x2: x, y2: HEIGHT, class: name });
      yield drawn("text", { x: x - 4, y: HEIGHT - 6, "text-anchor": "end", class: "label-text" },
        name === "edge" ? "live" : "viewers");
    }
  }

  shape(event, end) {
    const [, y, height] = LANES.find(([, , , sorts]) => sorts.includes(event.sort));
    const x = this.x(event.start);
    const width = Math.max(2, this.x(end) - x);
    const group = drawn("g", { "data-key": event.key });
    const box = (classes, fill) => drawn("rect",
      { x, y, width, height, class: classes, ...(fill ? { fill } : {}) });
    if (event.sort === "speech") group.append(box("speech", "url(#hatch)"));
    else if (event.sort === "gap") group.append(box(event.end === null ? "gap open" : "gap"));
    else if (event.sort === "ad") this.description(group, event, box, x, y, width, height);
    else if (event.sort === "drop") group.append(...crossed(x, y + height / 2, 6, "drop"),
      label(event.reason, x + 10, y + height / 2 + 4, 90));
    else group.append(drawn("path",
      { d: `M${x} ${y + 2}l8 16h-16z`, class: "warn" }),
    drawn("text", { x: x - 1.5, y: y + 16 }, "!"));
    if (event.key === this.chosen) group.append(drawn("rect",
      { x: x - 4, y: y - 4, width: width + 8, height: height + 8, class: "chosen" }));
    return group;
  }

  description(group, ad, box, x, y, width, height) {
    const provisional = ad.provisional && !ad.withdrawn && !ad.stands ? " provisional" : "";
    group.append(box("ad" + provisional));
    if (ad.withdrawn)
      group.append(drawn("path", { d: `M${x} ${y}l${width} ${height}M${x + width} ${y}l${-width} `
        + height, class: "cross" }));
    const mark = ad.withdrawn ? "withdrawn" : ad.late ? "late: " + ad.text : ad.text;
    group.append(label(mark, x + 4, y + height / 2 + 4, width - 6,
      ad.withdrawn ? "over" : ""));
  }
}

function crossed(x, y, r, name) {
  return [drawn("path", { d: `M${x - r} ${y - r}l${2 * r} ${2 * r}M${x + r} ${y - r}l${-2 * r} `
    + 2 * r, class: name })];
}

function label(text, x, y, room, classes = "") {
  const letters = Math.floor(room / LETTER);
  const cut = text.length <= letters ? text : letters > 3 ? text.slice(0, letters - 1) + "\u2026" : "";
  return drawn("text", { x, y, ...(classes ? { class: classes } : {}) }, cut);
}

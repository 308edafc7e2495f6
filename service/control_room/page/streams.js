// The list of streams: asked for again and again, changed in place.

import { count, element, figure, write } from "./format.js";
import { Refused } from "./service.js";

const MOST_ASKED = 20;
const BEHIND = 15;

export class Streams {
  constructor(service) {
    this.service = service;
    this.body = document.getElementById("streams-body");
    this.open = null;
    this.admin = true;
  }

  // Asks once. Throws Refused, or what fetch throws. What the service says of itself, or null.
  async ask() {
    const { streams } = await this.service.fetch("v1/streams");
    const status = await this.ofService();
    const known = new Map((status ? status.described
      : await this.ofEach(streams)).map((each) => [each.stream, each]));
    this.show(streams, known);
    return status;
  }

  async ofService() {
    if (!this.admin) return null;
    try {
      return await this.service.fetch("v1/status");
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 403) throw error;
      this.admin = false; // this key may only watch: each stream is asked about by itself
      return null;
    }
  }

  async ofEach(streams) {
    const living = streams.filter(({ state }) => state !== "ended").slice(0, MOST_ASKED);
    const found = await Promise.allSettled(living.map(
      ({ stream }) => this.service.fetch(`v1/streams/${encodeURIComponent(stream)}/status`)));
    return found.filter(({ status }) => status === "fulfilled").map(({ value }) => value);
  }

  show(streams, known) {
    const living = streams.filter(({ state }) => state !== "ended" && state !== "waiting").length;
    document.getElementById("streams-region").hidden = !streams.length;
    write(document.getElementById("streams-count"), streams.length
      ? `${count(streams.length, "stream")}, ${living} on air.`
      : "No streams yet. One appears here as soon as it is published, or waited for.");
    const rows = new Map([...this.body.children].map((row) => [row.dataset.stream, row]));
    for (const line of streams) {
      const row = rows.get(line.stream) || this.body.appendChild(rowOf(line.stream));
      rows.delete(line.stream);
      this.fill(row, line, known.get(line.stream));
    }
    for (const row of rows.values()) row.remove();
  }

  fill(row, line, status) {
    const figures = status?.figures;
    const about = status?.about;
    const cells = row.children;
    const open = line.stream === this.open;
    if (open) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    write(cells[1], line.state);
    describer(cells[2], about);
    write(cells[3], figures ? figure(figures.load) : "-");
    write(cells[4], figures ? figure(figures.lag_emit, 1, "s") : "-");
    write(cells[5], figures ? figure(figures.behind, 1, "s") : "-");
    write(cells[6], figures ? String(figures.skipped) : "-");
    write(cells[7], String(line.viewers));
    write(cells[8], warningsOf(figures).join(", ") || "none");
    cells[8].className = warningsOf(figures).length ? "bad" : "";
  }
}

export function describer(cell, about) {
  const text = about ? about.describer : "-";
  const draft = about?.draft ? [" ", element("span", { class: "label" }, "DRAFT")] : [];
  if (cell.textContent !== text + (draft.length ? " DRAFT" : ""))
    cell.replaceChildren(text, ...draft);
}

export function warningsOf(figures) {
  if (!figures) return [];
  const found = [];
  if (!figures.describer_up) found.push("the describer does not answer");
  if (figures.load !== null && figures.load > 1) found.push("the describer is too slow");
  if (figures.behind > BEHIND) found.push("falls behind");
  return found;
}

function rowOf(stream) {
  const link = element("a", { href: "#/" + encodeURIComponent(stream) }, stream);
  const row = element("tr", { "data-stream": stream }, element("th", { scope: "row" }, link));
  for (let n = 0; n < 8; n += 1) row.append(element("td"));
  return row;
}

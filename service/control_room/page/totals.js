// Totals of one stream: what its process counts, or what was said at its end.

import { figure, listFigures, write } from "./format.js";
import { reasonOfDrop, reasonOfWait } from "./wording.js";

export function showTotals({ figures, summary, counted, edge }) {
  const known = summary || figures;
  const note = document.getElementById("totals-note");
  write(note, known ? "" : "Counted by this page from what is told; the rest is not known here.");
  note.hidden = Boolean(known);
  const share = figures ? figures.late_share : counted.ads ? counted.late / counted.ads : null;
  const pace = figures ? figures.words_a_minute : edge > 0 ? counted.words / (edge / 60) : null;
  const pairs = [
    ["Descriptions", String(known ? known.events : counted.ads)],
    ["Withdrawn", String(known ? known.withdrawn : counted.withdrawn)],
    ["Words a minute", figure(pace, 1)],
    ["Late", share === null ? "none yet" : figure(100 * share, 1, "%")],
    ["Speech under them", figure(figures?.overlap, 2, "s")],
  ];
  if (known) pairs.push(["Windows asked", String(known.windows)],
    ["Windows skipped", String(known.skipped)], ["Windows without a gap", String(known.no_gap)],
    ["Load p50, p95", both(figures ? figures.load_spread : summary.load)],
    ["Lag p50, p95", both(figures ? figures.lag_emit_spread : summary.lag_emit, " s")]);
  listFigures(document.getElementById("totals"), pairs);
  const counts = (found, word) => Object.entries(found || {}).sort((a, b) => b[1] - a[1])
    .map(([reason, number]) => [word(reason), String(number)]);
  listFigures(document.getElementById("drops"), counts(known?.drops, reasonOfDrop), "0");
  listFigures(document.getElementById("waits"), counts(known?.waits, reasonOfWait), "0");
}

function both(spread, unit = "") {
  return spread ? `${figure(spread.p50)}${unit}, ${figure(spread.p95)}${unit}` : "not known";
}

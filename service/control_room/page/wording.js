// What is said of an event, in words: for the list, the details and the announcements.

import { count, figure, mediaTime, span } from "./format.js";

export const SORTS = { ad: "Description", drop: "Dropped", gap: "Gap", speech: "Speech",
  warning: "Warning" };

const DROPS = {
  "no-gap": "its moment passed without a gap",
  "too-long": "no form of it fitted the gap",
  "too-late": "the answer came too late",
  "repeat": "it says what was said lately",
  "crowded": "too many were waiting for a gap",
};

const TAKEN_BACK = {
  "speech": "speech, or a protected sound, under it",
  "unheard": "media that got lost there: nobody knows who speaks in it",
};

const WAITS = {
  "nothing-new": "nothing new is to be seen",
  "unsure": "the describer is not sure",
};

export function reasonOfDrop(reason) {
  return DROPS[reason] ? `${reason}: ${DROPS[reason]}` : reason;
}

export function reasonOfWait(reason) {
  return WAITS[reason] ? `${reason}: ${WAITS[reason]}` : reason;
}

export function when(event) {
  return event.sort === "drop" || event.sort === "warning"
    ? mediaTime(event.start) : span(event.start, event.end);
}

// Short words beside the text: what a colour alone must not say.
export function labels(event) {
  const found = [SORTS[event.sort]];
  if (event.sort === "ad") {
    found.push(event.kind);
    if (event.withdrawn) found.push(`withdrawn: ${event.withdrawn.reason}`);
    else if (event.provisional && !event.stands) found.push("provisional");
    if (event.late) found.push("late");
    if (event.draft) found.push("DRAFT");
    if (event.flags.length) found.push(`flagged: ${counted(event.flags)}`);
  }
  if (event.sort === "gap" && event.end === null) found.push("open");
  if (event.sort === "speech" && event.end === null) found.push("goes on");
  return found;
}

// Viewers' flags by kind: "wrong 2, late 1".
function counted(flags) {
  const kinds = new Map();
  for (const { kind } of flags) kinds.set(kind, (kinds.get(kind) || 0) + 1);
  return [...kinds].map(([kind, number]) => `${kind} ${number}`).join(", ");
}

export function text(event) {
  switch (event.sort) {
    case "ad": return event.text;
    case "drop": return `${event.text} (${reasonOfDrop(event.reason)})`;
    case "warning": return `${event.code}: ${event.text}`
      + (event.count > 1 ? ` (${event.count} times)` : "");
    default: return event.end === null ? "" : figure(event.end - event.start, 1, "s");
  }
}

export function sentence(event) {
  return `${labels(event).join(", ")}, ${when(event)}: ${text(event)}`;
}

export function facts(event) {
  const found = [["What", labels(event).join(", ")], ["When", when(event)]];
  if (event.sort === "ad") found.push(...factsOfAd(event));
  else if (event.sort === "drop") found.push(["Text", event.text],
    ["Why", reasonOfDrop(event.reason)]);
  else if (event.sort === "warning") found.push(["Code", event.code], ["Message", event.text],
    ["Times", String(event.count)]);
  else if (event.end !== null) found.push(["Length", figure(event.end - event.start, 1, "s")]);
  return found;
}

function factsOfAd(ad) {
  const found = [["Text", ad.text], ["Length", figure(ad.end - ad.start, 1, "s")],
    ["Kind", ad.kind], ["Decided", `from what was seen up to ${mediaTime(ad.seen)}`],
    ["Lag", `${figure(ad.lag, 1, "s")} from its start to the newest media`],
    ["In time", ad.late ? "no: the viewers' playhead had passed" : "yes"],
    ["Describer", ad.describer + (ad.draft ? " (DRAFT quality)" : "")],
    ["Spoken at", `${figure(ad.rate, 2)} of the voice's own rate`]];
  if (ad.withdrawn) found.push(["Withdrawn",
    `at ${mediaTime(ad.withdrawn.at)}, because of ${TAKEN_BACK[ad.withdrawn.reason] || ad.withdrawn.reason}`]);
  else found.push(["Provisional", !ad.provisional ? "no"
    : ad.stands ? "it was, and it stood" : "yes: the gap was still open when it was placed"]);
  found.push(["Speech under it", ad.overlap === undefined || ad.overlap === null
    ? "not known yet" : figure(ad.overlap, 2, "s")]);
  if (ad.flags.length) found.push(["Flagged by viewers", counted(ad.flags)]);
  const notes = ad.flags.map((flag) => flag.note).filter(Boolean);
  if (notes.length) found.push([count(notes.length, "note"), notes.join(" / ")]);
  const others = (ad.forms || []).filter((form) => form !== ad.text);
  if (others.length) found.push([count(others.length, "other form"), others.join(" / ")]);
  return found;
}

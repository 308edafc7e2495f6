// Every word that is said to a viewer and is no description. English; another language replaces it.

import type { Kind, OnScreen } from "./protocol/viewing.ts";
import type { Command, Detail } from "./settings.ts";

/** What the phrases are in. */
export const LANGUAGE = "en";

export const COMMAND_NAMES: Readonly<Record<Command, string>> = {
  toggle: "Descriptions on or off",
  repeat: "Repeat the last description",
  missed: "What did I miss?",
  scene: "Who and what is on screen?",
  skip: "Stop what is being said",
  louder: "Louder",
  quieter: "Quieter",
  faster: "Faster",
  slower: "Slower",
  more: "More detail",
  less: "Less detail",
  wrong: "The last description is wrong",
  late: "The last description came too late",
};

export const DRAFT = "Draft quality: a machine made them, and nobody checked them.";

const DETAIL_NAMES: Readonly<Record<Detail, string>> = {
  brief: "brief",
  normal: "normal",
  full: "full",
};

export const phrases = {
  on: (draft: boolean) => (draft ? `Descriptions on. ${DRAFT}` : "Descriptions on."),
  off: "Descriptions off.",
  nothingToRepeat: "No description yet.",
  skipped: "Stopped.",
  volume: (volume: number) => `Volume ${Math.round(volume * 100)} percent.`,
  ducking: (gain: number) => `The programme is lowered to ${Math.round(gain * 100)} percent.`,
  rate: (rate: number) => `Rate ${rate.toFixed(1)}.`,
  detail: (detail: Detail) => `Detail: ${DETAIL_NAMES[detail]}.`,
  nothingMissed: "Nothing was missed.",
  missed(texts: readonly string[], more: boolean, draft: boolean): string {
    const count = texts.length === 1 ? "One description" : `${texts.length} descriptions`;
    const older = more ? ", the newest of more" : "";
    return `${label(draft)}${count} missed${older}. ${texts.map(sentence).join(" ")}`;
  },
  scene(things: readonly OnScreen[], draft: boolean): string {
    if (!things.length) return "Nothing is known of what is on screen now.";
    return label(draft) + things.map((thing) => `${ago(thing.age)}${thingOf(thing)}`).join(" ");
  },
  flagged: (what: "wrong" | "late") =>
    what === "wrong" ? "Noted: that description is wrong." : "Noted: that description came late.",
  unanswered: (why: string) => `The service can't say: ${why}.`,
  connecting: "Connecting to the descriptions.",
  lost: (why: string) => `The descriptions are cut off: ${why}. Trying again.`,
  back: "The descriptions are back.",
  refused: (why: string) => `No descriptions: ${why}.`,
  described: "The programme's own audio description is on, so nothing is spoken beside it.",
  blocked: "Press a key or click, so that the browser lets the descriptions speak.",
  noServiceVoice: "This service has no voice of its own: your browser's speaks.",
  voiceless: "This browser has no voice for the descriptions: they are shown as text.",
  playBlocked: "The browser does not let the video go on by itself: press Play.",
} as const;

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  action: "",
  scene: "",
  text: "Text: ",
  name: "",
};

function thingOf({ kind, text }: OnScreen): string {
  return sentence(`${KIND_NAMES[kind]}${text}`);
}

function ago(age: number): string {
  if (age < 8) return "";
  if (age < 50) return `${Math.round(age / 5) * 5} seconds ago: `;
  const minutes = Math.round(age / 60) || 1;
  return minutes === 1 ? "A minute ago: " : `${minutes} minutes ago: `;
}

function label(draft: boolean): string {
  return draft ? "Draft. " : "";
}

function sentence(text: string): string {
  return /[.!?…]["'”’)\]]*$/u.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}

// Which length of a description is spoken, and how fast, so that it fits its gap. Pure.

import type { Cue } from "./cue.ts";
import type { Detail, ScreenText, Settings } from "./settings.ts";

export interface Fitted {
  readonly text: string;
  readonly rate: number;
  /** Whether it fits; else it needs the programme to be held. */
  readonly fits: boolean;
}

/** A length that the viewer prefers is spoken up to so much faster before a shorter one is. */
const HURRY = 1.3;

/** The shortest may be hurried more before nothing is said. */
const LAST_HURRY = 1.6;

const FASTEST = 4;
const STEP = 0.05;

export interface Fit {
  /** Wall seconds until speech may go on. */
  readonly room: number;
  /** The viewer's own rate. */
  readonly rate: number;
  /** Wall seconds that a text takes at a rate. */
  readonly seconds: (text: string, rate: number) => number;
  /** Whether the programme can be held, and the viewer wants it. */
  readonly extended: boolean;
}

export function fitted(cue: Cue, wish: Pick<Settings, "detail" | "screenText">, fit: Fit): Fitted {
  const forms = wanted(cue, wish.detail, wish.screenText);
  const first = forms[0] ?? cue.text;
  for (const text of fit.extended ? [first] : forms) {
    const rate = slowest(text, HURRY, fit);
    if (rate !== null) return { text, rate, fits: true };
  }
  if (fit.extended) return { text: first, rate: fit.rate, fits: false };
  const shortest = forms.at(-1) ?? first;
  const rate = slowest(shortest, LAST_HURRY, fit);
  return { text: shortest, rate: rate ?? fit.rate, fits: rate !== null };
}

/** Whether the viewer wants it at all. */
export function isWanted(cue: Cue, screenText: ScreenText): boolean {
  return cue.kind !== "text" || screenText !== "off";
}

/** The lengths that may be spoken, the one that is liked best first. */
function wanted(cue: Cue, detail: Detail, screenText: ScreenText): string[] {
  const all = new Set([...cue.forms, cue.text]);
  const short = [...all].filter(Boolean).toSorted((a, b) => a.length - b.length);
  const brief = detail === "brief" || (cue.kind === "text" && screenText === "brief");
  if (brief) return short.slice(0, 1);
  const most = detail === "full" ? Number.POSITIVE_INFINITY : cue.text.length;
  return short.filter((form) => form.length <= most).toReversed();
}

/** The least rate from the viewer's own on at which `text` fits; null where it would be too fast. */
function slowest(text: string, hurry: number, { room, rate, seconds }: Fit): number | null {
  const most = Math.min(FASTEST, rate * hurry);
  for (let tried = rate; tried <= most + STEP / 2; tried += STEP)
    if (seconds(text, tried) <= room) return tried;
  return null;
}

// A voice: whatever says a text to the viewer.

import type { Cue } from "./cue.ts";

export type Outcome =
  | "ended"
  /** By us, or by another page. */
  | "stopped"
  /** It never said that it was done: the watchdog ended it. */
  | "stalled"
  /** Not before the viewer's first key or click. */
  | "blocked"
  /** The browser has no voice for it, or the voice failed. */
  | "failed";

export interface Voice {
  /** Wall seconds it will take. `rate`: as the viewer chose it, or faster to fit. */
  seconds(text: string, language: string, rate: number): number;
  /** What was being said is stopped. Never rejects. */
  say(text: string, language: string, rate: number): Promise<Outcome>;
  stop(): void;
  /** `cue` is likely to be said within ten seconds of the programme: for what takes time to come. */
  prepare?(cue: Cue): void;
}

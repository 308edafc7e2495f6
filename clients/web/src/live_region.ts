// The viewer's screen reader as a voice, by an ARIA live region: only for those who ask for it.

import { Pace } from "./pace.ts";
import { type Cancel, realTimers, type Timers } from "./timers.ts";
import type { Outcome, Voice } from "./voice.ts";

/** Screen readers are fast; nobody can know how fast, or when they are done. */
const USUAL_RATE = 1.3;

/** Milliseconds after which what was said is not found by browsing any more. */
const STAYS = 10_000;

/** What of an element is used. */
export interface Region {
  textContent: string | null;
}

export class LiveRegion implements Voice {
  readonly #region: Region;
  readonly #timers: Timers;
  readonly #pace = new Pace();
  #finish: (outcome: Outcome) => void = () => {};
  #forget: Cancel = () => {};

  /** `region`: an element with `aria-live="polite"` that was in the page from the beginning. */
  constructor(region: Region, timers: Timers = realTimers) {
    this.#region = region;
    this.#timers = timers;
  }

  seconds(text: string): number {
    return this.#pace.seconds(text, USUAL_RATE);
  }

  say(text: string): Promise<Outcome> {
    this.#finish("stopped");
    this.#forget();
    // The same words again are announced only if the text differs.
    const same = this.#region.textContent === text;
    this.#region.textContent = same ? `${text}\u00a0` : text;
    return new Promise((resolve) => {
      const cancel = this.#timers.after(this.seconds(text) * 1_000, () => this.#finish("ended"));
      this.#finish = (outcome) => {
        cancel();
        this.#finish = () => {};
        this.#forget = this.#timers.after(STAYS, () => {
          this.#region.textContent = "";
        });
        resolve(outcome);
      };
    });
  }

  /** What a screen reader has begun can't be stopped. */
  stop(): void {
    this.#finish("stopped");
  }
}

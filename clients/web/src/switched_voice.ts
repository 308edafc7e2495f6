// The voice that the viewer has chosen: of its own, of the screen reader, or none.

import { Pace } from "./pace.ts";
import type { SpeechMode } from "./settings.ts";
import { type Cancel, realTimers, type Timers } from "./timers.ts";
import type { Outcome, Voice } from "./voice.ts";

export class SwitchedVoice implements Voice {
  readonly #voices: Readonly<Record<SpeechMode, Voice>>;
  readonly #mode: () => SpeechMode;
  #speaking: Voice | null = null;

  constructor(voices: Readonly<Record<SpeechMode, Voice>>, mode: () => SpeechMode) {
    this.#voices = voices;
    this.#mode = mode;
  }

  seconds(text: string, language: string, rate: number): number {
    return this.#voices[this.#mode()].seconds(text, language, rate);
  }

  say(text: string, language: string, rate: number): Promise<Outcome> {
    this.stop();
    this.#speaking = this.#voices[this.#mode()];
    return this.#speaking.say(text, language, rate);
  }

  stop(): void {
    this.#speaking?.stop();
    this.#speaking = null;
  }
}

/** Says nothing, for as long as it takes to read what is shown. */
export class Silence implements Voice {
  readonly #timers: Timers;
  readonly #pace = new Pace();
  #finish: (outcome: Outcome) => void = () => {};

  constructor(timers: Timers = realTimers) {
    this.#timers = timers;
  }

  seconds(text: string, _language: string, rate: number): number {
    return this.#pace.seconds(text, rate);
  }

  say(text: string, language: string, rate: number): Promise<Outcome> {
    this.stop();
    return new Promise((resolve) => {
      const length = this.seconds(text, language, rate) * 1_000;
      const cancel: Cancel = this.#timers.after(length, () => this.#finish("ended"));
      this.#finish = (outcome) => {
        cancel();
        this.#finish = () => {};
        resolve(outcome);
      };
    });
  }

  stop(): void {
    this.#finish("stopped");
  }
}

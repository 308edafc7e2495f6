// The voice that the viewer has chosen: of its own, of the screen reader, or none.

import type { Cue } from "./cue.ts";
import { Pace } from "./pace.ts";
import type { SpeechMode } from "./settings.ts";
import { type Cancel, realTimers, type Timers } from "./timers.ts";
import type { Outcome, Voice } from "./voice.ts";

/** Where one is missing, the voice of its own speaks. */
export type Voices = Readonly<Partial<Record<SpeechMode, Voice>> & { voice: Voice }>;

export class SwitchedVoice implements Voice {
  readonly #voices: Voices;
  readonly #mode: () => SpeechMode;
  #speaking: Voice | null = null;

  constructor(voices: Voices, mode: () => SpeechMode) {
    this.#voices = voices;
    this.#mode = mode;
  }

  seconds(text: string, language: string, rate: number): number {
    return this.#chosen.seconds(text, language, rate);
  }

  say(text: string, language: string, rate: number): Promise<Outcome> {
    this.stop();
    this.#speaking = this.#chosen;
    return this.#speaking.say(text, language, rate);
  }

  stop(): void {
    this.#speaking?.stop();
    this.#speaking = null;
  }

  prepare(cue: Cue): void {
    this.#chosen.prepare?.(cue);
  }

  get #chosen(): Voice {
    return this.#voices[this.#mode()] ?? this.#voices.voice;
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

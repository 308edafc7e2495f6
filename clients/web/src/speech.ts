// Web Speech as a voice: short utterances, a watchdog, nothing before the viewer's first gesture.

import { Pace } from "./pace.ts";
import { LONGEST_UTTERANCE, pieces } from "./pieces.ts";
import { language as primary, type VoiceChoice } from "./settings.ts";
import { type Cancel, realTimers, type Timers } from "./timers.ts";
import type { Outcome, Voice } from "./voice.ts";

/** What of `window.speechSynthesis` is used. */
export interface Synthesis {
  speak(utterance: SpeechSynthesisUtterance): void;
  cancel(): void;
  getVoices(): SpeechSynthesisVoice[];
}

export interface SpeechWorld {
  readonly synthesis: Synthesis;
  readonly utterance: (text: string) => SpeechSynthesisUtterance;
  readonly timers: Timers;
  /** Whether the viewer has pressed a key or clicked since the page came. */
  readonly gestured: () => boolean;
}

const browser = (): SpeechWorld => ({
  synthesis: globalThis.speechSynthesis,
  utterance: (text) => new SpeechSynthesisUtterance(text),
  timers: realTimers,
  gestured: () => globalThis.navigator?.userActivation?.hasBeenActive ?? true,
});

/** Milliseconds within which a voice is heard, or it is stuck. */
const STARTS = 4_000;

/** Milliseconds before a voice is heard that count as its pace; longer is a program that starts. */
const USUAL_WAIT = 500;

/** It may take so many times what is reckoned, and a little more. */
const PATIENCE = 1.8;
const SLACK = 2_000;

export class Speech implements Voice {
  readonly #choice: (language: string) => VoiceChoice;
  readonly #world: SpeechWorld;
  readonly #pace = new Pace();
  #finish: ((outcome: Outcome) => void) | null = null;
  /** Chromium forgets the events of an utterance that nobody holds. */
  #utterance: SpeechSynthesisUtterance | null = null;

  /** `choice`: how the viewer wants a language spoken. */
  constructor(choice: (language: string) => VoiceChoice, world: Partial<SpeechWorld> = {}) {
    this.#choice = choice;
    this.#world = { ...browser(), ...world };
  }

  seconds(text: string, language: string, rate: number): number {
    return this.#pace.seconds(text, rate, this.#name(language));
  }

  async say(text: string, language: string, rate: number): Promise<Outcome> {
    this.stop();
    if (!this.#world.gestured()) return "blocked";
    const fits = (piece: string) => this.seconds(piece, language, rate) <= LONGEST_UTTERANCE;
    let stopped = false;
    return new Promise((resolve) => {
      const finish = (outcome: Outcome) => {
        stopped = true;
        this.#finish = null;
        resolve(outcome);
      };
      this.#finish = finish;
      void this.#sayAll(pieces(text, fits), language, rate, () => stopped).then((outcome) => {
        if (!stopped) finish(outcome);
      });
    });
  }

  stop(): void {
    const finish = this.#finish;
    if (finish === null) return;
    this.#silence();
    finish("stopped");
  }

  async #sayAll(
    all: readonly string[],
    language: string,
    rate: number,
    stopped: () => boolean,
  ): Promise<Outcome> {
    for (const piece of all) {
      const outcome = await this.#utter(piece, language, rate);
      if (stopped() || outcome !== "ended") return outcome;
    }
    return "ended";
  }

  #utter(text: string, language: string, rate: number): Promise<Outcome> {
    const { timers, synthesis } = this.#world;
    const utterance = this.#prepare(text, language, rate);
    const name = this.#name(language);
    const limit = this.seconds(text, language, rate) * 1_000 * PATIENCE + SLACK;
    return new Promise((resolve) => {
      const asked = timers.now();
      let began = asked;
      let watchdog: Cancel = () => {};
      const end = (outcome: Outcome) => {
        watchdog();
        utterance.onstart = utterance.onend = utterance.onerror = null;
        if (this.#utterance === utterance) this.#utterance = null;
        resolve(outcome);
      };
      const stall = () => {
        this.#silence();
        end("stalled");
      };
      utterance.onstart = () => {
        began = timers.now();
        watchdog();
        watchdog = timers.after(limit, stall);
      };
      utterance.onend = () => {
        const waited = Math.min(USUAL_WAIT, began - asked);
        this.#pace.learn(text, rate, (timers.now() - began + waited) / 1_000, name);
        end("ended");
      };
      utterance.onerror = (event) => end(outcomeOf(event.error));
      watchdog = timers.after(limit + STARTS, stall);
      this.#utterance = utterance;
      synthesis.speak(utterance);
    });
  }

  #prepare(text: string, language: string, rate: number): SpeechSynthesisUtterance {
    const utterance = this.#world.utterance(text);
    const choice = this.#choice(language);
    const voice = bestVoice(this.#world.synthesis.getVoices(), language, choice.voice);
    utterance.lang = voice?.lang ?? language;
    if (voice) utterance.voice = voice;
    utterance.rate = rate;
    utterance.pitch = choice.pitch;
    utterance.volume = choice.volume;
    return utterance;
  }

  #name(language: string): string {
    return `${primary(language)} ${this.#choice(language).voice ?? ""}`;
  }

  #silence(): void {
    this.#world.synthesis.cancel();
  }
}

function outcomeOf(error: SpeechSynthesisErrorCode): Outcome {
  if (error === "not-allowed") return "blocked";
  return error === "canceled" || error === "interrupted" ? "stopped" : "failed";
}

/** The one chosen, else one of this machine for the language, which never waits for a network. */
export function bestVoice(
  voices: readonly SpeechSynthesisVoice[],
  language: string,
  chosen: string | null,
): SpeechSynthesisVoice | null {
  const tag = (voice: SpeechSynthesisVoice) => voice.lang.replace("_", "-").toLowerCase();
  const fitting = voices.filter((voice) => primary(tag(voice)) === primary(language));
  const worth = (voice: SpeechSynthesisVoice) =>
    (voice.voiceURI === chosen ? 8 : 0) +
    (tag(voice) === language.toLowerCase() ? 4 : 0) +
    (voice.localService ? 2 : 0) +
    (voice.default ? 1 : 0);
  return fitting.toSorted((a, b) => worth(b) - worth(a))[0] ?? null;
}

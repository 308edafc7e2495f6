// The service's own voice: a description as WAV, asked for ahead, played at the viewer's rate.

import type { Cue } from "./cue.ts";
import { AudioElement, type Loudspeaker } from "./loudspeaker.ts";
import { realTimers, type Timers } from "./timers.ts";
import type { Outcome, Voice } from "./voice.ts";

/** The most sounds kept: of some four descriptions, in all their lengths. */
const MOST = 12;

/** Bytes of a WAV file before its samples, as the service writes it. */
const HEAD = 44;
const BYTE_RATE = 28;

/** Wall seconds before it is heard. */
const BEGINNING = 0.05;

/** Milliseconds by which it may take longer than its length. */
const PATIENCE = 2_000;

/** One description in one of its forms (undefined: its text); null where there is no sound of it. */
export type FetchSound = (cue: Cue, form: number | undefined) => Promise<Blob | null>;

export interface SoundWorld {
  readonly loudspeaker: Loudspeaker;
  readonly timers: Timers;
  /** An address of a sound that is here, until it is let go. */
  readonly address: (sound: Blob) => string;
  readonly letGo: (address: string) => void;
}

const browser = (): SoundWorld => ({
  loudspeaker: new AudioElement(),
  timers: realTimers,
  address: (sound) => URL.createObjectURL(sound),
  letGo: (address) => URL.revokeObjectURL(address),
});

interface Sound {
  readonly address: string;
  /** At rate 1. */
  readonly seconds: number;
}

/** What has no sound in time, `otherwise` says: answers to keys too. */
export class ServiceVoice implements Voice {
  readonly #fetch: FetchSound;
  readonly #otherwise: Voice;
  readonly #volume: (language: string) => number;
  readonly #world: SoundWorld;
  /** By text; null while it is asked for, and where there is none. */
  readonly #sounds = new Map<string, Sound | null>();
  /** By text: the newest time it was asked for. */
  readonly #asked = new Map<string, symbol>();
  #finish: (outcome: Outcome) => void = () => {};

  constructor(
    fetch: FetchSound,
    otherwise: Voice,
    volume: (language: string) => number,
    world: Partial<SoundWorld> = {},
  ) {
    this.#fetch = fetch;
    this.#otherwise = otherwise;
    this.#volume = volume;
    this.#world = { ...browser(), ...world };
  }

  /** Ask for the sounds of what is to be said soon. */
  prepare(cue: Cue): void {
    for (const text of new Set([cue.text, ...cue.forms]))
      if (!this.#sounds.has(text)) void this.#load(cue, text);
  }

  seconds(text: string, language: string, rate: number): number {
    const sound = this.#sounds.get(text);
    if (!sound) return this.#otherwise.seconds(text, language, rate);
    return BEGINNING + sound.seconds / rate;
  }

  async say(text: string, language: string, rate: number): Promise<Outcome> {
    this.stop();
    const sound = this.#sounds.get(text);
    if (!sound) return this.#otherwise.say(text, language, rate);
    const outcome = await this.#play(sound, language, rate);
    return outcome === "failed" ? this.#otherwise.say(text, language, rate) : outcome;
  }

  stop(): void {
    this.#finish("stopped");
    this.#otherwise.stop();
  }

  #play(sound: Sound, language: string, rate: number): Promise<Outcome> {
    const { loudspeaker, timers } = this.#world;
    return new Promise((resolve) => {
      const limit = (sound.seconds / rate) * 1_000 + PATIENCE;
      const watchdog = timers.after(limit, () => finish("stalled"));
      const finish = (outcome: Outcome) => {
        if (this.#finish !== finish) return;
        this.#finish = () => {};
        watchdog();
        if (outcome === "stopped" || outcome === "stalled") loudspeaker.stop();
        resolve(outcome);
      };
      this.#finish = finish;
      void loudspeaker.play(sound.address, rate, this.#volume(language)).then(finish);
    });
  }

  async #load(cue: Cue, text: string): Promise<void> {
    const asked = Symbol(text);
    this.#asked.set(text, asked);
    this.#sounds.set(text, null);
    for (const oldest of this.#sounds.keys()) {
      if (this.#sounds.size <= MOST) break;
      this.#drop(oldest);
    }
    const form = cue.forms.indexOf(text);
    const blob = await this.#fetch(cue, form < 0 ? undefined : form);
    const seconds = blob && (await lengthOf(blob));
    // It may have been dropped meanwhile, and asked for again.
    if (blob && seconds && this.#asked.get(text) === asked)
      this.#sounds.set(text, { address: this.#world.address(blob), seconds });
  }

  #drop(text: string): void {
    const sound = this.#sounds.get(text);
    this.#sounds.delete(text);
    this.#asked.delete(text);
    if (sound) this.#world.letGo(sound.address);
  }
}

/** Seconds of a WAV file; null where it is none. */
async function lengthOf(sound: Blob): Promise<number | null> {
  if (sound.size <= HEAD) return null;
  const head = new DataView(await sound.slice(0, HEAD).arrayBuffer());
  const rate = head.getUint32(BYTE_RATE, true);
  return rate > 0 ? (sound.size - HEAD) / rate : null;
}

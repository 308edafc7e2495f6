// Lowers the programme while something is described, and brings it back.

import { type Cancel, realTimers, type Timers } from "./timers.ts";

export interface Ducking {
  /** To `gain` times its volume; 1 leaves it alone. */
  down(gain: number): void;
  up(): void;
}

/** Seconds of a ramp, as DAPT's example has it. */
export const RAMP = 0.3;

/** What of a media element is used. */
export interface Volumed {
  volume: number;
  addEventListener(kind: "volumechange", listener: () => void): void;
  removeEventListener(kind: "volumechange", listener: () => void): void;
}

const STEP = 25;

/** By the element's own volume. A volume that the viewer sets meanwhile is theirs, and kept. */
export class VolumeDucking implements Ducking {
  readonly #media: Volumed;
  readonly #timers: Timers;
  readonly #changed = () => this.#meet();
  #base: number;
  #gain = 1;
  #target = 1;
  #set: number | null = null;
  #cancel: Cancel = () => {};

  constructor(media: Volumed, timers: Timers = realTimers) {
    this.#media = media;
    this.#timers = timers;
    this.#base = media.volume;
    media.addEventListener("volumechange", this.#changed);
  }

  /** The volume that the viewer has chosen. */
  get base(): number {
    return this.#base;
  }

  down(gain: number): void {
    this.#ramp(gain);
  }

  up(): void {
    this.#ramp(1);
  }

  close(): void {
    this.#cancel();
    this.#media.removeEventListener("volumechange", this.#changed);
    this.#gain = 1;
    this.#apply();
  }

  #ramp(target: number): void {
    this.#target = target;
    this.#cancel();
    const from = this.#gain;
    const began = this.#timers.now();
    const step = () => {
      const part = Math.min(1, (this.#timers.now() - began) / 1_000 / RAMP);
      this.#gain = from + (this.#target - from) * part;
      this.#apply();
      if (part < 1) this.#cancel = this.#timers.after(STEP, step);
    };
    if (from !== target) this.#cancel = this.#timers.after(0, step);
  }

  #apply(): void {
    this.#set = Math.min(1, Math.max(0, this.#base * this.#gain));
    this.#media.volume = this.#set;
  }

  #meet(): void {
    const { volume } = this.#media;
    if (this.#set !== null && Math.abs(volume - this.#set) < 0.001) return;
    this.#base = volume;
    this.#apply();
  }
}

/** What of an AudioParam and its context is used. */
export interface Gain {
  cancelScheduledValues(at: number): unknown;
  setTargetAtTime(value: number, at: number, constant: number): unknown;
}

/** By a GainNode's gain, as a captured tab has one. */
export class GainDucking implements Ducking {
  readonly #gain: Gain;
  readonly #now: () => number;

  /** `now`: the audio context's `currentTime`. */
  constructor(gain: Gain, now: () => number) {
    this.#gain = gain;
    this.#now = now;
  }

  down(gain: number): void {
    this.#toward(gain);
  }

  up(): void {
    this.#toward(1);
  }

  #toward(value: number): void {
    this.#gain.cancelScheduledValues(this.#now());
    this.#gain.setTargetAtTime(value, this.#now(), RAMP / 3);
  }
}

export const noDucking: Ducking = { down() {}, up() {} };

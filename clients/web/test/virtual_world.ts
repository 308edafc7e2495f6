// A world on virtual time: a player with a script, a voice with lengths of its own.

import type { Player, Playhead } from "../src/player.ts";
import type { Cancel, Timers } from "../src/timers.ts";
import type { Outcome, Voice } from "../src/voice.ts";

interface Alarm {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

export class VirtualTime implements Timers {
  #now = 0;
  #order = 0;
  readonly #alarms = new Set<Alarm>();

  now(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): Cancel {
    this.#order += 1;
    const alarm = { at: this.#now + Math.max(0, ms), order: this.#order, act };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  get waiting(): number {
    return this.#alarms.size;
  }

  /** Runs what falls due within `ms`, and whatever that sets off. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settled();
      const next = [...this.#alarms].sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!next || next.at > until) break;
      this.#alarms.delete(next);
      this.#now = next.at;
      next.act();
    }
    this.#now = until;
    await settled();
  }
}

/** Promises that are ready have run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
}

export class ScriptedPlayer implements Player {
  canHold = true;
  held = false;
  readonly #time: VirtualTime;
  #at = 0;
  #since = 0;
  #rate = 1;
  #running = false;
  #jumps = 0;
  #watcher: () => void = () => {};

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  head(): Playhead {
    const passed = this.#running ? ((this.#time.now() - this.#since) / 1_000) * this.#rate : 0;
    const paused = !this.#running && !this.held;
    return {
      at: this.#at + passed,
      rate: this.#rate,
      playing: this.#running,
      paused,
      jumps: this.#jumps,
    };
  }

  watch(changed: () => void): () => void {
    this.#watcher = changed;
    return () => {};
  }

  hold(): void {
    if (!this.#running) return;
    this.held = true;
    this.#set(() => {
      this.#running = false;
    });
  }

  release(): void {
    if (this.held) this.play();
  }

  play(): void {
    this.held = false;
    this.#set(() => {
      this.#running = true;
    });
  }

  pause(): void {
    this.held = false;
    this.#set(() => {
      this.#running = false;
    });
  }

  seek(to: number): void {
    this.#set(() => {
      this.#at = to;
      this.#jumps += 1;
      if (this.held) this.#running = true;
      this.held = false;
    });
  }

  set rate(rate: number) {
    this.#set(() => {
      this.#rate = rate;
    });
  }

  #set(change: () => void): void {
    this.#at = this.head().at;
    this.#since = this.#time.now();
    change();
    this.#since = this.#time.now();
    this.#watcher();
  }
}

export interface Spoken {
  readonly text: string;
  readonly from: number;
  to: number;
  /** Where the programme was, for as long as it moved. */
  readonly began: number;
  ended: number;
  readonly jumps: number;
  outcome: Outcome | null;
}

/** Takes 15 characters a second, a little more or less than it reckons; `stuck`: it never ends. */
export class ScriptedVoice implements Voice {
  readonly spoken: Spoken[] = [];
  error = () => 1;
  stuck = false;
  readonly #time: VirtualTime;
  readonly #player: ScriptedPlayer;
  #finish: (outcome: Outcome) => void = () => {};

  constructor(time: VirtualTime, player: ScriptedPlayer) {
    this.#time = time;
    this.#player = player;
  }

  seconds(text: string, _language: string, rate: number): number {
    return text.length / 15 / rate;
  }

  say(text: string, language: string, rate: number): Promise<Outcome> {
    this.#finish("stopped");
    const { at, jumps } = this.#player.head();
    const from = this.#time.now();
    const spoken: Spoken = { text, from, to: from, began: at, ended: at, jumps, outcome: null };
    this.spoken.push(spoken);
    return new Promise((resolve) => {
      const length = this.seconds(text, language, rate) * 1_000 * this.error();
      const cancel = this.#time.after(length, () => this.#finish("ended"));
      this.#finish = (outcome) => {
        cancel();
        spoken.to = this.#time.now();
        const head = this.#player.head();
        spoken.ended = head.jumps === jumps ? head.at : spoken.began;
        spoken.outcome = outcome;
        this.#finish = () => {};
        resolve(outcome);
      };
    });
  }

  stop(): void {
    this.#finish("stopped");
  }
}

/** Numbers that are the same in every run (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

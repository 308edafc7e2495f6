// Which cue is due. Pure: it is told where the viewer is, and has no clock of its own.

import type { Cue } from "./cue.ts";
import type { Playhead } from "./player.ts";

/** Seconds of the programme by which a cue may begin before its time. */
const EARLY = 0.02;

/** A seek that lands this much after a cue's start still meets it. */
const NEAR = 0.1;

/** Wall seconds after its time at which a cue that was known is not begun any more. */
export const MOST_LATE = 1;

/** The same in seconds of the programme for one that came when its time had begun. */
export const MOST_LATE_ARRIVAL = 3;

/** Seconds for which a cue whose end is its start may begin. */
const NO_LENGTH = 0.5;

/** The most cues kept; the earliest go first. */
export const MOST_CUES = 2_000;

const START: Playhead = {
  at: Number.NEGATIVE_INFINITY,
  rate: 1,
  playing: false,
  paused: true,
  jumps: -1,
};

interface Kept {
  readonly cue: Cue;
  /** Where the viewer was when it came, if that was in its time. */
  readonly arrived: number;
}

/**
 * Each cue is due once in each pass of the playhead over its start: a seek back begins a new pass.
 * What a seek or a standstill has passed over is stale, and never due.
 */
export class Schedule {
  readonly #kept: Kept[] = [];
  readonly #byId = new Map<string, Kept>();
  #taken = new Set<string>();
  #from = Number.NEGATIVE_INFINITY;
  #head: Playhead = START;

  /** An id that is known is passed over. */
  offer(cue: Cue): void {
    if (this.#byId.has(cue.id)) return;
    const { at } = this.#head;
    const inTime = cue.start >= this.#from && at - cue.start <= MOST_LATE_ARRIVAL;
    const kept = { cue, arrived: inTime ? Math.max(cue.start, at) : cue.start };
    this.#kept.splice(this.#after(cue.start), 0, kept);
    this.#byId.set(cue.id, kept);
    if (this.#kept.length > MOST_CUES) this.#drop(this.#kept[0] as Kept);
  }

  /** The cue that is taken back, where it was known. */
  withdraw(id: string): Cue | undefined {
    const kept = this.#byId.get(id);
    if (kept) this.#drop(kept);
    return kept?.cue;
  }

  clear(): void {
    this.#kept.length = 0;
    this.#byId.clear();
    this.#taken.clear();
  }

  /** The cue to begin now, which is then taken; null where there is none. */
  due(head: Playhead): Cue | null {
    this.#meet(head);
    if (!head.playing) return null;
    for (let n = this.#before(this.#from); n < this.#kept.length; n += 1) {
      const { cue, arrived } = this.#kept[n] as Kept;
      if (cue.start > head.at + EARLY) return null;
      if (this.#taken.has(cue.id)) continue;
      this.#taken.add(cue.id);
      const over = Math.max(cue.end, cue.start + NO_LENGTH);
      if (head.at - arrived <= MOST_LATE * head.rate && head.at < over) return cue;
    }
    return null;
  }

  /** When on the player's clock the next cue begins; null where none is known. */
  next(head: Playhead): number | null {
    return this.coming(head)?.start ?? null;
  }

  /** The next cue; null where none is known. */
  coming(head: Playhead): Cue | null {
    this.#meet(head);
    for (let n = this.#before(this.#from); n < this.#kept.length; n += 1) {
      const { cue } = this.#kept[n] as Kept;
      if (!this.#taken.has(cue.id)) return cue;
    }
    return null;
  }

  /** The cues that began in [from, to), in order. */
  between(from: number, to: number): Cue[] {
    return this.#kept.slice(this.#before(from), this.#before(to)).map(({ cue }) => cue);
  }

  get size(): number {
    return this.#kept.length;
  }

  #meet(head: Playhead): void {
    if (head.jumps !== this.#head.jumps) {
      this.#from = head.at - NEAR;
      for (const { cue } of this.#kept.slice(this.#before(this.#from))) this.#taken.delete(cue.id);
    } else if (head.playing) {
      // What lies so far back is over in this pass: it is not looked at again.
      this.#from = Math.max(this.#from, head.at - MOST_LATE_ARRIVAL - MOST_LATE * head.rate);
    }
    this.#head = head;
  }

  #drop(kept: Kept): void {
    this.#kept.splice(this.#kept.indexOf(kept), 1);
    this.#byId.delete(kept.cue.id);
    this.#taken.delete(kept.cue.id);
  }

  /** How many begin before `at`. */
  #before(at: number): number {
    return this.#search((start) => start < at);
  }

  /** How many begin at `at` or before. */
  #after(at: number): number {
    return this.#search((start) => start <= at);
  }

  #search(left: (start: number) => boolean): number {
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (left((this.#kept[middle] as Kept).cue.start)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

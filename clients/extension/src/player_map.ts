// How the page's player relates to the stream: what to tell the service of a seek, another source,
// another rate, a pause. Pure: states in, messages out.

import type { Epoch, Pause, Play } from "../../web/src/protocol/publishing.ts";
import type { PlayerState } from "./messages.ts";
import type { RecordClock } from "./record_clock.ts";

/** Seconds by which the player may be off where it should be before a new epoch says so. */
export const DRIFT = 0.35;

/** Seconds off that can't come of a clock that drifts: a seek, though no event told of one. */
export const LEAP = 3;

/** A player's clock may show the time of day. The service takes no such number: told is the rest. */
export const MOST = 1e7;

/** What is told of a player's clock, and what the viewer's place is told on. */
export function toldTime(media: number): number {
  return Math.max(0, media) % MOST;
}

export interface Line {
  readonly stream: number;
  readonly player: number;
  readonly rate: number;
}

export class PlayerMap {
  #line: Line | null = null;
  #source = -1;
  #held = false;
  #sought = false;
  #away = false;
  #jumps = 0;
  #sources = 0;

  readonly #clock: RecordClock;

  constructor(clock: RecordClock) {
    this.#clock = clock;
  }

  /** The newest epoch; null until a player was seen. */
  get epoch(): Line | null {
    return this.#line;
  }

  /** Whether the player stands still, so that nothing is to be recorded. */
  get paused(): boolean {
    return this.#held;
  }

  /** Whether it was sought, or plays another source, and does not move from there yet. */
  get away(): boolean {
    return this.#away;
  }

  /** Counts seeks and other sources; not other rates, nor where its clock was put right. */
  get jumps(): number {
    return this.#jumps;
  }

  /** Counts what it played. */
  get sources(): number {
    return this.#sources;
  }

  /** What the player does at `state.wall`, as messages in order. The clock is held and run. */
  take(state: PlayerState): (Epoch | Pause | Play)[] {
    const messages: (Epoch | Pause | Play)[] = [];
    this.#sought ||= state.why === "seek";
    if (!state.moving) {
      if (!this.#held) messages.push({ type: "pause" });
      this.#held = true;
      this.#clock.hold(state.wall);
      this.#away = this.#line !== null && this.#jumped(state);
      return messages;
    }
    if (this.#held) messages.push({ type: "play" });
    this.#held = false;
    this.#clock.run(state.wall);
    if (this.#off(state) > DRIFT * this.#pace || state.rate !== this.#line?.rate)
      messages.push(this.#begin(state, this.#jumped(state)));
    this.#sought = this.#away = false;
    return messages;
  }

  /** What the player's clock shows at a stream time; null before any player. */
  player(stream: number): number | null {
    if (this.#line === null) return null;
    return this.#line.player + (stream - this.#line.stream) * this.#line.rate;
  }

  get #pace(): number {
    return Math.max(1, this.#line?.rate ?? 1);
  }

  /** Seconds by which this is not where the player would be now. */
  #off(state: PlayerState): number {
    const line = this.#line;
    if (line === null || state.source !== this.#source) return Number.POSITIVE_INFINITY;
    const due = line.player + (this.#clock.at(state.wall) - line.stream) * line.rate;
    return Math.abs(state.media - due);
  }

  /** Whether the viewer is elsewhere now. What only drifted, as a busy browser does, is not. */
  #jumped(state: PlayerState): boolean {
    return this.#off(state) > (this.#sought ? DRIFT : LEAP) * this.#pace;
  }

  #begin(state: PlayerState, jumped: boolean): Epoch {
    if (jumped) this.#jumps += 1;
    this.#line = { stream: this.#clock.at(state.wall), player: state.media, rate: state.rate };
    if (state.source !== this.#source) this.#sources += 1;
    this.#source = state.source;
    return { type: "epoch", ...this.#line };
  }
}

// The stream's timeline and the player's: which is which, over seeks, sources and rates.

import type { PlayerClock } from "./protocol/viewing.ts";

/** From `stream` on (seconds), the player shows `player` and moves at `rate`. */
export type Epoch = PlayerClock;

export const FIRST: Epoch = { stream: 0, player: 0, rate: 1 };

const MOST_EPOCHS = 1_000;

/** What the player's clock reads at `stream` in `epoch`. */
export function playerTime(epoch: Epoch, stream: number): number {
  return epoch.player + (stream - epoch.stream) * epoch.rate;
}

/** Stream time only rises; a player's time jumps. So one player time may lie in several epochs. */
export class StreamClock {
  readonly #epochs: Epoch[] = [];

  /** What is known already is taken once. */
  add(epoch: Epoch): void {
    let at = this.#epochs.length;
    while (at > 0 && (this.#epochs[at - 1] as Epoch).stream > epoch.stream) at -= 1;
    const before = this.#epochs[at - 1];
    if (before?.stream === epoch.stream) this.#epochs[at - 1] = epoch;
    else this.#epochs.splice(at, 0, epoch);
    if (this.#epochs.length > MOST_EPOCHS) this.#epochs.shift();
  }

  clear(): void {
    this.#epochs.length = 0;
  }

  get newest(): Epoch {
    return this.#epochs.at(-1) ?? FIRST;
  }

  /** The epoch that `stream` lies in; before the first, that one. */
  at(stream: number): Epoch {
    const epoch = this.#epochs.findLast((each) => each.stream <= stream);
    return epoch ?? this.#epochs[0] ?? FIRST;
  }

  toPlayer(stream: number): number {
    return playerTime(this.at(stream), stream);
  }

  /** The newest stream time at which the player showed `player`; never before the stream began. */
  toStream(player: number): number {
    for (let n = this.#epochs.length - 1; n >= 0; n -= 1) {
      const epoch = this.#epochs[n] as Epoch;
      const stream = epoch.stream + (player - epoch.player) / epoch.rate;
      const until = this.#epochs[n + 1]?.stream ?? Number.POSITIVE_INFINITY;
      if (stream >= epoch.stream && stream < until) return stream;
    }
    const { stream, player: shown, rate } = this.newest;
    return Math.max(0, stream + (player - shown) / rate);
  }
}

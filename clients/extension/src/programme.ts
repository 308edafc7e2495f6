// What a viewer follows: a captured tab, or a page that offers descriptions of its own.

import type { Epoch, StreamClock } from "../../web/src/clock.ts";
import type { Ducking } from "../../web/src/ducking.ts";
import type { Player, Playhead } from "../../web/src/player.ts";
import type { PlayerState } from "./messages.ts";

export interface Programme {
  readonly player: FollowedPlayer;
  readonly ducking: Ducking;
  /** The stream's clock and the player's. */
  readonly epochs: StreamClock;
  /** Seconds of the stream before which nothing belongs to what plays now. */
  readonly since: number;
  /** The service tells an epoch, or that it has begun anew: for what makes no epochs itself. */
  learn(epoch: Epoch): void;
  forget(): void;
  take(state: PlayerState): void;
  close(): Promise<void>;
}

/** A player that is elsewhere: it tells how it stands, and is not held. */
export class FollowedPlayer implements Player {
  readonly canHold = false;
  readonly held = false;
  readonly #at: () => number;
  readonly #watchers = new Set<() => void>();
  #rate = 1;
  #playing = false;
  #jumps = 0;

  /** `at`: seconds on the player's clock that the viewer hears now. */
  constructor(at: () => number) {
    this.#at = at;
  }

  head(): Playhead {
    const playing = this.#playing;
    return { at: this.#at(), rate: this.#rate, playing, paused: !playing, jumps: this.#jumps };
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  /** `jumped`: it was sought, or plays something else. */
  moves(playing: boolean, rate: number, jumped: boolean): void {
    const same = playing === this.#playing && rate === this.#rate && !jumped;
    if (same) return;
    this.#playing = playing;
    this.#rate = rate;
    if (jumped) this.#jumps += 1;
    for (const changed of this.#watchers) changed();
  }

  hold(): void {}

  release(): void {}
}

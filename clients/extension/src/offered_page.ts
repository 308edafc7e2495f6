// A page whose own site publishes descriptions: they are only listened to, nothing is captured. The
// page's player is at once what the descriptions' player times are on.

import { type Epoch, StreamClock } from "../../web/src/clock.ts";
import type { Ducking } from "../../web/src/ducking.ts";
import type { PlayerOrder, PlayerState } from "./messages.ts";
import { FollowedPlayer, type Programme } from "./programme.ts";

/** Seconds off where it should be that are a seek. */
const JUMP = 0.5;

export class OfferedPage implements Programme {
  readonly player: FollowedPlayer;
  readonly ducking: Ducking;
  readonly epochs = new StreamClock();
  /** What belongs to what, the page's own service says. */
  readonly since = 0;
  #state: PlayerState | null = null;

  constructor(order: (order: PlayerOrder) => void) {
    this.player = new FollowedPlayer(() => this.#at(Date.now()));
    this.ducking = {
      down: (gain) => order({ type: "duck", gain }),
      up: () => order({ type: "duck", gain: 1 }),
    };
  }

  learn(epoch: Epoch): void {
    this.epochs.add(epoch);
  }

  forget(): void {
    this.epochs.clear();
  }

  take(state: PlayerState): void {
    const before = this.#state;
    const jumped =
      before === null ||
      before.source !== state.source ||
      Math.abs(state.media - this.#at(state.wall)) > JUMP * Math.max(1, state.rate);
    this.#state = state;
    this.player.moves(state.moving, state.rate, jumped);
  }

  async close(): Promise<void> {
    this.ducking.up();
  }

  #at(wall: number): number {
    const state = this.#state;
    if (state === null) return Number.NEGATIVE_INFINITY;
    return state.media + (state.moving ? ((wall - state.wall) / 1_000) * state.rate : 0);
  }
}

// What a player is to whoever describes its programme.

/** Where the viewer is. */
export interface Playhead {
  /** Seconds on the clock that cues are on. */
  readonly at: number;
  /** Playback rate: seconds of the programme a second. */
  readonly rate: number;
  /** Whether it moves: not paused, not seeking, not waiting for data. */
  readonly playing: boolean;
  /** Whether it stands still because the viewer wants it: not held by us, and not at its end. */
  readonly paused: boolean;
  /** Counts seeks and changes of source. */
  readonly jumps: number;
}

export interface Player {
  head(): Playhead;
  /** `changed` is told of play, pause, seek, rate and source. Ends with what it returns. */
  watch(changed: () => void): () => void;
  /** Whether the programme can be held: not where it is live elsewhere. */
  readonly canHold: boolean;
  /** Whether it stands still for us, and would play otherwise. */
  readonly held: boolean;
  /** Stand still, for a description that needs more room. */
  hold(): void;
  /** Go on, unless the viewer has paused meanwhile. */
  release(): void;
}

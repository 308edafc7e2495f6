// A media element as a player that can be held: paused for a description, and gone on with.

import type { Player, Playhead } from "./player.ts";

/** What of a media element is used. */
export interface Media extends EventTarget {
  currentTime: number;
  readonly playbackRate: number;
  readonly paused: boolean;
  readonly seeking: boolean;
  readonly ended: boolean;
  readonly readyState: number;
  play(): Promise<void>;
  pause(): void;
}

const EVENTS = "play playing pause waiting stalled seeking seeked ratechange ended emptied canplay";
const ENOUGH = 3;

export class VideoPlayer implements Player {
  readonly canHold = true;
  /** What the element's clock reads at 0 of the clock that cues are on. */
  offset = 0;
  /** Told when the browser does not let us go on. */
  blocked: () => void = () => {};
  readonly #media: Media;
  readonly #watchers = new Set<() => void>();
  readonly #listener = (event: Event) => this.#meet(event.type);
  #held = false;
  #jumps = 0;

  constructor(media: Media) {
    this.#media = media;
    for (const kind of EVENTS.split(" ")) media.addEventListener(kind, this.#listener);
  }

  close(): void {
    this.release();
    for (const kind of EVENTS.split(" ")) this.#media.removeEventListener(kind, this.#listener);
    this.#watchers.clear();
  }

  head(): Playhead {
    const { currentTime, playbackRate, paused, seeking, ended, readyState } = this.#media;
    return {
      at: currentTime - this.offset,
      rate: playbackRate > 0 ? playbackRate : 1,
      playing: !paused && !seeking && !ended && readyState >= ENOUGH,
      paused: paused && !this.#held && !ended,
      jumps: this.#jumps,
    };
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  get held(): boolean {
    return this.#held;
  }

  hold(): void {
    if (this.#media.paused || this.#media.ended) return;
    this.#held = true;
    this.#media.pause();
  }

  release(): void {
    if (!this.#held) return;
    this.play();
  }

  /** The viewer plays. */
  play(): void {
    this.#held = false;
    this.#media.play().catch((error: unknown) => {
      // A pause that came meanwhile is no fault; being forbidden to play is.
      if (error instanceof DOMException && error.name === "NotAllowedError") this.blocked();
    });
    this.#tell();
  }

  /** The viewer pauses: what is held stays so. */
  pause(): void {
    this.#held = false;
    this.#media.pause();
    this.#tell();
  }

  #meet(kind: string): void {
    if (kind === "play") this.#held = false; // by the viewer, or by us
    if (kind === "seeking" || kind === "emptied") this.#jumps += 1;
    if (kind === "emptied") this.#held = false;
    if (kind === "seeking" && this.#held)
      this.play(); // it would have gone on playing
    else this.#tell();
  }

  #tell(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

// One video element, watched: its clock as states, each told when something changes.

import { VolumeDucking } from "../../web/src/ducking.ts";
import type { PlayerOrder, PlayerState } from "./messages.ts";

type Why = PlayerState["why"];

const EVENTS: Readonly<Record<string, Why>> = {
  playing: "moving",
  pause: "moving",
  waiting: "moving",
  ended: "moving",
  seeking: "seek",
  seeked: "seek",
  ratechange: "rate",
  loadstart: "source",
  loadedmetadata: "source",
  emptied: "source",
  encrypted: "time",
};

/** A number for what each video plays: of no other video, and of no other load of it. */
const sources = new WeakMap<HTMLVideoElement, number>();

/** Milliseconds between two looks at a clock that nothing disturbs. */
const LOOK = 1_000;

export class VideoWatch {
  readonly video: HTMLVideoElement;
  readonly #tell: (state: PlayerState) => void;
  readonly #listening = new AbortController();
  #starved = false;
  #looked = 0;
  #frame = 0;
  #ducking: VolumeDucking | null = null;

  constructor(video: HTMLVideoElement, tell: (state: PlayerState) => void) {
    this.video = video;
    this.#tell = tell;
    if (!sources.has(video)) sources.set(video, Math.random());
    const { signal } = this.#listening;
    for (const [name, why] of Object.entries(EVENTS)) {
      video.addEventListener(name, () => this.#happened(name, why), { signal, passive: true });
    }
    video.addEventListener("timeupdate", () => this.#look(), { signal, passive: true });
    document.addEventListener("visibilitychange", () => this.#say("time"), { signal });
    this.#say("source");
  }

  /** How likely a viewer means this video; 0: it can't be this one. */
  static score(video: HTMLVideoElement): number {
    const box = video.getBoundingClientRect();
    const area = Math.max(0, box.width) * Math.max(0, box.height);
    if (video.readyState === 0 && !video.currentSrc && !video.srcObject) return 0;
    return area * (video.paused ? 1 : 2) * (video.muted ? 0.5 : 1);
  }

  /** Whether it plays in this page, so that no other is to be looked for. */
  get busy(): boolean {
    return this.#moving && this.video.isConnected;
  }

  stop(): void {
    this.#listening.abort();
    if (this.#frame) this.video.cancelVideoFrameCallback(this.#frame);
    this.#ducking?.close();
    this.#say("gone");
  }

  obey(order: PlayerOrder): void {
    if (order.type === "pause") this.video.pause();
    if (order.type === "play") void this.video.play().catch(() => undefined); // the page refused
    if (order.type === "seek") this.video.currentTime += order.by;
    if (order.type === "duck") this.#duck(order.gain);
  }

  get #moving(): boolean {
    const { paused, ended, seeking, error, playbackRate, readyState } = this.video;
    const goes = !paused && !ended && !seeking && !error && playbackRate > 0;
    return goes && !this.#starved && readyState > 1;
  }

  #happened(name: string, why: Why): void {
    if (name === "waiting") this.#starved = true;
    if (name === "playing" || name === "seeked") this.#starved = false;
    if (name === "loadstart") sources.set(this.video, Math.random());
    this.#say(why);
  }

  /** A frame's own time is exact where currentTime only advances now and then. */
  #look(): void {
    if (this.#starved && this.video.readyState > 2) this.#happened("playing", "moving");
    const now = performance.now();
    if (now - this.#looked < LOOK || this.#frame) return;
    this.#looked = now;
    this.#frame = this.video.requestVideoFrameCallback((_, shown) => {
      this.#frame = 0;
      this.#say("time", shown.mediaTime, shown.expectedDisplayTime);
    });
  }

  #say(why: Why, media = this.video.currentTime, at = performance.now()): void {
    const { video } = this;
    this.#tell({
      type: "player",
      why,
      score: why === "gone" ? 0 : VideoWatch.score(video),
      media,
      wall: Date.now() + (at - performance.now()),
      rate: video.playbackRate > 0 ? video.playbackRate : 1,
      moving: why !== "gone" && this.#moving,
      paused: why === "gone" || (video.paused && !video.ended),
      ended: video.ended || video.error !== null,
      source: sources.get(video) ?? 0,
      locked: video.mediaKeys !== null && video.mediaKeys !== undefined,
      muted: video.muted || video.volume === 0,
      hidden: document.hidden,
    });
  }

  /** Gain on top of what the viewer has set, also meanwhile; 1 gives that back. */
  #duck(gain: number): void {
    if (gain >= 1) {
      this.#ducking?.up();
      return;
    }
    this.#ducking ??= new VolumeDucking(this.video);
    this.#ducking.down(gain);
  }
}

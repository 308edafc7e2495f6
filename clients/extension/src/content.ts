// The content script, in each frame of a described tab: follows the frame's likeliest video and
// tells the offscreen document how its clock stands. It does as little as it can: nothing a frame,
// one look a second while a video plays.

import { commandOf, isTyping } from "../../web/src/keys.ts";
import { DEFAULTS, type Settings } from "../../web/src/settings.ts";
import type { FromPage, PlayerOrder } from "./messages.ts";
import { PageRegion } from "./page_region.ts";
import { VideoWatch } from "./video_watch.ts";
import { videosIn } from "./videos.ts";

/** Milliseconds between two searches while no video of this frame plays. */
const SEARCH = 2_000;

interface Page {
  stradFollower?: Follower;
}

/** One frame's link to the offscreen document. */
class Follower {
  #port: chrome.runtime.Port | null = null;
  #watch: VideoWatch | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #settings: Settings = DEFAULTS;
  readonly #region = new PageRegion();
  readonly #pressed = (event: KeyboardEvent) => this.#press(event);

  connect(): void {
    this.#close();
    const port = chrome.runtime.connect({ name: "player" });
    this.#port = port;
    port.onMessage.addListener((order: PlayerOrder) => this.#obey(order));
    port.onDisconnect.addListener(() => {
      void chrome.runtime.lastError; // the page goes into the back-forward cache, or we are off
      if (this.#port === port) this.#close();
    });
    addEventListener("keydown", this.#pressed, { capture: true });
    this.#search();
  }

  #close(): void {
    const port = this.#port;
    this.#port = null;
    clearTimeout(this.#timer);
    this.#watch?.stop();
    this.#watch = null;
    this.#region.remove();
    removeEventListener("keydown", this.#pressed, { capture: true });
    port?.disconnect();
  }

  #search(): void {
    if (this.#port === null) return;
    this.#timer = setTimeout(() => this.#search(), SEARCH);
    if (this.#watch?.busy) return;
    const best = likeliest(videosIn(document));
    if (best === this.#watch?.video) return;
    this.#watch?.stop();
    this.#watch = best ? new VideoWatch(best, (state) => this.#tell(state)) : null;
  }

  #tell(message: FromPage): void {
    this.#port?.postMessage(message);
  }

  #press(event: KeyboardEvent): void {
    if (!event.isTrusted || event.repeat || isTyping(event.target)) return;
    const command = commandOf(this.#settings, event);
    if (command === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#tell({ type: "command", command });
  }

  #obey(order: PlayerOrder): void {
    if (order.type === "live") this.#region.show(order.text, order.language);
    else if (order.type === "keys") this.#settings = { ...DEFAULTS, keys: order.keys };
    else this.#watch?.obey(order);
  }
}

function likeliest(videos: readonly HTMLVideoElement[]): HTMLVideoElement | null {
  let best: HTMLVideoElement | null = null;
  let most = 0;
  for (const video of videos) {
    const score = VideoWatch.score(video);
    if (score > most) [best, most] = [video, score];
  }
  return best;
}

const page = globalThis as Page;
page.stradFollower ??= new Follower();
page.stradFollower.connect();

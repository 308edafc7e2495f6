// What is played: a file, or HLS by hls.js.

import type Hls from "hls.js";
import type { Description } from "./describe.ts";
import { byId } from "./elements.ts";
import { watchHls } from "./hls_watch.ts";

export class Source {
  readonly #video: HTMLVideoElement;
  readonly #say: (text: string) => void;
  readonly #audio = byId("audio", HTMLSelectElement);
  #hls: Hls | null = null;
  #blob = "";

  constructor(video: HTMLVideoElement, say: (text: string) => void) {
    this.#video = video;
    this.#say = say;
    video.addEventListener("error", () => {
      if (video.getAttribute("src")) this.#fail(video.error?.message ?? "");
    });
  }

  async open(
    address: string,
    file: File | null,
    description: Description,
    mpegts: number | null,
  ): Promise<void> {
    this.#close();
    if (file) {
      this.#blob = URL.createObjectURL(file);
      this.#video.src = this.#blob;
    } else if (isHls(address)) {
      await this.#openHls(address, description, mpegts);
    } else if (address) {
      this.#video.src = address;
    }
  }

  #close(): void {
    this.#hls?.destroy();
    this.#hls = null;
    if (this.#blob) URL.revokeObjectURL(this.#blob);
    this.#blob = "";
    byId("audio-field", HTMLElement).hidden = true;
    if (this.#video.hasAttribute("src")) {
      this.#video.removeAttribute("src");
      this.#video.load();
    }
  }

  async #openHls(address: string, description: Description, mpegts: number | null): Promise<void> {
    const { default: HlsPlayer } = await import("hls.js");
    if (!HlsPlayer.isSupported()) {
      this.#video.src = address; // Safari plays HLS by itself
      return;
    }
    const hls = new HlsPlayer({ enableWorker: false });
    this.#hls = hls;
    watchHls(hls, description, mpegts);
    hls.on(HlsPlayer.Events.AUDIO_TRACKS_UPDATED, () => this.#offerAudio(hls));
    hls.on(HlsPlayer.Events.ERROR, (_event, data) => {
      if (data.fatal) this.#fail(data.details);
    });
    hls.loadSource(new URL(address, document.baseURI).href);
    hls.attachMedia(this.#video);
  }

  #offerAudio(hls: Hls): void {
    const tracks = hls.audioTracks;
    this.#audio.replaceChildren(
      ...tracks.map((track, n) => new Option(track.name, String(n), false, n === hls.audioTrack)),
    );
    byId("audio-field", HTMLElement).hidden = tracks.length < 2;
    this.#audio.onchange = () => {
      hls.audioTrack = Number(this.#audio.value);
    };
  }

  #fail(why: string): void {
    this.#say(`The video can't be played${why ? `: ${why}` : ""}.`);
  }
}

function isHls(address: string): boolean {
  return /\.m3u8(\?|#|$)/i.test(address);
}

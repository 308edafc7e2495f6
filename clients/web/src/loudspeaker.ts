// What plays a sound that was fetched: an audio element, at a rate, its pitch kept.

import type { Outcome } from "./voice.ts";

export interface Loudspeaker {
  /** Resolves when it is over. `address`: of a sound that is here already. */
  play(address: string, rate: number, volume: number): Promise<Outcome>;
  stop(): void;
}

export class AudioElement implements Loudspeaker {
  #audio: HTMLAudioElement | null = null;

  play(address: string, rate: number, volume: number): Promise<Outcome> {
    this.#audio ??= new Audio();
    const audio = this.#audio;
    audio.src = address;
    audio.defaultPlaybackRate = audio.playbackRate = rate; // a new source takes the default
    audio.volume = volume;
    return new Promise((resolve) => {
      audio.onended = () => resolve("ended");
      audio.onerror = () => resolve("failed");
      audio.play().catch((error: unknown) => {
        const name = error instanceof DOMException ? error.name : "";
        resolve(name === "NotAllowedError" ? "blocked" : "failed");
      });
    });
  }

  stop(): void {
    this.#audio?.pause();
  }
}

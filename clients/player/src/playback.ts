// The controls of the programme itself.

import { ariaChord, COMMANDS, type Command } from "../../web/src/index.ts";
import type { Description } from "./describe.ts";
import { byId } from "./elements.ts";

const EVENTS = "play pause timeupdate durationchange ended emptied volumechange ratechange";
const STEP = 10;

export class Playback {
  readonly #video: HTMLVideoElement;
  readonly #description: Description;
  readonly #play = byId("play", HTMLButtonElement);
  readonly #position = byId("position", HTMLInputElement);
  readonly #volume = byId("volume", HTMLInputElement);
  readonly #speed = byId("speed", HTMLSelectElement);
  readonly #show = () => this.#update();

  constructor(video: HTMLVideoElement, description: Description) {
    this.#video = video;
    this.#description = description;
    for (const kind of EVENTS.split(" ")) video.addEventListener(kind, this.#show);
    this.#play.onclick = () => this.#toggle();
    byId("back", HTMLButtonElement).onclick = () => this.#seek(video.currentTime - STEP);
    byId("forward", HTMLButtonElement).onclick = () => this.#seek(video.currentTime + STEP);
    this.#position.onchange = () => this.#seek(Number(this.#position.value));
    this.#volume.oninput = () => {
      video.volume = Number(this.#volume.value) / 100;
    };
    this.#speed.onchange = () => {
      video.playbackRate = Number(this.#speed.value);
    };
    byId("full", HTMLButtonElement).onclick = () => this.#fill();
    for (const button of buttons()) button.onclick = () => this.#run(button);
    this.#update();
  }

  close(): void {
    for (const kind of EVENTS.split(" ")) this.#video.removeEventListener(kind, this.#show);
  }

  /** What is held for a description counts as playing: the viewer has not paused it. */
  #toggle(): void {
    const { player } = this.#description;
    if (this.#video.paused && !player.held) player.play();
    else player.pause();
    this.#update();
  }

  #seek(to: number): void {
    const end = Number.isFinite(this.#video.duration) ? this.#video.duration : to;
    this.#video.currentTime = Math.max(0, Math.min(end, to));
  }

  #fill(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void byId("stage", HTMLElement).requestFullscreen();
  }

  #run(button: HTMLButtonElement): void {
    const command = COMMANDS.find((each) => each === button.dataset.command);
    if (command) void this.#description.run(command);
  }

  #update(): void {
    const { video, ready } = { video: this.#video, ready: this.#video.readyState > 0 };
    const { held } = this.#description.player;
    write(this.#play, video.paused && !held ? "Play" : "Pause");
    for (const id of ["play", "back", "forward"]) byId(id, HTMLButtonElement).disabled = !ready;
    const known = Number.isFinite(video.duration) && video.duration > 0;
    byId("position-field", HTMLElement).hidden = !known;
    if (known && document.activeElement !== this.#position) this.#tellPosition();
    else if (known) this.#position.setAttribute("aria-valuetext", spoken(this.#position.value));
    this.#volume.value = String(Math.round(this.#description.volume * 100));
    if (this.#speed.value !== String(video.playbackRate))
      this.#speed.value = String(video.playbackRate);
  }

  #tellPosition(): void {
    this.#position.max = String(Math.floor(this.#video.duration));
    this.#position.value = String(Math.floor(this.#video.currentTime));
    this.#position.setAttribute("aria-valuetext", spoken(this.#position.value));
  }
}

/** Shows on each button which key does the same. */
export function showKeys(keys: Readonly<Record<Command, string>>, on: boolean): void {
  for (const button of buttons()) {
    const chord = keys[button.dataset.command as Command];
    if (chord) button.setAttribute("aria-keyshortcuts", ariaChord(chord));
    else button.removeAttribute("aria-keyshortcuts");
    if (button.dataset.command === "toggle") button.setAttribute("aria-pressed", String(on));
  }
}

function buttons(): HTMLButtonElement[] {
  return [...document.querySelectorAll<HTMLButtonElement>("#commands button")];
}

function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function spoken(seconds: string): string {
  const whole = Number(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes ? `${minutes} minutes ${whole % 60} seconds` : `${whole} seconds`;
}

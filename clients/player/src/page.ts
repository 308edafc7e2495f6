// The player page: what it plays stands in its address, or is chosen on the page.

import { type Credentials, phrases } from "../../web/src/index.ts";
import { Description } from "./describe.ts";
import { byId } from "./elements.ts";
import { Playback } from "./playback.ts";
import { SettingsForm } from "./settings_form.ts";
import { Source } from "./source.ts";

const address = new URLSearchParams(location.search);

class Page {
  readonly #video = byId("video", HTMLVideoElement);
  readonly #text = byId("text", HTMLElement);
  readonly #status = byId("status", HTMLElement);
  readonly #source = new Source(this.#video, (text) => this.#say(text));
  readonly #form = new SettingsForm();
  #description: Description | null = null;
  #playback: Playback | null = null;
  #token: string | null = null;

  async begin(): Promise<void> {
    byId("open-form", HTMLFormElement).onsubmit = (event) => this.#choose(event);
    byId("key-form", HTMLFormElement).onsubmit = (event) => this.#showKey(event);
    const stream = address.get("stream") ?? "";
    const source = address.get("src") ?? "";
    byId("stream", HTMLInputElement).value = stream;
    byId("source", HTMLInputElement).value = source;
    if (!stream && !source) byId("open", HTMLDetailsElement).open = true;
    await this.#open(stream, source);
  }

  async #open(stream: string, source: string, file: File | null = null): Promise<void> {
    this.#description?.close();
    this.#playback?.close();
    const description = new Description(this.#video, {
      service: new URL("..", document.baseURI),
      ...(stream ? { stream } : {}),
      offset: Number(address.get("offset") ?? 0) || 0,
      credentials: async (): Promise<Credentials> => (this.#token ? { token: this.#token } : null),
      region: byId("region", HTMLElement),
      onText: (text) => this.#show(text),
      onStatus: (text) => this.#say(text),
      onSettings: (settings) => this.#form.show(settings, description.language),
      onConnection: (state) => {
        if (state.is === "refused") this.#askForKey(state.code, state.why);
        else if (state.is === "connected") byId("key-section", HTMLElement).hidden = true;
      },
    });
    this.#description = description;
    this.#playback = new Playback(this.#video, description);
    this.#form.open(description);
    await description.open();
    const mpegts = address.get("mpegts");
    await this.#source.open(source, file, description, mpegts === null ? null : Number(mpegts));
  }

  #choose(event: SubmitEvent): void {
    event.preventDefault();
    const stream = byId("stream", HTMLInputElement).value.trim();
    const source = byId("source", HTMLInputElement).value.trim();
    const file = byId("file", HTMLInputElement).files?.[0] ?? null;
    const missing = source || file ? "" : "Name the address of a video, or choose one.";
    byId("open-error", HTMLElement).textContent = missing;
    if (!missing) void this.#open(stream, source, file);
  }

  #askForKey(code: string, why: string): void {
    if (code !== "unauthorized" && code !== "forbidden" && code !== "expired") return;
    const section = byId("key-section", HTMLElement);
    const wasAsked = !section.hidden;
    section.hidden = false;
    byId("key-error", HTMLElement).textContent = wasAsked || this.#token ? `Refused: ${why}.` : "";
    byId("key", HTMLInputElement).focus();
  }

  #showKey(event: SubmitEvent): void {
    event.preventDefault();
    const key = byId("key", HTMLInputElement);
    this.#token = key.value.trim();
    key.value = "";
    this.#description?.retry();
  }

  #show(text: string | null): void {
    this.#text.textContent = text ?? "";
    const held = this.#description?.player.held ?? false;
    if (held && text === null) return;
    if (this.#status.textContent === phrases.blocked && text !== null) this.#say("");
  }

  #say(text: string): void {
    this.#status.textContent = text;
  }
}

void new Page().begin();

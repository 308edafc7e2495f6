// Describes a video that is in a page already: what a platform embeds.

import {
  Assistant,
  type Command,
  Connection,
  type ConnectionState,
  type Credentials,
  type Cue,
  commandOf,
  cueOf,
  cuesOf,
  DescriptionTrack,
  isTyping,
  LANGUAGE,
  LiveRegion,
  LocalShelf,
  Narrator,
  NotAnswered,
  type Outcome,
  phrases,
  readSettings,
  ServiceVoice,
  type Settings,
  type Shelf,
  Silence,
  Speech,
  StreamClock,
  SwitchedVoice,
  type Unsaid,
  VideoPlayer,
  type Viewing,
  VolumeDucking,
  voiceFor,
} from "../../web/src/index.ts";

export interface Options {
  /** The service's address. Default: where this file came from, without `player/`. */
  service?: string | URL;
  /** The stream whose descriptions are told; else `track` says them. */
  stream?: string;
  /** A fresh ticket (or token) for each connection, from your own server. */
  credentials?: () => Promise<Credentials>;
  /** A WebVTT track of the video, used where there is no stream. */
  track?: TextTrack;
  /** What the video's clock reads at time 0 of the stream, in seconds. */
  offset?: number;
  /** Where settings are kept. Default: this site's local storage. */
  shelf?: Shelf;
  /** Where keys are heard. Default: the document. */
  keys?: EventTarget;
  /** An element with `aria-live="polite"`; default: one is made, out of sight. */
  region?: HTMLElement;
  /** A description begins (null: is over), to be shown. */
  onText?: (text: string | null, cue: Cue | null) => void;
  /** What the viewer should know, in words. */
  onStatus?: (text: string) => void;
  onSettings?: (settings: Settings) => void;
  onConnection?: (state: ConnectionState) => void;
  onUnsaid?: (cue: Cue, why: Unsaid) => void;
}

const TRACK_LABEL = "Audio description";

export class Description {
  readonly player: VideoPlayer;
  readonly #options: Options;
  readonly #video: HTMLMediaElement;
  readonly #clock = new StreamClock();
  readonly #ducking: VolumeDucking;
  readonly #speech = new Speech((language) => voiceFor(this.#settings, language));
  readonly #region: HTMLElement;
  readonly #narrator: Narrator;
  readonly #assistant: Assistant;
  readonly #connection: Connection | null;
  readonly #shelf: Shelf;
  readonly #keys: EventTarget;
  readonly #pressed = (event: Event) => this.#press(event as KeyboardEvent);
  #track: DescriptionTrack | null = null;
  #settings: Settings = readSettings(null);
  #log: string | null = null;
  #language = LANGUAGE;
  #draft = false;
  #cutOff = false;
  /** Whether the service says descriptions itself; null: it has not said yet. */
  #audio: boolean | null = null;

  constructor(video: HTMLMediaElement, options: Options = {}) {
    this.#video = video;
    this.#options = options;
    this.player = new VideoPlayer(video);
    this.player.offset = options.offset ?? 0;
    this.player.blocked = () => this.#status(phrases.playBlocked);
    this.#ducking = new VolumeDucking(video);
    this.#region = options.region ?? regionIn(document.body);
    this.#shelf = options.shelf ?? new LocalShelf();
    this.#keys = options.keys ?? document;
    this.#connection = this.#connect();
    this.#narrator = this.#narrate();
    this.#assistant = this.#assist();
    this.#keys.addEventListener("keydown", this.#pressed);
  }

  /** Reads what the viewer has chosen before, and begins. */
  async open(): Promise<void> {
    this.change(await this.#shelf.load());
    this.#connection?.open();
    if (this.#options.track) this.#readTrack(this.#options.track);
  }

  close(): void {
    this.#keys.removeEventListener("keydown", this.#pressed);
    this.#connection?.close();
    this.#narrator.close();
    this.#ducking.close();
    this.player.close();
    this.#track?.clear();
    if (!this.#options.region) this.#region.remove();
  }

  get settings(): Settings {
    return this.#settings;
  }

  get language(): string {
    return this.#language;
  }

  /** The volume that the viewer has chosen, whatever it is lowered to now. */
  get volume(): number {
    return this.#ducking.base;
  }

  change(settings: Settings): void {
    const other = settings.speech !== this.#settings.speech;
    this.#settings = settings;
    if (other) this.#missVoice();
    this.#narrator.settings = settings;
    this.#options.onSettings?.(settings);
    void this.#shelf.save(settings);
  }

  run(command: Command): Promise<void> {
    return this.#assistant.run(command);
  }

  /** Whether the programme's own described audio is on: then nothing is spoken beside it. */
  set describedAudio(on: boolean) {
    this.#narrator.muted = on;
    if (on && this.#settings.on) this.#status(phrases.described);
  }

  /** What the video's clock reads at time 0 of the stream, in seconds. */
  set offset(seconds: number) {
    this.#track?.move(seconds - this.player.offset);
    this.player.offset = seconds;
    this.#narrator.update();
  }

  /** Connect anew, when there are other credentials. */
  retry(): void {
    this.#connection?.retry();
  }

  #connect(): Connection | null {
    const { service, stream, credentials } = this.#options;
    if (stream === undefined) return null;
    const watched = { service: service ?? new URL("..", import.meta.url), stream };
    return new Connection(credentials ? { ...watched, credentials } : watched, {
      message: (message) => this.#take(message),
      connection: (state) => this.#meet(state),
    });
  }

  #narrate(): Narrator {
    const volume = (language: string) => voiceFor(this.#settings, language).volume;
    const voices = {
      voice: this.#speech,
      service: new ServiceVoice((cue, form) => this.#sound(cue, form), this.#speech, volume),
      "screen-reader": new LiveRegion(this.#region),
      silent: new Silence(),
    };
    const voice = new SwitchedVoice(voices, () => this.#settings.speech);
    return new Narrator(this.player, voice, this.#ducking, this.#settings, {
      said: (text, _language, cue) => this.#options.onText?.(text, cue),
      done: (cue, outcome) => this.#done(cue, outcome),
      unsaid: (cue, why) => this.#options.onUnsaid?.(cue, why),
    });
  }

  #assist(): Assistant {
    return new Assistant({
      narrator: this.#narrator,
      player: this.player,
      clock: this.#clock,
      connection: this.#connection,
      settings: () => this.#settings,
      change: (settings) => this.change(settings),
      language: () => this.#language,
      draft: () => this.#draft,
      answer: (text) => this.#options.onStatus?.(text),
    });
  }

  #done(cue: Cue | null, outcome: Outcome): void {
    this.#options.onText?.(null, cue);
    if (outcome === "blocked") this.#status(phrases.blocked);
    if (outcome === "failed") this.#status(phrases.voiceless);
  }

  #take(message: Viewing): void {
    switch (message.type) {
      case "hello":
        if (this.#log !== null && this.#log !== message.log) this.#clear();
        this.#log = message.log;
        this.#audio = message.audio ?? false; // a service of before says nothing of it
        this.#missVoice();
        this.#know(message.about);
        break;
      case "state":
        this.#know(message.about);
        break;
      case "ad":
        this.#clock.add(message.epoch);
        this.#offer(cueOf(message));
        break;
      case "withdraw":
        this.#narrator.withdraw(message.id);
        this.#track?.remove(message.id);
        break;
      case "error":
        if (message.fatal && message.seq) this.#status(phrases.refused(message.message));
        break;
    }
  }

  /** Where there is none, the voice of the browser speaks. */
  async #sound(cue: Cue, form: number | undefined): Promise<Blob | null> {
    if (!this.#audio || !this.#connection) return null;
    try {
      return await this.#connection.sound(cue.id, form);
    } catch (error) {
      if (error instanceof NotAnswered) return null;
      throw error;
    }
  }

  #missVoice(): void {
    const missing = this.#audio === false || !this.#connection;
    if (missing && this.#settings.speech === "service") this.#status(phrases.noServiceVoice);
  }

  #know(about: { language: string; draft: boolean } | null | undefined): void {
    if (!about) return;
    const other = about.language !== this.#language;
    this.#language = about.language;
    this.#draft = about.draft;
    if (other) this.#options.onSettings?.(this.#settings); // they are kept by language
  }

  #offer(cue: Cue): void {
    this.#narrator.offer(cue);
    this.#track ??= new DescriptionTrack(this.#video, TRACK_LABEL, this.#language);
    this.#track.add(cue, this.player.offset);
  }

  #clear(): void {
    this.#narrator.clear();
    this.#clock.clear();
    this.#track?.clear();
  }

  #readTrack(track: TextTrack): void {
    const read = () => {
      for (const cue of cuesOf(track, this.player.offset)) this.#narrator.offer(cue);
    };
    this.#language = track.language || LANGUAGE;
    if (track.mode === "disabled") track.mode = "hidden";
    read();
    for (const element of this.#video.querySelectorAll("track"))
      if (element.track === track) element.addEventListener("load", read);
  }

  /** Said once when it breaks off, and once when it is back. */
  #meet(state: ConnectionState): void {
    this.#options.onConnection?.(state);
    if (state.is === "lost" && !this.#cutOff) this.#status(phrases.lost(state.why));
    if (state.is === "connected" && this.#cutOff) this.#status(phrases.back);
    if (state.is === "refused") this.#status(phrases.refused(state.why));
    if (state.is !== "connecting") this.#cutOff = state.is === "lost";
  }

  #status(text: string): void {
    this.#options.onStatus?.(text);
  }

  #press(event: KeyboardEvent): void {
    const command = commandOf(this.#settings, event);
    if (command === null || event.defaultPrevented || isTyping(event.target)) return;
    event.preventDefault();
    if (!event.repeat || /^(louder|quieter|faster|slower)$/.test(command)) void this.run(command);
  }
}

function regionIn(parent: HTMLElement): HTMLElement {
  const region = document.createElement("div");
  region.setAttribute("aria-live", "polite");
  region.style.cssText =
    "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";
  parent.append(region);
  return region;
}

/** Describes `video`: the returned Description is open, and off until the viewer turns it on. */
export async function describe(video: HTMLMediaElement, options?: Options): Promise<Description> {
  const description = new Description(video, options);
  await description.open();
  return description;
}

// One tab that is described: what is followed, what is told about it, and the voice that says it.

import { Assistant } from "../../web/src/assistant.ts";
import { Connection, type ConnectionState } from "../../web/src/connection.ts";
import { type Cue, cueOf } from "../../web/src/cue.ts";
import { LiveRegion } from "../../web/src/live_region.ts";
import { Narrator } from "../../web/src/narrator.ts";
import { DRAFT, phrases } from "../../web/src/phrases.ts";
import type { Viewing } from "../../web/src/protocol/viewing.ts";
import { type Command, type Settings, voiceFor } from "../../web/src/settings.ts";
import { Speech } from "../../web/src/speech.ts";
import { Silence, SwitchedVoice } from "../../web/src/switched_voice.ts";
import type { Outcome } from "../../web/src/voice.ts";
import { atOnce } from "./live_cue.ts";
import type { PlayerOrder } from "./messages.ts";
import { Notices } from "./notices.ts";
import type { Programme } from "./programme.ts";

/** How often a notice is begun that is cut each time. */
const TELLINGS = 3;

export interface Described {
  readonly programme: Programme;
  readonly settings: Settings;
  readonly language: string;
  /** Whether the viewer is at the live edge: nothing is held back. */
  readonly live: boolean;
  order(order: PlayerOrder): void;
  /** Settings that were chosen by key. */
  chosen(settings: Settings): void;
  /** Something that is shown has changed. */
  changed(): void;
  /** The service lets nobody listen: it can't go on. */
  failed(code: string, message: string): void;
}

export class DescribedTab {
  readonly notices: Notices;
  readonly #on: Described;
  readonly #narrator: Narrator;
  readonly #assistant: Assistant;
  #connection: Connection | null = null;
  #settings: Settings;
  #language: string;
  #draft = false;
  #log: string | null = null;
  readonly #down = new Set<"media" | "events">();
  #line = "Connecting to the service.";
  #last = "";
  #closed = false;
  #skips = 0;
  #since = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(on: Described) {
    this.#on = on;
    this.#settings = { ...on.settings, on: true };
    this.#language = on.language;
    this.notices = new Notices((notice) => {
      this.#say(notice.text);
      on.changed();
    });
    on.programme.player.watch(() => this.#meetSource()); // before the narrator looks what is due
    this.#narrator = this.#makeNarrator();
    this.#assistant = new Assistant({
      narrator: this.#narrator,
      player: on.programme.player,
      clock: on.programme.epochs,
      connection: { ask: (request) => this.#ask(request) },
      settings: () => this.#settings,
      change: (settings) => this.change(settings),
      language: () => this.#language,
      draft: () => this.#draft,
      answer: (text) => this.#show(text),
    });
  }

  get line(): string {
    return this.#line;
  }

  get last(): string {
    return this.#last;
  }

  get draft(): boolean {
    return this.#draft;
  }

  get connected(): boolean {
    return this.#connection !== null;
  }

  /** Hear what is said of this stream, in place of any before. */
  watch(service: string, stream: string, token: string): void {
    this.#connection?.close();
    this.#narrator.clear();
    this.#log = null;
    this.link("events", true);
    this.#connection = new Connection(
      { service, stream, credentials: async () => (token ? { token } : null) },
      {
        message: (message) => this.#hear(message),
        connection: (state) => this.#connected(state),
      },
    );
    this.#connection.open();
  }

  /** One of the connections is lost, which is told once, or there again: told when all are. */
  link(name: "media" | "events", up: boolean): void {
    if (!up) {
      this.#down.add(name);
      this.notices.say("lost");
    } else if (this.#down.delete(name) && this.#down.size === 0) this.notices.say("back");
  }

  change(settings: Settings): void {
    this.#settings = settings;
    this.#narrator.settings = settings;
    this.#on.chosen(settings);
  }

  async run(command: Command): Promise<void> {
    if (command === "skip") this.#skips += 1;
    await this.#assistant.run(command);
  }

  /** Say a last word, and go. */
  async close(word: string): Promise<void> {
    this.#connection?.close();
    this.#narrator.clear();
    this.#closed = true;
    this.#line = word;
    if (word) await this.#narrator.tell(word, "en");
    this.#narrator.close();
    this.#on.programme.ducking.up();
  }

  /** Cut the last word. */
  hush(): void {
    this.#narrator.stop();
  }

  status(line: string): void {
    this.#line = line;
    this.#on.changed();
  }

  #makeNarrator(): Narrator {
    const on = this.#on;
    // The user has just asked for it by key or click, if not in this document.
    const own = new Speech((tag) => voiceFor(this.#settings, tag), { gestured: () => true });
    const region = {
      set textContent(text: string) {
        on.order({ type: "live", text, language: on.language });
      },
    };
    const voices = {
      voice: own,
      "screen-reader": new LiveRegion(region),
      silent: new Silence(),
    };
    return new Narrator(
      on.programme.player,
      new SwitchedVoice(voices, () => this.#settings.speech),
      on.programme.ducking,
      this.#settings,
      {
        said: (text, _language, cue) => this.#said(text, cue),
        done: (cue, outcome) => this.#done(cue, outcome),
        unsaid: (_cue, why) => {
          if (why === "blocked" || why === "failed") this.notices.say(why, phrases.voiceless);
        },
      },
    );
  }

  #said(text: string, cue: Cue | null): void {
    if (cue) this.#show(text);
  }

  #done(_cue: Cue | null, outcome: Outcome): void {
    if (outcome === "failed") this.notices.say("failed", phrases.voiceless);
  }

  #show(text: string): void {
    this.#last = text;
    this.#on.changed();
  }

  #hear(message: Viewing): void {
    this.notices.heard(message);
    if (message.type === "hello") this.#begin(message.log);
    if (message.type === "ad") {
      this.#on.programme.learn(message.epoch);
      this.#offer(cueOf(message));
    } else if (message.type === "withdraw") this.#narrator.withdraw(message.id);
    else if ("about" in message && message.about) {
      this.#language = message.about.language;
      const draft = message.about.draft && !this.#draft;
      this.#draft ||= message.about.draft;
      if (draft) this.notices.say("draft", DRAFT);
    }
  }

  /** Of another log nothing holds that was told before. */
  #begin(log: string): void {
    if (this.#log !== null && this.#log !== log) {
      this.#narrator.clear();
      this.#on.programme.forget();
    }
    this.#log = log;
  }

  /** What was said of another source is never said of this one. */
  #meetSource(): void {
    const { since } = this.#on.programme;
    if (since !== this.#since) this.#narrator.clear();
    this.#since = since;
  }

  #offer(cue: Cue): void {
    this.#meetSource();
    if (cue.stream < this.#since) return;
    const { player } = this.#on.programme;
    this.#narrator.offer(this.#on.live ? atOnce(cue, player.head().at) : cue);
  }

  #connected(state: ConnectionState): void {
    if (state.is === "connected") {
      this.link("events", true);
      this.status("Audio description is on.");
    }
    if (state.is === "connecting") this.status(phrases.connecting);
    if (state.is === "lost") {
      this.status(phrases.lost(state.why));
      this.link("events", false);
    }
    // A service that has begun anew knows nothing of the stream until media goes there again.
    if (state.is === "refused" && !this.#down.has("media")) this.#on.failed(state.code, state.why);
    if (state.is === "over") this.status("The descriptions of this stream have ended.");
  }

  #ask: Connection["ask"] = (request) => {
    if (this.#connection) return this.#connection.ask(request);
    return new Connection({ service: "http://localhost", stream: "none" }, IDLE).ask(request);
  };

  /** One after the other, when no description is being said. */
  #say(text: string): void {
    this.#queue = this.#queue.then(async () => {
      while (!this.#closed && this.#narrator.speaking) await pause();
      await this.#tellAll(text);
    });
  }

  /** To its end: what the player does may cut it, and then it's said again. */
  async #tellAll(text: string): Promise<void> {
    const skips = this.#skips;
    for (let left = TELLINGS; left > 0 && !this.#closed && skips === this.#skips; left -= 1) {
      if ((await this.#narrator.tell(text, "en")) !== "stopped") return;
    }
  }
}

const IDLE = { message() {}, connection() {} };

const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

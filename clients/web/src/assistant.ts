// The assistant: does what a viewer asks for by key or button, and says what it did.

import type { StreamClock } from "./clock.ts";
import { type Connection, NotAnswered } from "./connection.ts";
import { type Cue, cueOf } from "./cue.ts";
import { isWanted } from "./fitting.ts";
import type { Narrator } from "./narrator.ts";
import { LANGUAGE, phrases } from "./phrases.ts";
import type { Player } from "./player.ts";
import { type Command, DETAILS, type Settings, voiceFor, withVoice } from "./settings.ts";

/** Media seconds: what is missed is asked for so far back. */
const MISSED_WITHIN = 300;

/** At most so many are told, the newest. */
const MOST_TOLD = 6;

/** What the viewer listens to. */
export interface Listening {
  readonly narrator: Narrator;
  readonly player: Player;
  readonly clock: StreamClock;
  /** Null where the descriptions come from a file. */
  readonly connection: (Pick<Connection, "ask"> & Partial<Pick<Connection, "flag">>) | null;
  settings(): Settings;
  change(settings: Settings): void;
  /** The programme's language, and whether its descriptions are drafts. */
  language(): string;
  draft(): boolean;
  /** What is shown and, where it can be, said: the answer to a key. */
  answer(text: string): void;
}

export class Assistant {
  readonly #on: Listening;
  /** Tells this viewer's flags from others' of one key; made anew for each page. */
  readonly #by = crypto.randomUUID();
  #missedSince = Number.NEGATIVE_INFINITY;

  constructor(listening: Listening) {
    this.#on = listening;
  }

  async run(command: Command): Promise<void> {
    switch (command) {
      case "toggle":
        return this.#toggle();
      case "repeat":
        return this.#repeat();
      case "missed":
        return this.#ask(() => this.#missed());
      case "scene":
        return this.#ask(() => this.#scene());
      case "skip":
        this.#on.narrator.stop();
        return;
      case "louder":
        return this.#louder(0.1);
      case "quieter":
        return this.#louder(-0.1);
      case "faster":
        return this.#faster(0.1);
      case "slower":
        return this.#faster(-0.1);
      case "more":
        return this.#more(1);
      case "less":
        return this.#more(-1);
      case "wrong":
      case "late":
        return this.#ask(() => this.#flag(command));
    }
  }

  #toggle(): void {
    const settings = this.#on.settings();
    this.#on.change({ ...settings, on: !settings.on });
    this.#confirm(settings.on ? phrases.off : phrases.on(this.#on.draft()));
  }

  #repeat(): void {
    const cue = this.#on.narrator.last;
    if (cue === null) this.#confirm(phrases.nothingToRepeat);
    else void this.#on.narrator.tell(cue.text, cue.language, { cue });
  }

  /** The voice first; when it is as loud as it can be, the programme is lowered more. */
  #louder(by: number): void {
    const settings = this.#on.settings();
    const { volume } = voiceFor(settings, this.#on.language());
    const duck = Math.round(Math.min(1, Math.max(0, settings.duck - by)) * 100) / 100;
    if (by > 0 && volume >= 1) {
      this.#on.change({ ...settings, duck });
      this.#confirm(phrases.ducking(duck));
    } else {
      const louder = Math.min(1, Math.max(0.1, volume + by));
      this.#on.change(withVoice(settings, this.#on.language(), { volume: louder }));
      this.#confirm(phrases.volume(louder));
    }
  }

  #faster(by: number): void {
    const language = this.#on.language();
    const settings = this.#on.settings();
    const rate = voiceFor(settings, language).rate + by;
    const changed = withVoice(settings, language, { rate });
    this.#on.change(changed);
    this.#confirm(phrases.rate(voiceFor(changed, language).rate));
  }

  #more(by: number): void {
    const settings = this.#on.settings();
    const at = DETAILS.indexOf(settings.detail) + by;
    const detail = DETAILS[Math.min(DETAILS.length - 1, Math.max(0, at))] ?? settings.detail;
    this.#on.change({ ...settings, detail });
    this.#confirm(phrases.detail(detail));
  }

  async #missed(): Promise<string> {
    const { at } = this.#on.player.head();
    const until = this.#on.clock.toStream(at);
    const since = Math.max(0, until - MISSED_WITHIN);
    const { cues, more } = await this.#told(since, until);
    const unheard = cues.filter((cue) => this.#isMissed(cue, at));
    this.#missedSince = at;
    if (!unheard.length) return phrases.nothingMissed;
    const newest = unheard.slice(-MOST_TOLD);
    const draft = newest.some((cue) => cue.draft);
    const texts = newest.map((cue) => cue.text);
    return phrases.missed(texts, more || unheard.length > newest.length, draft);
  }

  async #told(since: number, until: number): Promise<{ cues: Cue[]; more: boolean }> {
    const request = { type: "missed", since, until, most: 100 } as const;
    const reply = await this.#asked((connection) => connection.ask(request));
    if (reply) return { cues: reply.ads.map(cueOf), more: reply.more };
    const { at } = this.#on.player.head();
    return { cues: this.#on.narrator.between(at - MISSED_WITHIN, at), more: false };
  }

  #isMissed(cue: Cue, at: number): boolean {
    if (this.#on.narrator.hasHeard(cue.id) || !isWanted(cue, this.#on.settings().screenText))
      return false;
    // What was told once as missed is told again only after the viewer went back before it.
    return cue.start <= at && !(cue.start < this.#missedSince && this.#missedSince <= at);
  }

  async #scene(): Promise<string> {
    const head = this.#on.player.head();
    const at = Math.max(0, this.#on.clock.toStream(head.at));
    const scene = await this.#asked((connection) => connection.ask({ type: "scene", at }));
    if (scene) return phrases.scene(scene.things, scene.draft);
    const known = this.#on.narrator.between(head.at - MISSED_WITHIN, head.at);
    const newest = (["name", "scene", "text"] as const)
      .map((kind) => known.findLast((cue) => cue.kind === kind))
      .filter((cue) => cue !== undefined);
    const things = newest.map((c) => ({ ...c, age: Math.max(0, head.at - c.end), spoken: true }));
    const draft = newest.some((cue) => cue.draft);
    return phrases.scene(
      things.toSorted((a, b) => a.age - b.age),
      draft,
    );
  }

  /** The service's answer; null where there is no connection, as after a stream's end. */
  async #asked<T>(ask: (connection: Pick<Connection, "ask">) => Promise<T>): Promise<T | null> {
    if (!this.#on.connection) return null;
    try {
      return await ask(this.#on.connection);
    } catch (error) {
      if (error instanceof NotAnswered && error.code === "peer-gone") return null;
      throw error;
    }
  }

  async #flag(kind: "wrong" | "late"): Promise<string> {
    const cue = this.#on.narrator.last;
    if (cue === null) return phrases.nothingToRepeat;
    if (!this.#on.connection) throw new NotAnswered("not-found", "these descriptions are a file");
    const { connection } = this.#on;
    const flag = { event: cue.id, kind, by: this.#by };
    if (connection.flag) await connection.flag(flag);
    else await connection.ask({ type: "flag", ...flag });
    return phrases.flagged(kind);
  }

  async #ask(answer: () => Promise<string>): Promise<void> {
    let text: string;
    try {
      text = await answer();
    } catch (error) {
      if (!(error instanceof NotAnswered)) throw error;
      text = phrases.unanswered(error.message);
    }
    this.#on.answer(text);
    await this.#on.narrator.tell(text, this.#on.language());
  }

  /** Short, and at once: it holds no programme and cuts no description. */
  #confirm(text: string): void {
    this.#on.answer(text);
    if (!this.#on.narrator.speaking || !this.#on.settings().on)
      void this.#on.narrator.tell(text, LANGUAGE, { hold: false });
  }
}

// The narrator: says each cue in its gap, with the voice, the ducking and the player it is given.

import type { Cue } from "./cue.ts";
import type { Ducking } from "./ducking.ts";
import { fitted, isWanted } from "./fitting.ts";
import type { Player, Playhead } from "./player.ts";
import { Schedule } from "./schedule.ts";
import { type Settings, voiceFor } from "./settings.ts";
import { type Cancel, realTimers, type Timers } from "./timers.ts";
import type { Outcome, Voice } from "./voice.ts";

/** Why a cue was not said. */
export type Unsaid = "no-room" | "blocked" | "failed" | "described-audio";

export interface Told {
  /** Something begins to be said, and shown; `cue`: the description, if it is one. */
  said(text: string, language: string, cue: Cue | null): void;
  /** It is over. `ended`, or why it was cut. */
  done(cue: Cue | null, outcome: Outcome): void;
  unsaid(cue: Cue, why: Unsaid): void;
}

/** Seconds of the programme by which a voice may overrun a cue's end: the service keeps 0.4. */
const OVERRUN = 0.12;

/** Seconds of the programme before its time from which a cue is prepared. */
const AHEAD = 10;

/** Milliseconds after which the player is looked at again, though nothing is due. */
const LOOK = 250;

/** How many of what was heard are known: for "what did I miss". */
const MOST_HEARD = 2_000;

interface Saying {
  readonly cue: Cue | null;
  /** Whether the viewer asked for it, so that it needs no gap. */
  readonly asked: boolean;
  readonly jumps: number;
  /** A confirmation: it goes on though the viewer plays, until a description is due. */
  readonly brief: boolean;
  /** Whether the viewer had paused before it began. */
  readonly inPause: boolean;
  /** Whether the programme stood still at some time while it was said. */
  still: boolean;
}

export class Narrator {
  readonly #player: Player;
  readonly #voice: Voice;
  readonly #ducking: Ducking;
  readonly #told: Told;
  readonly #timers: Timers;
  readonly #schedule = new Schedule();
  readonly #heard = new Set<string>();
  readonly #unwatch: () => void;
  #settings: Settings;
  #muted = false;
  #saying: Saying | null = null;
  #interrupted: Saying | null = null;
  #last: Cue | null = null;
  #cancel: Cancel = () => {};
  #closed = false;

  constructor(
    player: Player,
    voice: Voice,
    ducking: Ducking,
    settings: Settings,
    told: Told,
    timers: Timers = realTimers,
  ) {
    this.#player = player;
    this.#voice = voice;
    this.#ducking = ducking;
    this.#settings = settings;
    this.#told = told;
    this.#timers = timers;
    this.#unwatch = player.watch(() => this.update());
  }

  close(): void {
    this.stop();
    this.#closed = true;
    this.#cancel();
    this.#unwatch();
  }

  set settings(settings: Settings) {
    this.#settings = settings;
    if (!settings.on) this.stop();
    this.update();
  }

  /** While the programme's own described audio is on, nothing is said beside it. */
  set muted(muted: boolean) {
    this.#muted = muted;
    if (muted && this.#saying?.cue) this.stop();
    this.update();
  }

  /** The newest description that was begun, also where it was cut. */
  get last(): Cue | null {
    return this.#last;
  }

  get speaking(): boolean {
    return this.#saying !== null;
  }

  hasHeard(id: string): boolean {
    return this.#heard.has(id);
  }

  /** What began in [from, to) of the player's clock, and is known here. */
  between(from: number, to: number): Cue[] {
    return this.#schedule.between(from, to);
  }

  offer(cue: Cue): void {
    this.#schedule.offer(cue);
    this.update();
  }

  /** What is taken back is not said, and stops where it is being said. */
  withdraw(id: string): void {
    this.#schedule.withdraw(id);
    if (this.#interrupted?.cue?.id === id) this.#interrupted = null;
    if (this.#saying?.cue?.id === id) this.stop();
  }

  /** Another programme: nothing that was offered holds. */
  clear(): void {
    this.#schedule.clear();
    this.#interrupted = null;
    if (this.#saying?.cue) this.stop();
  }

  /** Stop what is being said; a programme that was held for it goes on. */
  stop(): void {
    this.#voice.stop();
    this.#interrupted = null;
  }

  /**
   * Say `text` now, outside any gap, since the viewer asked. `hold`: the programme stands still
   * meanwhile, where it can. `cue`: the description it repeats.
   */
  async tell(
    text: string,
    language: string,
    { hold = true, cue = null }: { hold?: boolean; cue?: Cue | null } = {},
  ): Promise<Outcome> {
    this.stop();
    if (hold && this.#player.canHold && this.#player.head().playing) this.#player.hold();
    const rate = voiceFor(this.#settings, language).rate;
    return this.#say(text, language, rate, this.#saidNow(cue, true, !hold));
  }

  /** Look where the viewer is, and begin or stop what must be. */
  update(): void {
    if (this.#closed) return;
    const head = this.#player.head();
    if (this.#saying) this.#follow(this.#saying, head);
    if (!this.#saying || this.#saying.brief) this.#begin(head);
    this.#plan(this.#player.head());
  }

  #saidNow(cue: Cue | null, asked: boolean, brief = false): Saying {
    const { jumps, paused } = this.#player.head();
    return { cue, asked, brief, jumps, inPause: paused, still: paused || this.#player.held };
  }

  /** Whether what is being said may go on. */
  #follow(saying: Saying, head: Playhead): void {
    saying.still ||= this.#player.held || head.paused;
    if (head.jumps !== saying.jumps || (saying.still && head.playing && !saying.brief)) {
      this.stop(); // the viewer went elsewhere, or on
    } else if (head.paused && !saying.inPause) {
      this.#voice.stop();
      this.#interrupted = saying;
    } else if (isOver(saying, head)) {
      if (this.#mayHold) this.#hold(saying);
      else this.#voice.stop();
    }
  }

  get #mayHold(): boolean {
    return this.#settings.extended && this.#player.canHold;
  }

  #hold(saying: Saying): void {
    this.#player.hold();
    saying.still = this.#player.held;
    if (!saying.still) this.#voice.stop();
  }

  #begin(head: Playhead): void {
    if (!head.playing || !this.#settings.on) return;
    const interrupted = this.#interrupted;
    this.#interrupted = null;
    if (interrupted?.cue && interrupted.jumps === head.jumps && !this.#muted) {
      if (this.#start(interrupted.cue, head)) return;
    }
    for (let cue = this.#schedule.due(head); cue; cue = this.#schedule.due(head)) {
      if (!isWanted(cue, this.#settings.screenText)) continue;
      if (this.#muted) this.#told.unsaid(cue, "described-audio");
      else if (this.#start(cue, head)) return;
    }
  }

  /** Whether the cue is being said now. */
  #start(cue: Cue, head: Playhead): boolean {
    const own = voiceFor(this.#settings, cue.language).rate;
    const fit = fitted(cue, this.#settings, {
      room: (cue.end + OVERRUN - head.at) / head.rate,
      rate: own,
      seconds: (text, rate) => this.#voice.seconds(text, cue.language, rate),
      extended: this.#mayHold,
    });
    if (!fit.fits && !this.#mayHold) {
      this.#told.unsaid(cue, "no-room");
      return false;
    }
    this.#last = cue;
    this.#remember(cue.id);
    void this.#say(fit.text, cue.language, fit.rate, this.#saidNow(cue, false));
    return true;
  }

  async #say(text: string, language: string, rate: number, saying: Saying): Promise<Outcome> {
    const before = this.#saying;
    this.#saying = saying;
    if (before) this.#told.done(before.cue, "stopped");
    if (this.#settings.duck < 1 && this.#settings.speech !== "silent")
      this.#ducking.down(this.#settings.duck);
    this.#told.said(text, language, saying.cue);
    const outcome = await this.#voice.say(text, language, rate);
    if (this.#saying === saying) this.#finish(saying, outcome);
    return outcome;
  }

  #finish(saying: Saying, outcome: Outcome): void {
    this.#saying = null;
    this.#ducking.up();
    this.#told.done(saying.cue, outcome);
    if (saying.cue && (outcome === "blocked" || outcome === "failed"))
      this.#told.unsaid(saying.cue, outcome);
    this.#player.release();
    this.update();
  }

  #remember(id: string): void {
    this.#heard.add(id);
    if (this.#heard.size > MOST_HEARD)
      for (const oldest of this.#heard) {
        this.#heard.delete(oldest);
        return;
      }
  }

  /** Wake again when something may be due; what the player does wakes us too. */
  #plan(head: Playhead): void {
    this.#cancel();
    if (!head.playing || !(this.#settings.on || this.#saying)) return;
    const coming = this.#schedule.coming(head);
    if (coming && coming.start - head.at <= AHEAD * head.rate) this.#voice.prepare?.(coming);
    const saying = this.#saying;
    const end = saying?.cue && !saying.asked ? saying.cue.end + OVERRUN : null;
    const moments = [saying && !saying.brief ? end : (coming?.start ?? null)];
    const waits = moments
      .filter((at): at is number => at !== null && at > head.at)
      .map((at) => ((at - head.at) / head.rate) * 1_000);
    this.#cancel = this.#timers.after(Math.max(4, Math.min(LOOK, ...waits)), () => this.update());
  }
}

/** Whether what is said has come to the end of its gap. */
function isOver({ cue, asked }: Saying, head: Playhead): boolean {
  return cue !== null && !asked && head.playing && head.at >= cue.end + OVERRUN;
}

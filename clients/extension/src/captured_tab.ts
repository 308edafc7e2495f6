// A captured tab: recorded, sent to the service, and heard by the viewer, at once or held back.
//
// The tab's own clock runs while it is recorded and never steps back. A stream of the service begins
// at `origin` on it; one that begins anew begins at another.

import { StreamClock } from "../../web/src/clock.ts";
import type { Ducking } from "../../web/src/ducking.ts";
import type { Answering, Ready } from "../../web/src/protocol/answering.ts";
import type { Epoch, Hello, Pause, Play } from "../../web/src/protocol/publishing.ts";
import { type Capture, TO_DESCRIBE, TO_WATCH } from "./capture.ts";
import { DelayedMedia } from "./delayed_media.ts";
import type { PlayerState } from "./messages.ts";
import type { Options } from "./options.ts";
import { type Look, PictureWatch } from "./picture_watch.ts";
import { PlayerMap, toldTime } from "./player_map.ts";
import { FollowedPlayer, type Programme } from "./programme.ts";
import { type Publication, Publisher } from "./publisher.ts";
import { RecordClock } from "./record_clock.ts";
import { type Piece, Recorder } from "./recorder.ts";
import { Silences } from "./silences.ts";

/** Milliseconds between two looks at sound and delay. */
const LOOK = 250;

/** Seconds of black pictures, with sound, that no film has. */
const BLACK = 8;

/** Milliseconds after which a player would have been found. */
const FIND = 5_000;

export interface Captured {
  readonly capture: Capture;
  readonly options: Options;
  /** Where the stream's media goes. */
  readonly address: string;
  notice(code: string): void;
  /** The connection that media goes out on is there again, or lost. */
  link(up: boolean): void;
  told(message: Answering): void;
  /** Media goes to this stream; `anew`: it is not the one from before. */
  connected(ready: Ready, anew: boolean): void;
  failed(code: string, message: string): void;
  /** What is recorded, for a page that shows it; `begins`: a new recording, at that second. */
  recorded(data: ArrayBuffer, begins: number | null): void;
  /** What of it is heard now. */
  heard(at: number, playing: boolean): void;
}

export class CapturedTab implements Programme, Publication {
  readonly player: FollowedPlayer;
  readonly ducking: Ducking;
  readonly epochs = new StreamClock();
  readonly #on: Captured;
  readonly #clock = new RecordClock();
  readonly #map = new PlayerMap(this.#clock);
  /** Where the player was, on the tab's own clock: also for what was recorded on a lost connection. */
  readonly #places = new StreamClock();
  readonly #recorder: Recorder;
  readonly #publisher: Publisher;
  readonly #delayed: DelayedMedia | null;
  readonly #pictures: PictureWatch | null;
  readonly #silences: Silences;
  #timer: ReturnType<typeof setInterval> | undefined;
  #finding: ReturnType<typeof setTimeout> | undefined;
  #state: PlayerState | null = null;
  #origin = 0;
  #since = 0;
  /** Seconds of the stream that the newest greeting told the service. */
  #greeted = 0;
  #begins: number | null = null;
  #sending: Promise<void> = Promise.resolve();
  #black = 0;
  #held = false;
  #few = 0;

  constructor(on: Captured) {
    const { capture, options } = on;
    this.#on = on;
    this.ducking = capture.ducking;
    this.#recorder = new Recorder(
      capture.stream,
      options.delayed ? TO_WATCH : TO_DESCRIBE,
      (piece) => this.#take(piece),
      () => on.failed("recorder", "the recorder failed"),
    );
    this.#publisher = new Publisher(on.address, options.token, this);
    this.#delayed = options.delayed
      ? new DelayedMedia(document.createElement("video"), options.delay, Recorder.type)
      : null;
    const [track] = capture.stream.getVideoTracks();
    this.#pictures = track ? new PictureWatch(track, (look) => this.#see(look)) : null;
    this.#silences = new Silences(() => on.notice("no-audio"));
    this.player = new FollowedPlayer(() => this.#places.toPlayer(this.heard));
  }

  get since(): number {
    return this.#since;
  }

  /** Seconds on the tab's own clock that the viewer hears now. */
  get heard(): number {
    if (this.#delayed) return this.#delayed.at;
    return Math.max(this.#clock.at(Date.now()), this.#map.epoch?.stream ?? 0);
  }

  async start(): Promise<void> {
    if (this.#delayed) {
      this.#on.capture.route(this.#delayed.element);
      await this.#delayed.open();
    }
    this.#record();
    this.#clock.run(Date.now());
    this.player.moves(this.#isHeard(true), 1, true);
    this.#pictures?.start();
    this.#timer = setInterval(() => this.#look(), LOOK);
    this.#finding = setTimeout(() => {
      if (this.#state === null) this.#on.notice("no-player");
    }, FIND);
    this.#publisher.connect();
  }

  take(seen: PlayerState): void {
    this.#hold(false); // from now on the player says whether it stands still
    const state = { ...seen, media: toldTime(seen.media) };
    this.#state = state;
    const { sources } = this.#map;
    const jumps = this.#map.epoch === null ? 1 : this.#map.jumps;
    const black = this.#black >= BLACK;
    for (const message of this.#map.take({ ...state, moving: state.moving && !black })) {
      this.#tell(message);
    }
    if (this.#map.sources !== sources) this.#since = this.epochs.newest.stream;
    const jumped = this.#map.jumps !== jumps;
    if (jumped && this.#map.epoch) this.#delayed?.seek(this.#map.epoch.stream);
    if (this.#map.paused) this.#recorder.pause();
    else this.#recorder.resume();
    this.#holdBack(state);
    this.player.moves(this.#isHeard(state.moving), this.#rate, jumped);
  }

  /** A pause or seek of the viewer's holds at once; what ends is heard to its end. */
  #holdBack({ paused, ended }: PlayerState): void {
    this.#delayed?.follow(!paused && !this.#map.away, ended);
  }

  learn(): void {} // the epochs are its own

  forget(): void {}

  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#finding);
    this.#recorder.stop();
    this.#pictures?.stop();
    this.#delayed?.close();
    this.#publisher.close();
    await this.#on.capture.close();
  }

  /** Begin a recording, for a page that has come to show it. */
  again(): void {
    this.#publisher.renew();
  }

  hello(): Hello {
    const { language, delayed, delay } = this.#on.options;
    return { type: "hello", version: 1, container: "webm", language, delay: delayed ? delay : 0 };
  }

  at(): number {
    this.#greeted = Math.max(0, this.#clock.at(Date.now()) - this.#origin);
    return this.#greeted;
  }

  ready(ready: Ready, goesOn: boolean): void {
    // The first media of the connection lies where the greeting said, though it is recorded now.
    this.#origin = this.#clock.at(Date.now()) - (goesOn ? this.#greeted : 0);
    if (!goesOn) {
      this.#since = 0;
      this.epochs.clear();
    }
    this.#record();
    if (this.#map.epoch === null) this.#placeAlone();
    else this.#placeAgain();
    if (!this.#clock.running) {
      this.#recorder.pause();
      this.#publisher.tell({ type: "pause" });
    }
    this.#on.link(true);
    this.#on.connected(ready, !goesOn);
  }

  lost(code: string, _message: string): void {
    if (code === "overloaded" || code === "rate-limited") this.#on.notice(code);
    else if (code === "unknown-log") this.#on.notice("anew");
    else this.#on.link(false);
  }

  told(message: Answering): void {
    this.#on.told(message);
  }

  failed(code: string, message: string): void {
    this.#on.failed(code, message);
  }

  /** A recording of its own, whose header leads. */
  #record(): void {
    this.#begins = this.#clock.at(Date.now());
    this.#recorder.start();
  }

  #take(piece: Piece): void {
    const begins = piece.first ? this.#begins : null;
    const send = async () => {
      const data = await piece.data.arrayBuffer();
      this.#publisher.media(data);
      this.#delayed?.take(data, begins);
      this.#on.recorded(data, begins);
    };
    // What fails must not stop every later piece unsaid.
    this.#sending = this.#sending
      .then(send)
      .catch((error) => this.#on.failed("recorder", String(error)));
  }

  #tell(message: Epoch | Pause | Play): void {
    if (message.type !== "epoch") {
      this.#publisher.tell(message);
      return;
    }
    const { player, rate = 1 } = message;
    const at = message.stream ?? 0;
    const stream = Math.max(0, at - this.#origin);
    this.#places.add({ stream: at, player, rate });
    this.epochs.add({ stream, player, rate });
    this.#publisher.tell({ ...message, stream });
  }

  /** Without a player, the stream's own clock stands for its. */
  #placeAlone(): void {
    const at = this.#clock.at(Date.now());
    this.#places.add({ stream: at, player: Math.max(0, at - this.#origin), rate: 1 });
    this.epochs.add({ stream: 0, player: 0, rate: 1 });
  }

  /** Where the player is, for a service that may not know. */
  #placeAgain(): void {
    const now = this.#clock.at(Date.now());
    const player = this.#map.player(now);
    const { rate } = this.#map.epoch ?? { rate: 1 };
    if (player !== null) this.#tell({ type: "epoch", stream: now, player, rate });
  }

  /** The player's, where it is heard. */
  get #rate(): number {
    return this.#places.at(this.heard).rate;
  }

  #isHeard(moving: boolean): boolean {
    return this.#delayed ? this.#delayed.playing : moving && this.#clock.running;
  }

  #look(): void {
    const { moving, muted } = this.#state ?? { moving: true, muted: false };
    this.#delayed?.look();
    this.player.moves(this.#isHeard(moving), this.#rate, false);
    this.#on.heard(this.heard, this.#isHeard(moving));
    if (moving) this.#silences.take(this.#on.capture.level(), LOOK / 1_000, muted);
  }

  #see(look: Look): void {
    const state = this.#state;
    if (state && !state.moving) return;
    const was = this.#black >= BLACK;
    this.#black = look.black && (this.#silences.sounding || state?.locked) ? this.#black + 2 : 0;
    const black = this.#black >= BLACK;
    if (black !== was) {
      this.#on.notice(black ? "black" : "picture");
      if (this.#delayed) this.#on.capture.pass(black);
      if (state) this.take({ ...state, ...this.#now(state) });
      else this.#hold(black);
    }
    this.#few = look.rate < 1 && (state?.moving ?? false) ? this.#few + 1 : 0;
    if (this.#few === 3) this.#on.notice("hidden");
  }

  /** Without a player that is seen: whether nothing is recorded for now. */
  #hold(held: boolean): void {
    if (held === this.#held) return;
    this.#held = held;
    if (held) {
      this.#recorder.pause();
      this.#clock.hold(Date.now());
    } else {
      this.#clock.run(Date.now());
      this.#recorder.resume();
    }
    this.#publisher.tell({ type: held ? "pause" : "play" });
    this.player.moves(this.#isHeard(!held), 1, false);
  }

  #now(state: PlayerState): Pick<PlayerState, "media" | "wall"> {
    const wall = Date.now();
    const media = state.media + ((wall - state.wall) / 1_000) * state.rate;
    return { media, wall };
  }
}

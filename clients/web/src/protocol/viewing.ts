// Written by "npm run types" from docs/schema/wire-viewing.json.

export type Viewing =
  | ViewerHello
  | State
  | Ad
  | Withdraw
  | Warning
  | Error
  | End
  | Words
  | Gap
  | Preferred
  | Missed
  | Scene
  | Flagged;
/**
 * How far a stream is.
 */
export type StreamState = "waiting" | "live" | "interrupted" | "draining" | "ended";
/**
 * What sort of thing is described, so that a listener can ask for less or more.
 */
export type Kind = "action" | "scene" | "text" | "name";
/**
 * Which length of a description a viewer wants. Whichever it gets fits the AD's time.
 */
export type FormChoice = "placed" | "short" | "long";
/**
 * What a viewer can be told beside what is said. It is not kept: none comes again.
 */
export type Extra = "transcript" | "gaps";
/**
 * What the viewer found.
 */
export type FlagKind = "wrong" | "late" | "other";

/**
 * The first message to a viewer.
 */
export interface ViewerHello {
  type: "hello";
  version: number;
  stream: string;
  log: string;
  state: StreamState;
  last: number;
  about?: About | null;
  audio: boolean;
}
/**
 * How the stream is described.
 */
export interface About {
  describer: string;
  draft: boolean;
  delay: number;
  language: string;
}
/**
 * The stream has moved on.
 */
export interface State {
  type: "state";
  seq: number;
  state: StreamState;
  about?: About | null;
}
/**
 * One audio description, to be spoken during [start, end) of the stream.
 */
export interface Ad {
  type: "ad";
  seq: number;
  id: string;
  number: number;
  start: number;
  end: number;
  text: string;
  language: string;
  kind: Kind;
  /**
   * @maxItems 3
   */
  forms: string[];
  rate: number;
  provisional: boolean;
  window_end: number;
  lag_cursor: number;
  lag_emit: number;
  late: boolean;
  draft: boolean;
  describer: string;
  epoch: PlayerClock;
}
/**
 * From ``stream`` on, the player shows ``player`` and moves at ``rate``.
 */
export interface PlayerClock {
  stream: number;
  player: number;
  rate: number;
}
/**
 * The provisional AD ``id`` must stop, or not be spoken at all.
 */
export interface Withdraw {
  type: "withdraw";
  seq: number;
  id: string;
  at: number;
  reason: string;
  edge?: number | null;
}
/**
 * Something about the media that a person should know. The stream goes on.
 */
export interface Warning {
  type: "warning";
  seq: number;
  code: string;
  at: number;
  message: string;
  count: number;
}
/**
 * A message was refused, or (``fatal``) the stream has ended; the close code then follows.
 */
export interface Error {
  type: "error";
  seq: number;
  code: string;
  message: string;
  retryable: boolean;
  fatal: boolean;
  answers?: string | null;
  retry_after?: number | null;
}
/**
 * Nothing more will be said on this stream.
 */
export interface End {
  type: "end";
  seq: number;
  summary?: Summary | null;
}
/**
 * What came of the stream. Figures are left out where there was nothing to measure.
 */
export interface Summary {
  type: "summary";
  live_edge: number;
  windows: number;
  events: number;
  withdrawn: number;
  skipped: number;
  no_gap: number;
  waits: {
    [k: string]: number;
  };
  drops: {
    [k: string]: number;
  };
  load?: Spread | null;
  rtf?: number | null;
  lag_cursor?: Spread | null;
  lag_emit?: Spread | null;
}
/**
 * How a figure was spread over a stream, by nearest rank.
 */
export interface Spread {
  p50: number;
  p95: number;
  max: number;
}
/**
 * What the programme itself says. Final: none of it changes, and none comes twice.
 */
export interface Words {
  type: "words";
  /**
   * @minItems 1
   * @maxItems 500
   */
  words: SpokenWord[];
  until: number;
}
/**
 * One word of the programme's own speech, or one caption, said during [start, end).
 */
export interface SpokenWord {
  start: number;
  end: number;
  text: string;
}
/**
 * A gap between speech, by the stream's own rule for what is speech. Told twice.
 *
 * First when it is long enough to speak in, then when it closes.
 */
export interface Gap {
  type: "gap";
  start: number;
  end?: number | null;
}
/**
 * Answers ``prefer``: what holds from the next message on.
 */
export interface Preferred {
  kinds?: Kind[] | null;
  form: FormChoice;
  /**
   * @maxItems 2
   */
  extras: Extra[];
  type: "preferred";
  answers: string;
}
/**
 * Answers ``missed``: AD that stands, by start, in the kinds and form the viewer wishes.
 */
export interface Missed {
  type: "missed";
  answers: string;
  /**
   * @maxItems 100
   */
  ads: Ad[];
  more: boolean;
}
/**
 * Answers ``scene``: the newest of each kind that was made out. Nothing is guessed at.
 */
export interface Scene {
  type: "scene";
  answers: string;
  at: number;
  draft: boolean;
  /**
   * @maxItems 4
   */
  things: OnScreen[];
}
/**
 * One thing that the describer made out.
 */
export interface OnScreen {
  kind: Kind;
  text: string;
  start: number;
  end: number;
  age: number;
  spoken: boolean;
}
/**
 * Answers ``flag``: it is kept, beside the description.
 */
export interface Flagged {
  type: "flagged";
  answers: string;
  event: string;
  kind: FlagKind;
  again: boolean;
}

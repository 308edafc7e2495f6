// Written by "npm run types" from docs/schema/wire-publishing.json.

export type Publishing = Hello | Captions | Epoch | Pause | Play | KeepAlive | Finish;
/**
 * What the binary messages hold, one after the other. Named by the sender and pinned.
 */
export type Container = "webm" | "matroska" | "mp4" | "mpegts" | "flv" | "ogg" | "framed";
/**
 * What tells speech from silence.
 */
export type GapSource = "vad" | "transcript" | "union";
/**
 * Where the stream's words come from.
 */
export type WordSource = "listen" | "captions" | "off";
/**
 * What is not free to speak in, beside speech.
 */
export type Protect = "speech" | "songs" | "sounds";

/**
 * The first message: how the stream is to be described.
 */
export interface Hello {
  type: "hello";
  version?: number;
  id?: string | null;
  container: Container;
  language?: string;
  delay?: number | null;
  stride?: number | null;
  describer?: string | null;
  gaps?: GapSource;
  transcript?: WordSource;
  protect?: Protect;
  resume?: string | null;
  at?: number | null;
}
/**
 * Final captions; no other one will start before ``until``.
 */
export interface Captions {
  type: "captions";
  id?: string | null;
  /**
   * @maxItems 500
   */
  cues?: CaptionCue[];
  until: number;
}
/**
 * Words spoken during [start, end).
 */
export interface CaptionCue {
  start: number;
  end: number;
  text: string;
}
/**
 * A seek, another source or rate: from ``stream`` on the player shows ``player``.
 */
export interface Epoch {
  type: "epoch";
  id?: string | null;
  stream?: number | null;
  player: number;
  rate?: number;
}
/**
 * The player was paused: media time stands still, and nothing is late for it.
 */
export interface Pause {
  type: "pause";
  id?: string | null;
}
/**
 * The player plays on.
 */
export interface Play {
  type: "play";
  id?: string | null;
}
/**
 * The publisher is still there. Advances no media time.
 */
export interface KeepAlive {
  type: "keepalive";
  id?: string | null;
  sent?: number | null;
}
/**
 * No more media will come: say what is still to be said, then send the summary.
 */
export interface Finish {
  type: "finish";
  id?: string | null;
}

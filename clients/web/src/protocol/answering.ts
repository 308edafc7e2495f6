// Written by "npm run types" from docs/schema/wire-answering.json.

export type Answering = Ready | Progress | Warning | Error | Draining | Summary;

/**
 * The hello is accepted: media may flow.
 */
export interface Ready {
  type: "ready";
  version: number;
  stream: string;
  describer: string;
  draft: boolean;
  delay: number;
  stride: number;
  max_message: number;
  silence: number;
  resume?: string | null;
  grace?: number | null;
  live_edge: number;
  captions: number;
}
/**
 * Where the stream stands. All times are media time.
 */
export interface Progress {
  type: "progress";
  live_edge: number;
  cursor: number;
  lag_emit?: number | null;
  load?: number | null;
  behind: number;
  skipped: number;
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
 * No more media is taken; what is still to be said follows, then the summary.
 */
export interface Draining {
  type: "draining";
  reason: "finish" | "shutdown";
  limit: number;
  resume?: string | null;
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

// The captured tab as WebM bytes. A recorder that is started anew leads with its header.

import type { Quality } from "./capture.ts";

/** Milliseconds of media in one piece: a viewer's delay must cover it. */
const PIECE = 250;

/** What Chromium knows since 121, and the types don't. */
interface Options extends MediaRecorderOptions {
  readonly videoKeyFrameIntervalDuration: number;
}

const TYPE = 'video/webm;codecs="vp8,opus"';

export interface Piece {
  readonly data: Blob;
  /** The first of its recording: it begins with the header. */
  readonly first: boolean;
}

/** One recording at a time. Pieces of one that was replaced don't come any more. */
export class Recorder {
  static readonly type = TYPE;
  readonly #stream: MediaStream;
  readonly #quality: Quality;
  readonly #take: (piece: Piece) => void;
  readonly #failed: () => void;
  #recorder: MediaRecorder | null = null;

  constructor(
    stream: MediaStream,
    quality: Quality,
    take: (piece: Piece) => void,
    failed: () => void,
  ) {
    this.#stream = stream;
    this.#quality = quality;
    this.#take = take;
    this.#failed = failed;
  }

  /** Begin a recording at the next picture and sound. Ends one that runs. */
  start(): void {
    this.stop();
    const options: Options = {
      mimeType: TYPE,
      videoBitsPerSecond: this.#quality.bits,
      audioBitsPerSecond: 96_000,
      videoKeyFrameIntervalDuration: this.#quality.whole,
    };
    const recorder = new MediaRecorder(this.#stream, options);
    let first = true;
    recorder.ondataavailable = ({ data }) => {
      if (this.#recorder !== recorder || data.size === 0) return;
      this.#take({ data, first });
      first = false;
    };
    recorder.onerror = () => {
      if (this.#recorder === recorder) this.#failed();
    };
    this.#recorder = recorder;
    recorder.start(PIECE);
  }

  /** What was recorded so far comes before what `stop` or the next recording does. */
  pause(): void {
    if (this.#recorder?.state !== "recording") return;
    this.#recorder.requestData();
    this.#recorder.pause();
  }

  resume(): void {
    if (this.#recorder?.state === "paused") this.#recorder.resume();
  }

  stop(): void {
    const recorder = this.#recorder;
    this.#recorder = null;
    if (recorder && recorder.state !== "inactive") recorder.stop();
  }
}

// Looks at what is captured, a little: how many pictures come, and whether they are black.

/** Chromium's, which TypeScript's own types know in workers only. */
declare class MediaStreamTrackProcessor {
  constructor(init: { track: MediaStreamTrack; maxBufferSize?: number });
  readonly readable: ReadableStream<VideoFrame>;
}

/** Milliseconds between two looks. */
const LOOK = 2_000;

const WIDTH = 32;
const HEIGHT = 18;

/** Of 255: a picture without a lighter spot is black. */
const BLACK = 12;

export interface Look {
  /** Pictures a second since the last look. */
  readonly rate: number;
  readonly black: boolean;
}

export class PictureWatch {
  readonly #track: MediaStreamTrack;
  readonly #told: (look: Look) => void;
  readonly #canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  #timer: ReturnType<typeof setInterval> | undefined;
  #frames = 0;
  #newest: VideoFrame | null = null;

  constructor(track: MediaStreamTrack, told: (look: Look) => void) {
    this.#track = track.clone();
    this.#told = told;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK);
    void this.#count();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#track.stop();
    this.#newest?.close();
    this.#newest = null;
  }

  async #count(): Promise<void> {
    const processor = new MediaStreamTrackProcessor({ track: this.#track, maxBufferSize: 1 });
    const reader = processor.readable.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      this.#frames += 1;
      this.#newest?.close();
      this.#newest = next.value;
    }
  }

  #look(): void {
    const rate = this.#frames / (LOOK / 1_000);
    this.#frames = 0;
    if (this.#newest) this.#told({ rate, black: this.#isBlack(this.#newest) });
    else this.#told({ rate, black: false });
  }

  #isBlack(frame: VideoFrame): boolean {
    const context = this.#canvas.getContext("2d", { willReadFrequently: true });
    if (!context) return false;
    context.drawImage(frame, 0, 0, WIDTH, HEIGHT);
    const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
    for (let at = 0; at < data.length; at += 4) {
      const lightest = Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
      if (lightest > BLACK) return false;
    }
    return true;
  }
}

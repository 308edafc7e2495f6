// What was recorded, played later: the same WebM bytes through Media Source Extensions, so that
// picture and sound stay together and a pause stops both.

/** Bytes that wait to be decoded: some minutes of them. More, and the oldest recording is over. */
const MOST_WAITING = 60_000_000;

/** Seconds behind the playhead that are kept. */
const KEPT = 10;

/** A hole this long is jumped over: between two recordings. */
const HOLE = 0.05;

/** So near before media a clock that was set to its begin may stand: it is rounded. */
const ROUNDED = 0.001;

/** Seconds by which it may be later than the delay: then what lies between is passed over. */
const TOO_LATE = 4;

/** Seconds of media left that are not played while more may come. */
const STARVED = 0.1;

/** So much of the delay may be lost while the player waits: then it waits for all of it again. */
const LOST = 0.5;

interface Part {
  readonly data: ArrayBuffer;
  /** Where its recording begins on the clock; null: as the part before. */
  readonly begins: number | null;
}

export class DelayedMedia {
  readonly element: HTMLMediaElement;
  /** Seconds that it stays behind what was recorded. */
  readonly delay: number;
  readonly #type: string;
  #buffer: SourceBuffer | null = null;
  #parts: Part[] = [];
  #waiting = 0;
  #wanted = true;
  #complete = false;
  #holding = true;
  #begun = false;
  #from = 0;
  /** Whether it still has to go to `from`, where there is no media yet. */
  #waits = false;

  constructor(element: HTMLMediaElement, delay: number, type: string) {
    this.element = element;
    this.delay = delay;
    this.#type = type;
  }

  async open(): Promise<void> {
    const source = new MediaSource();
    this.element.src = URL.createObjectURL(source);
    await new Promise((resolve) => source.addEventListener("sourceopen", resolve, { once: true }));
    URL.revokeObjectURL(this.element.src);
    this.#buffer = source.addSourceBuffer(this.#type);
    this.#buffer.addEventListener("updateend", () => this.#next());
    this.element.addEventListener("timeupdate", () => this.look());
    this.#next();
  }

  /** `begins`: a new recording begins with this, at that second of the clock. */
  take(data: ArrayBuffer, begins: number | null): void {
    this.#parts.push({ data, begins });
    this.#waiting += data.byteLength;
    while (this.#waiting > MOST_WAITING && this.#parts.length > 1) {
      this.#waiting -= this.#parts.shift()?.data.byteLength ?? 0;
    }
    this.#next();
  }

  /** Seconds on the clock that are heard now. */
  get at(): number {
    // A browser rounds what its clock is set to, and does not go where there is no media yet.
    return this.#waits ? this.#from : Math.max(this.#from, this.element.currentTime);
  }

  /** Whether it is heard, not held. */
  get playing(): boolean {
    return this.#wanted && !this.#holding && !this.element.seeking;
  }

  /**
   * `wanted`: the viewer has not paused. `complete`: nothing more comes, and what there is is
   * heard.
   */
  follow(wanted: boolean, complete: boolean): void {
    this.#wanted = wanted;
    this.#complete = complete;
    this.look();
  }

  /** What lies before is over; wait until as much as the delay lies ahead of it. */
  seek(at: number): void {
    this.#begun = true;
    this.#holding = true;
    this.#waits = true;
    this.#from = at;
    this.element.pause();
  }

  close(): void {
    this.element.pause();
    this.element.removeAttribute("src");
    this.element.load();
    this.#buffer = null;
    this.#parts = [];
  }

  /** To be called now and then: holds, lets go, jumps over a hole. */
  look(): void {
    const { element } = this;
    const edge = this.#edge();
    if (edge === null) return;
    if (!this.#begun) this.seek(element.buffered.start(0));
    if (this.#waits && edge > this.#from) {
      this.#waits = false;
      element.currentTime = this.#from;
    }
    const ahead = edge - this.at;
    const [least, enough] = this.#complete ? [STARVED, STARVED] : [this.delay * LOST, this.delay];
    if (this.#holding && ahead >= enough) this.#holding = false;
    if (!this.#holding && ahead < least) this.#holding = true;
    if (!this.#holding && ahead > this.delay + TOO_LATE) element.currentTime = edge - this.delay;
    if (!this.#waits) this.#jump();
    const play = this.#wanted && !this.#holding;
    if (play && element.paused) void element.play().catch(() => undefined); // at the next look
    if (!play && !element.paused) element.pause();
  }

  #edge(): number | null {
    const { buffered } = this.element;
    return buffered.length ? buffered.end(buffered.length - 1) : null;
  }

  #jump(): void {
    const { buffered, currentTime, readyState, seeking } = this.element;
    // A browser plays over a small hole, but a seek that ends a little before media stands still.
    const stands = seeking || readyState < HTMLMediaElement.HAVE_FUTURE_DATA;
    const near = stands ? ROUNDED : HOLE;
    for (let n = 0; n < buffered.length; n += 1) {
      const start = buffered.start(n);
      if (currentTime + near >= start && currentTime < buffered.end(n) - HOLE) return;
      if (start > currentTime) {
        this.element.currentTime = start;
        return;
      }
    }
  }

  #next(): void {
    const buffer = this.#buffer;
    if (!buffer || buffer.updating) return;
    const old = this.element.currentTime - KEPT;
    if (buffer.buffered.length && buffer.buffered.start(0) < old - KEPT) {
      buffer.remove(0, old);
      return;
    }
    const part = this.#parts.shift();
    if (part === undefined) return;
    this.#waiting -= part.data.byteLength;
    if (part.begins !== null) {
      buffer.abort(); // the parser expects a header again
      buffer.timestampOffset = part.begins;
    }
    buffer.appendBuffer(part.data);
    this.look();
  }
}

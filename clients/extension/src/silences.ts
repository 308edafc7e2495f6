// Whether a tab is heard: complete silence of some length is told once.

/** Seconds of nothing at all, which no programme has. */
const SILENT = 12;

export class Silences {
  readonly #told: () => void;
  #seconds = 0;
  #heard = false;

  constructor(told: () => void) {
    this.#told = told;
  }

  /** Whether there was sound within the last seconds. */
  get sounding(): boolean {
    return this.#heard && this.#seconds < 3;
  }

  /** `level`: of the newest samples. `muted`: the player itself is, as its viewer wants. */
  take(level: number, seconds: number, muted: boolean): void {
    if (level > 0) {
      this.#heard = true;
      this.#seconds = 0;
      return;
    }
    const before = this.#seconds;
    this.#seconds += seconds;
    if (!muted && before < SILENT && this.#seconds >= SILENT) this.#told();
  }
}

// How long a voice takes for a text: reckoned at first, then learnt from what it took.

/** Wall seconds before a voice is heard. */
const BEGINNING = 0.15;

/** Characters a second at rate 1: some 150 words a minute, as the service places by. */
const CHARACTERS = 15;

const LEARNS = 0.3;
const LEAST = 0.4;
const MOST = 2.5;

/** Too short to learn from. */
const SHORT = 0.4;

export class Pace {
  readonly #ratios = new Map<string, number>();

  /** Wall seconds that `text` takes in `voice` at `rate`. */
  seconds(text: string, rate: number, voice = ""): number {
    return (this.#ratios.get(voice) ?? 1) * reckoned(text, rate);
  }

  /** `text` took `seconds` in `voice` at `rate`. */
  learn(text: string, rate: number, seconds: number, voice = ""): void {
    if (seconds < SHORT) return;
    const seen = Math.min(MOST, Math.max(LEAST, seconds / reckoned(text, rate)));
    const known = this.#ratios.get(voice);
    this.#ratios.set(voice, known === undefined ? seen : known + LEARNS * (seen - known));
  }
}

function reckoned(text: string, rate: number): number {
  return BEGINNING + text.trim().length / CHARACTERS / rate;
}

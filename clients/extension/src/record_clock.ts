/**
 * The stream's own clock: seconds since its first media, standing still while nothing is recorded.
 * Wall times are milliseconds.
 */
export class RecordClock {
  #base = 0;
  #since: number | null = null;

  /** Go on from stream time `at`. */
  set(at: number, wall: number): void {
    this.#base = at;
    if (this.#since !== null) this.#since = wall;
  }

  run(wall: number): void {
    this.#since ??= wall;
  }

  hold(wall: number): void {
    this.#base = this.at(wall);
    this.#since = null;
  }

  get running(): boolean {
    return this.#since !== null;
  }

  at(wall: number): number {
    return this.#since === null ? this.#base : this.#base + (wall - this.#since) / 1_000;
  }
}

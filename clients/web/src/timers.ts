// Time as this computer counts it: only for how long to wait, never for when something is said.

export type Cancel = () => void;

export interface Timers {
  /** Milliseconds since some moment; only differences mean something. */
  now(): number;
  /** Runs `act` once, in `ms` milliseconds, unless it is cancelled before. */
  after(ms: number, act: () => void): Cancel;
}

export const realTimers: Timers = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

// A description for a viewer who holds nothing back. Pure.

import type { Cue } from "../../web/src/cue.ts";

/** Seconds of the programme after which what was to be said at once is not said any more. */
export const MOST_LATE = 3;

/**
 * The cue where it is to be said now. A provisional one means the gap that was open when the service
 * placed it; by when it is here that moment has passed, and it takes as much time from `at` on. It
 * yields when it is withdrawn. What comes too late, or is placed firmly, keeps its own time.
 */
export function atOnce(cue: Cue, at: number): Cue {
  const late = at - cue.start;
  if (!cue.provisional || late <= 0 || late > MOST_LATE) return cue;
  return { ...cue, start: at, end: at + (cue.end - cue.start) };
}

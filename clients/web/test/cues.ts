// Cues as tests write them down.

import type { Cue } from "../src/cue.ts";

export function cueAt(
  id: string,
  start: number,
  end: number,
  text: string,
  more: Partial<Cue> = {},
): Cue {
  const plain = { language: "en", kind: "scene", provisional: false, draft: false } as const;
  return { id, start, end, text, forms: [text], stream: start, ...plain, ...more };
}

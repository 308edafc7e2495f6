// A cue: one description at the player's time, where the viewer is to hear it.

import { playerTime } from "./clock.ts";
import type { Ad, Kind } from "./protocol/viewing.ts";

export interface Cue {
  readonly id: string;
  /** Seconds on the player's clock, the span that is free of speech: [start, end). */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** All lengths on offer, short to long. */
  readonly forms: readonly string[];
  readonly language: string;
  readonly kind: Kind;
  readonly provisional: boolean;
  readonly draft: boolean;
  /** When it begins on the stream's own timeline. */
  readonly stream: number;
}

export function cueOf(ad: Ad): Cue {
  const { id, text, forms, language, kind, provisional, draft } = ad;
  const start = playerTime(ad.epoch, ad.start);
  const end = playerTime(ad.epoch, ad.end);
  const stream = ad.start;
  return { id, start, end, text, forms, language, kind, provisional, draft, stream };
}

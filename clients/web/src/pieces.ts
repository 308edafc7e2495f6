// A text in pieces that are short enough for one utterance.

/** Wall seconds. Chromium's network voices fall silent for good after some fifteen. */
export const LONGEST_UTTERANCE = 12;

const ENDS = [/(?<=[.!?…。！？]["'”’)\]]*)\s+/u, /(?<=[,;:、，；]|\s[-–—])\s*/u, /\s+/u];

/** `fits` says whether a piece is short enough. Cut after sentences, else clauses, else words. */
export function pieces(text: string, fits: (piece: string) => boolean, level = 0): string[] {
  const whole = text.trim().replace(/\s+/gu, " ");
  if (!whole) return [];
  if (fits(whole)) return [whole];
  const end = ENDS[level];
  if (end === undefined) return halves(whole).flatMap((half) => pieces(half, fits, level));
  const parts = whole.split(end).flatMap((part) => pieces(part, fits, level + 1));
  return joined(parts, fits);
}

/** As few as fit: a voice pauses between two. */
function joined(parts: readonly string[], fits: (piece: string) => boolean): string[] {
  const found: string[] = [];
  for (const part of parts) {
    const longer = found.length ? `${found.at(-1)} ${part}` : part;
    if (found.length && fits(longer)) found[found.length - 1] = longer;
    else found.push(part);
  }
  return found;
}

/** For a word that is too long by itself; one character stays whole. */
function halves(word: string): string[] {
  const letters = [...word];
  if (letters.length < 2) return [];
  const middle = letters.length >> 1;
  return [letters.slice(0, middle).join(""), letters.slice(middle).join("")];
}

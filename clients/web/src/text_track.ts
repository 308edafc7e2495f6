// Descriptions as a WebVTT track of kind `descriptions`, for whatever else reads those.

import type { Cue } from "./cue.ts";

export class DescriptionTrack {
  readonly #track: TextTrack;
  readonly #cues = new Map<string, VTTCue>();

  constructor(video: HTMLMediaElement, label: string, language: string) {
    this.#track = video.addTextTrack("descriptions", label, language);
    this.#track.mode = "hidden";
  }

  /** `offset`: what the video's clock reads at 0 of the clock that cues are on. */
  add(cue: Cue, offset = 0): void {
    if (this.#cues.has(cue.id)) return;
    const end = Math.max(cue.end, cue.start + 0.001);
    const written = new VTTCue(cue.start + offset, end + offset, escaped(cue.text));
    written.id = cue.id;
    this.#cues.set(cue.id, written);
    this.#track.addCue(written);
  }

  remove(id: string): void {
    const written = this.#cues.get(id);
    if (!written) return;
    this.#cues.delete(id);
    this.#track.removeCue(written);
  }

  /** By so many seconds, all that is there. */
  move(by: number): void {
    for (const cue of this.#cues.values()) {
      const end = cue.endTime + by;
      cue.startTime += by;
      cue.endTime = end;
    }
  }

  clear(): void {
    for (const id of [...this.#cues.keys()]) this.remove(id);
  }
}

/** As WebVTT wants text: its marks spelled out, and no blank line. */
export function escaped(text: string): string {
  const marks: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  return text.replace(/[&<>]/g, (mark) => marks[mark] ?? mark).replace(/\s+/g, " ");
}

/** The cues of a track that somebody else wrote, by their text and place. */
export function cuesOf(track: TextTrack, offset = 0): Cue[] {
  return [...(track.cues ?? [])].map((cue, n) => {
    const text = plain(cue as VTTCue);
    return {
      id: cue.id || `${track.label} ${n} ${cue.startTime}`,
      start: cue.startTime - offset,
      end: cue.endTime - offset,
      text,
      forms: [text],
      language: track.language || "en",
      kind: "scene" as const,
      provisional: false,
      draft: false,
      stream: cue.startTime - offset,
    };
  });
}

function plain(cue: VTTCue): string {
  return (cue.getCueAsHTML().textContent ?? "").replace(/\s+/g, " ").trim();
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { cuesOf, DescriptionTrack, escaped } from "../src/text_track.ts";
import { cueAt } from "./cues.ts";

/** What of a browser's cue is used; its text as WebVTT, of which it makes plain text. */
class WrittenCue {
  id = "";
  startTime: number;
  endTime: number;
  text: string;

  constructor(startTime: number, endTime: number, text: string) {
    assert.ok(startTime <= endTime);
    this.startTime = startTime;
    this.endTime = endTime;
    this.text = text;
  }

  getCueAsHTML() {
    const marks: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
    const plain = this.text.replace(/<[^>]*>/g, "");
    return { textContent: plain.replace(/&\w+;/g, (mark) => marks[mark] ?? mark) };
  }
}
Object.assign(globalThis, { VTTCue: WrittenCue });

class Track {
  mode = "disabled";
  readonly label: string;
  readonly language: string;
  readonly cues: WrittenCue[] = [];

  constructor(label: string, language: string) {
    this.label = label;
    this.language = language;
  }

  addCue(cue: WrittenCue): void {
    this.cues.push(cue);
  }

  removeCue(cue: WrittenCue): void {
    const at = this.cues.indexOf(cue);
    if (at < 0) throw new Error("NotFoundError");
    this.cues.splice(at, 1);
  }
}

function stage() {
  const made: { kind: string; track: Track }[] = [];
  const addTextTrack = (kind: string, label: string, language: string) => {
    made.push({ kind, track: new Track(label, language) });
    return made.at(-1)?.track;
  };
  const video = { addTextTrack } as unknown as HTMLMediaElement;
  const descriptions = new DescriptionTrack(video, "Audio description", "de");
  return { descriptions, made, track: made[0]?.track as Track };
}

test("a track of kind descriptions, hidden, that holds each cue once, at the video's time", () => {
  const { descriptions, made, track } = stage();
  assert.deepEqual([made[0]?.kind, track.mode, track.language], ["descriptions", "hidden", "de"]);
  descriptions.add(cueAt("a", 1, 3, "AT&T <3 -->"), 10);
  descriptions.add(cueAt("a", 1, 3, "AT&T <3 -->"), 10);
  descriptions.add(cueAt("b", 5, 5, "No length."));
  const found = track.cues.map((c) => [c.id, c.startTime, c.endTime, c.text]);
  assert.deepEqual(found, [
    ["a", 11, 13, "AT&amp;T &lt;3 --&gt;"],
    ["b", 5, 5.001, "No length."],
  ]);
});

test("what is withdrawn goes, what moves keeps its length, and all of it can go", () => {
  const { descriptions, track } = stage();
  descriptions.add(cueAt("a", 1, 3, "One."));
  descriptions.add(cueAt("b", 5, 6, "Two."));
  descriptions.remove("a");
  descriptions.remove("a");
  descriptions.move(-4);
  assert.deepEqual(
    track.cues.map((c) => [c.startTime, c.endTime]),
    [[1, 2]],
  );
  descriptions.clear();
  assert.equal(track.cues.length, 0);
});

test("a blank line would end a cue, so none is written", () => {
  assert.equal(escaped("One.\n\nTwo. "), "One. Two. ");
  assert.ok(!escaped("a --> b").includes("-->"));
});

test("a track that somebody else wrote is read as plain text, on the stream's clock", () => {
  const track = new Track("Described", "fr");
  track.addCue(new WrittenCue(12, 14, "<v Anna>Une  porte &amp; une <i>clé</i>.</v>"));
  const [cue] = cuesOf(track as unknown as TextTrack, 10);
  assert.deepEqual(
    [cue?.text, cue?.start, cue?.end, cue?.language, cue?.forms],
    ["Une porte & une clé.", 2, 4, "fr", ["Une porte & une clé."]],
  );
  assert.deepEqual(cuesOf({ cues: null } as unknown as TextTrack), []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { LONGEST_UTTERANCE, pieces } from "../src/pieces.ts";
import { VOICE } from "../src/settings.ts";
import { Speech, type Synthesis } from "../src/speech.ts";
import { VirtualTime } from "./virtual_world.ts";

type Spoken = SpeechSynthesisUtterance & { text: string };

/** Speaks 15 characters a second; `mute`: begins, and never says that it is done. */
class Synthesiser implements Synthesis {
  readonly spoken: Spoken[] = [];
  cancelled = 0;
  mute = false;
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  speak(utterance: SpeechSynthesisUtterance): void {
    this.spoken.push(utterance);
    this.#time.after(50, () => utterance.onstart?.({} as SpeechSynthesisEvent));
    if (this.mute) return;
    const ms = 50 + (utterance.text.length / 15 / utterance.rate) * 1_000;
    this.#time.after(ms, () => utterance.onend?.({} as SpeechSynthesisEvent));
  }

  cancel(): void {
    this.cancelled += 1;
  }

  getVoices(): SpeechSynthesisVoice[] {
    return [];
  }
}

function stage(gestured = true) {
  const timers = new VirtualTime();
  const synthesis = new Synthesiser(timers);
  const utterance = (text: string) => ({ text }) as SpeechSynthesisUtterance;
  const speech = new Speech(() => VOICE, {
    synthesis,
    utterance,
    timers,
    gestured: () => gestured,
  });
  return { timers, synthesis, speech };
}

const SENTENCE = "A man in a grey coat walks along the quay and looks at the ships. ";

test("a long text is spoken in utterances of under twelve seconds, whole", async () => {
  const { timers, synthesis, speech } = stage();
  const done = speech.say(SENTENCE.repeat(6), "en", 1);
  await timers.pass(60_000);
  assert.equal(await done, "ended");
  assert.ok(synthesis.spoken.length > 1);
  for (const { text } of synthesis.spoken) assert.ok(text.length / 15 < LONGEST_UTTERANCE);
  assert.equal(synthesis.spoken.map((s) => s.text).join(" "), SENTENCE.repeat(6).trim());
});

test("the watchdog ends a voice that never says that it is done", async () => {
  const { timers, synthesis, speech } = stage();
  synthesis.mute = true;
  const done = speech.say("Two words.", "en", 1);
  await timers.pass(20_000);
  assert.equal(await done, "stalled");
  assert.equal(synthesis.cancelled, 1);
});

test("nothing is spoken before the first gesture", async () => {
  const { synthesis, speech } = stage(false);
  assert.equal(await speech.say("Hello.", "en", 1), "blocked");
  assert.equal(synthesis.spoken.length, 0);
});

test("a word that is too long by itself is cut, and nothing is lost", () => {
  const fits = (piece: string) => piece.length <= 7;
  assert.equal(
    pieces("abcdefghijklmnop, q", fits).join("").replaceAll(" ", ""),
    "abcdefghijklmnop,q",
  );
  assert.ok(pieces("one two three four five", fits).every(fits));
});

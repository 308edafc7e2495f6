import assert from "node:assert/strict";
import { test } from "node:test";
import type { Loudspeaker } from "../src/loudspeaker.ts";
import { ServiceVoice } from "../src/service_voice.ts";
import type { Outcome } from "../src/voice.ts";
import { cueAt } from "./cues.ts";
import { ScriptedPlayer, ScriptedVoice, VirtualTime } from "./virtual_world.ts";

/** Two bytes a sample, 8,000 a second. */
function wav(seconds: number): Blob {
  const bytes = new Uint8Array(44 + seconds * 16_000);
  new DataView(bytes.buffer).setUint32(28, 16_000, true);
  return new Blob([bytes]);
}

class Speaker implements Loudspeaker {
  readonly played: { address: string; rate: number; volume: number }[] = [];
  stopped = 0;
  finish: (outcome: Outcome) => void = () => {};

  play(address: string, rate: number, volume: number): Promise<Outcome> {
    this.played.push({ address, rate, volume });
    return new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  stop(): void {
    this.stopped += 1;
  }
}

function stage(sound: (text: string) => Blob | null = () => wav(2)) {
  const time = new VirtualTime();
  const own = new ScriptedVoice(time, new ScriptedPlayer(time));
  const loudspeaker = new Speaker();
  const asked: [string, number | undefined][] = [];
  const here = new Set<string>();
  const voice = new ServiceVoice(
    async (cue, form) => {
      asked.push([cue.id, form]);
      return sound(form === undefined ? cue.text : (cue.forms[form] as string));
    },
    own,
    () => 0.7,
    {
      loudspeaker,
      timers: time,
      address: () => {
        here.add(`blob:${here.size}`);
        return `blob:${here.size - 1}`;
      },
      letGo: (address) => here.delete(address),
    },
  );
  /** Blobs are read by the real event loop. */
  const loaded = () => new Promise((resolve) => setTimeout(resolve, 20));
  return { time, own, loudspeaker, asked, here, voice, loaded };
}

test("a cue's sounds are asked for once, in all lengths, and are as long as they are", async () => {
  const { voice, asked, loaded } = stage((text) => wav(text === "A cat." ? 1 : 3));
  const cue = cueAt("ad-1", 1, 4, "A big cat runs.", { forms: ["A cat.", "A big cat runs."] });
  voice.prepare(cue);
  voice.prepare(cue);
  await loaded();
  assert.deepEqual(asked, [
    ["ad-1", 1],
    ["ad-1", 0],
  ]);
  assert.ok(Math.abs(voice.seconds("A big cat runs.", "en", 1.5) - 2) < 0.1);
  assert.ok(Math.abs(voice.seconds("A cat.", "en", 1) - 1) < 0.1);
});

test("it is played at the viewer's rate and volume, and stops when it must", async () => {
  const { voice, loudspeaker, own, loaded } = stage();
  voice.prepare(cueAt("ad-1", 1, 4, "A cat."));
  await loaded();
  const first = voice.say("A cat.", "en", 1.5);
  assert.deepEqual(loudspeaker.played, [{ address: "blob:0", rate: 1.5, volume: 0.7 }]);
  loudspeaker.finish("ended");
  assert.equal(await first, "ended");
  const second = voice.say("A cat.", "en", 1);
  voice.stop();
  assert.equal(await second, "stopped");
  assert.equal(loudspeaker.stopped, 1);
  assert.equal(own.spoken.length, 0);
});

test("what has no sound, or one that fails, the browser's voice says", async () => {
  const { voice, own, time, loudspeaker, loaded } = stage((text) =>
    text === "Two." ? null : wav(1),
  );
  voice.prepare(cueAt("ad-1", 1, 4, "One."));
  voice.prepare(cueAt("ad-2", 5, 6, "Two."));
  await loaded();
  for (const text of ["Two.", "Nothing was missed."]) {
    const said = voice.say(text, "en", 1);
    await time.pass(5_000);
    assert.equal(await said, "ended");
  }
  const said = voice.say("One.", "en", 1);
  loudspeaker.finish("failed");
  await time.pass(5_000);
  assert.equal(await said, "ended");
  assert.deepEqual(
    own.spoken.map((s) => s.text),
    ["Two.", "Nothing was missed.", "One."],
  );
});

test("a sound that never ends is ended, and before a gesture nothing is heard", async () => {
  const { voice, time, loudspeaker, loaded } = stage();
  voice.prepare(cueAt("ad-1", 1, 4, "One."));
  await loaded();
  const stalled = voice.say("One.", "en", 1);
  await time.pass(10_000);
  assert.equal(await stalled, "stalled");
  assert.equal(loudspeaker.stopped, 1);
  const blocked = voice.say("One.", "en", 1);
  loudspeaker.finish("blocked");
  assert.equal(await blocked, "blocked");
  assert.equal(time.waiting, 0);
});

test("what is dropped while it is fetched, and asked for again, is kept once", async () => {
  const { voice, here, loaded } = stage(() => wav(0.1));
  for (let n = 0; n < 26; n += 1) voice.prepare(cueAt(`ad-${n}`, n, n + 1, `Number ${n % 13}.`));
  await loaded();
  await loaded();
  assert.equal(here.size, 12);
});

test("an hour of sounds leaves twelve", async () => {
  const { voice, here, loaded } = stage(() => wav(0.1));
  for (let n = 0; n < 40; n += 1) voice.prepare(cueAt(`ad-${n}`, n, n + 1, `Number ${n}.`));
  await loaded();
  await loaded();
  assert.ok(here.size <= 12, `${here.size}`);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { LiveRegion, type Region } from "../src/live_region.ts";
import { Silence, SwitchedVoice } from "../src/switched_voice.ts";
import { VirtualTime } from "./virtual_world.ts";

function stage() {
  const time = new VirtualTime();
  const region: Region = { textContent: "" };
  return { time, region, voice: new LiveRegion(region, time) };
}

test("a text stands in the region while it is read, and is gone some time after", async () => {
  const { time, region, voice } = stage();
  const said = voice.say("A man opens a red door.");
  assert.equal(region.textContent, "A man opens a red door.");
  await time.pass(voice.seconds("A man opens a red door.") * 1_000 + 10);
  assert.equal(await said, "ended");
  assert.equal(region.textContent, "A man opens a red door.");
  await time.pass(20_000);
  assert.equal(region.textContent, "");
  assert.equal(time.waiting, 0);
});

test("the same words again are another text, or nobody would announce them", async () => {
  const { time, region, voice } = stage();
  void voice.say("A door.");
  await time.pass(5_000);
  void voice.say("A door.");
  assert.notEqual(region.textContent, "A door.");
  assert.equal(region.textContent?.trim(), "A door.");
});

test("a newer text stops the one before, and is not wiped away with it", async () => {
  const { time, region, voice } = stage();
  const first = voice.say("A long text that takes its time to be read to its end.");
  const second = voice.say("Another.");
  assert.equal(await first, "stopped");
  await time.pass(1_500);
  assert.equal(await second, "ended");
  await time.pass(9_000);
  assert.equal(region.textContent, "Another.");
  voice.stop();
});

test("the voice that was chosen speaks; where there is none of it, the browser's", async () => {
  const { time, region, voice } = stage();
  const own = new Silence(time);
  let mode: "voice" | "service" | "screen-reader" = "screen-reader";
  const switched = new SwitchedVoice({ voice: own, "screen-reader": voice }, () => mode);
  const first = switched.say("One.", "en", 1);
  assert.equal(region.textContent, "One.");
  mode = "service";
  const second = switched.say("Two.", "en", 1);
  assert.equal(await first, "stopped", "one voice only");
  assert.equal(region.textContent, "One.");
  await time.pass(5_000);
  assert.equal(await second, "ended");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Assistant, type Listening } from "../src/assistant.ts";
import { StreamClock } from "../src/clock.ts";
import { NotAnswered, type Request } from "../src/connection.ts";
import { noDucking } from "../src/ducking.ts";
import { Narrator } from "../src/narrator.ts";
import type { Ad } from "../src/protocol/viewing.ts";
import { DEFAULTS, readSettings, type Settings, voiceFor } from "../src/settings.ts";
import { cueAt } from "./cues.ts";
import { ScriptedPlayer, ScriptedVoice, VirtualTime } from "./virtual_world.ts";

function ad(id: string, start: number, text: string, more: Partial<Ad> = {}): Ad {
  return {
    type: "ad",
    seq: 1,
    id,
    number: 1,
    start,
    end: start + 2,
    text,
    language: "en",
    kind: "scene",
    forms: [text],
    rate: 1,
    provisional: false,
    window_end: start,
    lag_cursor: 0,
    lag_emit: 0,
    late: false,
    draft: false,
    describer: "facts",
    epoch: { stream: 0, player: 0, rate: 1 },
    ...more,
  };
}

/** A service that answers from what it was given, and writes down what it was asked. */
class Service {
  readonly asked: Omit<Request, "id">[] = [];
  ads: Ad[] = [];
  more = false;
  things: { kind: "name" | "scene" | "text"; text: string; age: number }[] = [];
  gone = false;
  refusal: string | null = null;

  async ask(request: Request): Promise<never> {
    this.asked.push(request);
    if (this.gone) throw new NotAnswered("peer-gone", "there is no connection");
    if (this.refusal) throw new NotAnswered("failed", this.refusal);
    const things = this.things.map((thing) => ({ ...thing, start: 0, end: 0, spoken: true }));
    if (request.type === "missed")
      return { type: "missed", answers: "q", ads: this.ads, more: this.more } as never;
    return { type: "scene", answers: "q", at: 0, draft: false, things } as never;
  }
}

function stage(
  given: Partial<Settings> = {},
  more: { service?: Service | null; draft?: boolean } = {},
) {
  const time = new VirtualTime();
  const player = new ScriptedPlayer(time);
  const voice = new ScriptedVoice(time, player);
  let settings: Settings = { ...DEFAULTS, on: true, ...given };
  const told = { said() {}, done() {}, unsaid() {} };
  const narrator = new Narrator(player, voice, noDucking, settings, told, time);
  const answers: string[] = [];
  const service = more.service === undefined ? new Service() : more.service;
  const listening: Listening = {
    narrator,
    player,
    clock: new StreamClock(),
    connection: service,
    settings: () => settings,
    change: (changed) => {
      settings = readSettings(changed);
      narrator.settings = settings;
    },
    language: () => "en",
    draft: () => more.draft ?? false,
    answer: (text) => answers.push(text),
  };
  const assistant = new Assistant(listening);
  const now = () => settings;
  return { time, player, voice, narrator, answers, service: service as Service, assistant, now };
}

test("on and off are said, and that it is a draft", async () => {
  const { assistant, answers, now } = stage({ on: false }, { draft: true });
  await assistant.run("toggle");
  assert.equal(now().on, true);
  assert.match(answers[0] as string, /^Descriptions on\. Draft quality/);
  await assistant.run("toggle");
  assert.equal(now().on, false);
  assert.equal(answers[1], "Descriptions off.");
});

test("the last description is repeated, and the programme holds for it", async () => {
  const { assistant, answers, narrator, time, player, voice } = stage();
  await assistant.run("repeat");
  assert.equal(answers[0], "No description yet.");
  narrator.offer(cueAt("ad-1", 1, 4, "A man opens a red door."));
  player.play();
  await time.pass(6_000);
  await assistant.run("repeat");
  assert.equal(player.held, true);
  await time.pass(4_000);
  assert.equal(player.held, false);
  const texts = voice.spoken.map((s) => s.text);
  assert.deepEqual(texts.slice(-1), ["A man opens a red door."]);
  assert.equal(texts.filter((text) => text === "A man opens a red door.").length, 2);
});

test("louder is the voice's volume, and when that is full the programme's", async () => {
  const { assistant, now, answers } = stage({
    voices: { en: { ...voiceFor(DEFAULTS, "en"), volume: 0.9 } },
  });
  await assistant.run("louder");
  assert.equal(voiceFor(now(), "en").volume, 1);
  await assistant.run("louder");
  assert.equal(now().duck, 0.29);
  assert.match(answers.at(-1) as string, /lowered to 29 percent/);
  for (let n = 0; n < 20; n += 1) await assistant.run("quieter");
  assert.equal(voiceFor(now(), "en").volume, 0.1, "it can still be heard");
});

test("faster, slower, more and less end somewhere, and say where they are", async () => {
  const { assistant, now, answers } = stage();
  for (let n = 0; n < 40; n += 1) await assistant.run("faster");
  assert.equal(voiceFor(now(), "en").rate, 3);
  for (let n = 0; n < 40; n += 1) await assistant.run("slower");
  assert.equal(voiceFor(now(), "en").rate, 0.5);
  for (const [command, detail] of [
    ["more", "full"],
    ["more", "full"],
    ["less", "normal"],
    ["less", "brief"],
    ["less", "brief"],
  ] as const) {
    await assistant.run(command);
    assert.equal(now().detail, detail);
    assert.equal(answers.at(-1), `Detail: ${detail}.`);
  }
});

test("what was missed is what was told and not heard, each told once", async () => {
  const { assistant, answers, narrator, time, player, service } = stage();
  narrator.offer(cueAt("ad-1", 1, 4, "Heard."));
  player.play();
  await time.pass(10_000);
  service.ads = [
    ad("ad-1", 1, "Heard."),
    ad("ad-2", 5, "Not heard"),
    ad("ad-3", 6, "A sign.", { kind: "text" }),
    ad("ad-4", 60, "Still to come."),
  ];
  void assistant.run("missed");
  await time.pass(20_000);
  assert.equal(answers[0], "2 descriptions missed. Not heard. A sign.");
  assert.deepEqual(service.asked[0], { type: "missed", since: 0, until: 10, most: 100 });
  void assistant.run("missed");
  await time.pass(20_000);
  assert.equal(answers[1], "Nothing was missed.");
  player.seek(2);
  await time.pass(5_000);
  void assistant.run("missed");
  await time.pass(20_000);
  assert.match(answers[2] as string, /Not heard/, "after a seek back it is told again");
});

test("who reads no text on screen has missed none, and of many the newest six are told", async () => {
  const { assistant, answers, time, player, service } = stage({ screenText: "off" });
  player.play();
  await time.pass(30_000);
  service.ads = [ad("sign", 2, "A sign.", { kind: "text" })];
  for (let n = 0; n < 9; n += 1)
    service.ads.push(ad(`ad-${n}`, n, `Number ${n}.`, { draft: true }));
  void assistant.run("missed");
  await time.pass(60_000);
  assert.match(
    answers[0] as string,
    /^Draft\. 6 descriptions missed, the newest of more\. Number 3/,
  );
  assert.ok(!answers[0]?.includes("sign"));
});

test("who and what is on screen: as the service knows, and how long ago", async () => {
  const { assistant, answers, time, service } = stage();
  void assistant.run("scene");
  await time.pass(10_000);
  service.things = [
    { kind: "name", text: "Anna", age: 2 },
    { kind: "text", text: "Closed", age: 32 },
    { kind: "scene", text: "A cafe.", age: 100 },
  ];
  void assistant.run("scene");
  await time.pass(20_000);
  assert.equal(answers[0], "Nothing is known of what is on screen now.");
  assert.equal(answers[1], "Anna. 30 seconds ago: Text: Closed. 2 minutes ago: A cafe.");
});

test("after a stream's end answers come from what was told here", async () => {
  const { assistant, answers, narrator, time, player, service } = stage();
  service.gone = true;
  narrator.offer(cueAt("ad-1", 1, 3, "A cafe."));
  player.play();
  await time.pass(5_000);
  void assistant.run("scene");
  await time.pass(10_000);
  assert.equal(answers[0], "A cafe.");
  void assistant.run("missed");
  await time.pass(10_000);
  assert.equal(answers[1], "Nothing was missed.");
});

test("a flag goes to the service, with a word that is this page's; without one it is said", async () => {
  const { assistant, answers, narrator, time, player, service } = stage();
  void assistant.run("wrong");
  await time.pass(5_000);
  assert.equal(answers[0], "No description yet.");
  narrator.offer(cueAt("ad-7", 1, 3, "A dog."));
  player.play();
  await time.pass(2_000);
  for (const command of ["wrong", "late"] as const) {
    void assistant.run(command);
    await time.pass(5_000);
  }
  const flags = service.asked.map((request) => ({ ...request, by: "" }));
  assert.deepEqual(flags, [
    { type: "flag", event: "ad-7", kind: "wrong", by: "" },
    { type: "flag", event: "ad-7", kind: "late", by: "" },
  ]);
  const by = service.asked.map((request) => "by" in request && request.by);
  assert.equal(by[0], by[1]);
  assert.match(by[0] as string, /^[\w-]{8,}$/);
  service.refusal = "no more are kept";
  void assistant.run("wrong");
  await time.pass(5_000);
  assert.equal(answers.at(-1), "The service can't say: no more are kept.");
});

test("descriptions of a file can't be flagged, and that is said", async () => {
  const { assistant, answers, narrator, time, player } = stage({}, { service: null });
  narrator.offer(cueAt("ad-7", 1, 3, "A dog."));
  player.play();
  await time.pass(2_000);
  void assistant.run("late");
  await time.pass(5_000);
  assert.match(answers[0] as string, /these descriptions are a file/);
});

test("a confirmation cuts no description", async () => {
  const { assistant, answers, narrator, time, player, voice } = stage();
  narrator.offer(cueAt("ad-1", 1, 4, "A man opens a red door slowly."));
  player.play();
  await time.pass(1_500);
  await assistant.run("faster");
  await time.pass(4_000);
  assert.equal(answers.length, 1);
  assert.deepEqual(
    voice.spoken.map((s) => s.outcome),
    ["ended"],
  );
  void assistant.run("skip");
  assert.equal(narrator.speaking, false);
});

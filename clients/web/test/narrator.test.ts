import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cue } from "../src/cue.ts";
import { noDucking } from "../src/ducking.ts";
import { Narrator, type Told } from "../src/narrator.ts";
import { DEFAULTS, type Settings } from "../src/settings.ts";
import { random, ScriptedPlayer, ScriptedVoice, VirtualTime } from "./virtual_world.ts";

const NOBODY: Told = { said() {}, done() {}, unsaid() {} };

function cue(id: string, start: number, end: number, text: string, more: Partial<Cue> = {}): Cue {
  const plain = { language: "en", kind: "scene", provisional: false, draft: false } as const;
  return { id, start, end, text, forms: [text], stream: start, ...plain, ...more };
}

function stage(settings: Partial<Settings> = {}, told: Partial<Told> = {}) {
  const time = new VirtualTime();
  const player = new ScriptedPlayer(time);
  const voice = new ScriptedVoice(time, player);
  const chosen = { ...DEFAULTS, on: true, ...settings };
  const narrator = new Narrator(player, voice, noDucking, chosen, { ...NOBODY, ...told }, time);
  return { time, player, voice, narrator };
}

const LINE = "A man opens a red door slowly."; // 30 characters: 2 seconds

/** 200 cues, each in a gap of its own: [start, end); everything else is dialogue. */
function programme(seed: number): Cue[] {
  const draw = random(seed);
  const cues: Cue[] = [];
  let at = 0.5;
  for (let n = 0; n < 200; n += 1) {
    const words = 2 + Math.floor(draw() * 8);
    const text = `Cue ${n}: ${"a word or two ".repeat(words)}`.trim();
    const length = text.length / 15 + draw() * 1.5;
    cues.push(cue(`ad-${n}`, at, at + length, text));
    at += length + 0.8 + draw() * 4;
  }
  return cues;
}

test("200 cues over rates and seeks: each once a pass, within 150 ms, never over dialogue", async () => {
  for (const seed of [1, 2, 3]) {
    const { time, player, voice, narrator } = stage();
    const draw = random(seed + 100);
    const cues = programme(seed);
    voice.error = () => 0.9 + draw() * 0.25;
    for (const each of cues) narrator.offer(each);
    player.play();
    const end = (cues.at(-1) as Cue).end;
    const passes: { from: number; to: number; jumps: number }[] = [];
    let from = 0;
    for (let turn = 0; player.head().at < end; turn += 1) {
      await time.pass(4_000 + draw() * 9_000);
      if (turn % 5 === 2) player.rate = [0.75, 1, 1.25][turn % 3] as number;
      if (turn % 7 === 6) {
        const { at, jumps } = player.head();
        passes.push({ from, to: at, jumps });
        from = Math.max(0, at + (draw() < 0.5 ? -25 * draw() : 20 * draw()));
        player.seek(from);
      }
    }
    passes.push({ from, to: player.head().at, jumps: player.head().jumps });

    for (const { text, began, ended } of voice.spoken) {
      const said = cues.find((each) => each.text === text) as Cue;
      assert.ok(Math.abs(began - said.start) <= 0.15, `${text} at ${began}, not ${said.start}`);
      assert.ok(ended <= said.end + 0.4, `${text} until ${ended}, over dialogue from ${said.end}`);
    }
    let due = 0;
    for (const pass of passes) {
      const wanted = cues.filter((c) => c.start >= pass.from && c.start < pass.to - 0.3);
      due += wanted.length;
      for (const { text } of wanted) {
        const times = voice.spoken.filter((s) => s.jumps === pass.jumps && s.text === text).length;
        assert.ok(times <= 1, `${text} ${times} times in one pass`);
        assert.equal(times, 1, `${text} was not spoken (seed ${seed})`);
      }
    }
    assert.ok(due >= 150, `only ${due} were due`);
  }
});

test("nothing is spoken before play, nor what a seek has passed over", async () => {
  const { time, player, voice, narrator } = stage();
  narrator.offer(cue("a", 0, 3, LINE));
  narrator.offer(cue("b", 10, 13, LINE));
  await time.pass(2_000);
  assert.equal(voice.spoken.length, 0);
  player.seek(11);
  player.play();
  await time.pass(5_000);
  assert.equal(voice.spoken.length, 0);
});

test("a withdrawal stops what is being said, and what was still to come", async () => {
  const { time, player, voice, narrator } = stage();
  narrator.offer(cue("a", 1, 4, LINE, { provisional: true }));
  narrator.offer(cue("b", 5, 8, LINE));
  player.play();
  await time.pass(1_500);
  narrator.withdraw("a");
  narrator.withdraw("b");
  await time.pass(8_000);
  assert.deepEqual(
    voice.spoken.map((s) => s.outcome),
    ["stopped"],
  );
  assert.ok((voice.spoken[0]?.to ?? 0) <= 1_510);
});

test("what does not fit is spoken in a shorter form, faster, or not at all", async () => {
  const unsaid: string[] = [];
  const { time, player, voice, narrator } = stage(
    {},
    { unsaid: (c, why) => unsaid.push(`${c.id} ${why}`) },
  );
  const long = "w".repeat(75); // 5 seconds
  narrator.offer(cue("short", 1, 3.1, long, { forms: [LINE, long] }));
  narrator.offer(cue("never", 6, 7, long));
  player.play();
  await time.pass(12_000);
  assert.deepEqual(
    voice.spoken.map((s) => s.text),
    [LINE],
  );
  assert.deepEqual(unsaid, ["never no-room"]);
});

test("extended: the programme is held for what needs more room, and goes on", async () => {
  const { time, player, voice, narrator } = stage({ extended: true });
  narrator.offer(cue("a", 1, 2, "w".repeat(75)));
  player.play();
  await time.pass(3_000);
  assert.equal(player.held, true);
  assert.ok(player.head().at <= 2.2, "held at the gap's end");
  await time.pass(4_000);
  assert.equal(player.held, false);
  assert.equal(player.head().playing, true);
  assert.deepEqual(
    voice.spoken.map((s) => s.outcome),
    ["ended"],
  );
});

test("extended: the viewer's own pause is kept, and the description said when they play", async () => {
  const { time, player, voice, narrator } = stage({ extended: true });
  narrator.offer(cue("a", 1, 2, "w".repeat(75)));
  player.play();
  await time.pass(3_000);
  player.pause();
  await time.pass(10_000);
  assert.equal(player.head().paused, true);
  player.play();
  await time.pass(8_000);
  assert.equal(player.head().playing, true);
  assert.deepEqual(
    voice.spoken.map((s) => s.outcome),
    ["stopped", "ended"],
  );
});

test("extended: a seek or play meanwhile ends the description, and the programme plays", async () => {
  for (const act of ["seek", "play"] as const) {
    const { time, player, voice, narrator } = stage({ extended: true });
    narrator.offer(cue("a", 1, 2, "w".repeat(75)));
    player.play();
    await time.pass(3_000);
    if (act === "seek") player.seek(30);
    else player.play();
    await time.pass(1_000);
    assert.equal(player.head().playing, true, act);
    assert.deepEqual(
      voice.spoken.map((s) => s.outcome),
      ["stopped"],
      act,
    );
  }
});

test("while a described audio track is on there is one voice only", async () => {
  const { time, player, voice, narrator } = stage();
  narrator.muted = true;
  narrator.offer(cue("a", 1, 4, LINE));
  narrator.offer(cue("b", 6, 9, LINE));
  player.play();
  await time.pass(5_000);
  narrator.muted = false;
  await time.pass(5_000);
  assert.equal(voice.spoken.length, 1);
});

test("an answer holds the programme, and lets it go on", async () => {
  const { time, player, narrator } = stage();
  player.play();
  await time.pass(1_000);
  const told = narrator.tell(LINE, "en");
  assert.equal(player.held, true);
  await time.pass(3_000);
  assert.equal(await told, "ended");
  assert.equal(player.head().playing, true);
});

test("a confirmation is said to its end though the viewer plays; an answer is not", async () => {
  const { time, player, voice, narrator } = stage();
  const outcomes: string[] = [];
  for (const hold of [false, true]) {
    player.pause();
    void narrator.tell(LINE, "en", { hold });
    await time.pass(500);
    player.play();
    await time.pass(3_000);
    outcomes.push(voice.spoken.at(-1)?.outcome ?? "");
  }
  assert.deepEqual(outcomes, ["ended", "stopped"]);
});

test("a description that is due ends a confirmation, and begins in its time", async () => {
  const { time, player, voice, narrator } = stage();
  narrator.offer(cue("a", 1, 4, LINE));
  void narrator.tell("w".repeat(75), "en", { hold: false });
  player.play();
  await time.pass(5_000);
  const said = voice.spoken.map((s) => [s.outcome, Math.round(s.began * 10) / 10]);
  assert.deepEqual(said, [
    ["stopped", 0],
    ["ended", 1],
  ]);
});

test("an hour leaves nothing behind", async () => {
  const { time, player, narrator } = stage();
  player.play();
  for (let n = 0; n < 600; n += 1) {
    narrator.offer(cue(`ad-${n}`, n * 6 + 2, n * 6 + 5, LINE));
    await time.pass(6_000);
  }
  assert.ok(time.waiting <= 2);
});

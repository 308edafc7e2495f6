import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cue } from "../../web/src/cue.ts";
import { atOnce, MOST_LATE } from "../src/live_cue.ts";
import type { PlayerOrder, PlayerState } from "../src/messages.ts";
import { faultOf, Notices, WORDS } from "../src/notices.ts";
import { OfferedPage } from "../src/offered_page.ts";
import { serviceAddress } from "../src/options.ts";
import { DRIFT, LEAP, MOST, PlayerMap, toldTime } from "../src/player_map.ts";
import { Ports } from "../src/ports.ts";
import { RecordClock } from "../src/record_clock.ts";
import { Silences } from "../src/silences.ts";

const CUE: Cue = {
  id: "ad-1",
  start: 10,
  end: 11.5,
  text: "A man opens a red door.",
  forms: [],
  language: "en",
  kind: "action",
  provisional: true,
  draft: false,
  stream: 10,
};

test("at once, a provisional cue is said when it comes, for as long, or not at all", () => {
  assert.deepEqual(atOnce(CUE, 10.7), { ...CUE, start: 10.7, end: 12.2 });
  assert.equal(atOnce(CUE, 9), CUE);
  assert.equal(atOnce(CUE, 10 + MOST_LATE + 0.1), CUE);
  const firm = { ...CUE, provisional: false };
  assert.equal(atOnce(firm, 10.7), firm);
});

test("the recording's clock stands still while nothing is recorded", () => {
  const clock = new RecordClock();
  assert.equal(clock.at(5_000), 0);
  clock.run(1_000);
  clock.run(1_500);
  assert.equal(clock.at(3_000), 2);
  clock.hold(4_000);
  assert.equal(clock.at(9_000), 3);
  clock.run(9_000);
  assert.equal(clock.at(10_000), 4);
});

const AT_START: PlayerState = {
  type: "player",
  why: "time",
  score: 1,
  media: 0,
  wall: 0,
  rate: 1,
  moving: true,
  paused: false,
  ended: false,
  source: 0,
  locked: false,
  muted: false,
  hidden: false,
};

class Watched {
  readonly clock = new RecordClock();
  readonly map = new PlayerMap(this.clock);
  state = AT_START;

  constructor() {
    this.clock.run(0);
  }

  see(change: Partial<PlayerState>) {
    this.state = { ...this.state, ...change };
    return this.map.take(this.state);
  }
}

test("a seek, another rate and another source begin an epoch; playing on begins none", () => {
  const watched = new Watched();
  assert.deepEqual(watched.see({ media: 30 }), [{ type: "epoch", stream: 0, player: 30, rate: 1 }]);
  assert.deepEqual(watched.see({ wall: 2_000, media: 32 + DRIFT / 2 }), []);
  const [sought] = watched.see({ wall: 3_000, media: 90 });
  assert.deepEqual(sought, { type: "epoch", stream: 3, player: 90, rate: 1 });
  const [faster] = watched.see({ wall: 4_000, media: 91, rate: 2 });
  assert.deepEqual(faster, { type: "epoch", stream: 4, player: 91, rate: 2 });
  assert.equal(watched.map.jumps, 2);
  assert.equal(watched.map.sources, 1);
  assert.deepEqual(watched.see({ wall: 5_000, media: 93 }), []);
  assert.equal(watched.map.player(6), 95);
  assert.equal(watched.see({ wall: 6_000, media: 95, source: 1 }).length, 1);
  assert.equal(watched.map.jumps, 3);
  assert.equal(watched.map.sources, 2);
});

test("a pause is told once, and takes no time of the stream", () => {
  const watched = new Watched();
  watched.see({});
  assert.deepEqual(watched.see({ wall: 1_000, media: 1, moving: false }), [{ type: "pause" }]);
  assert.deepEqual(watched.see({ wall: 5_000, moving: false }), []);
  assert.deepEqual(watched.see({ wall: 9_000, media: 1, moving: true }), [{ type: "play" }]);
  assert.equal(watched.clock.at(10_000), 2);
});

test("what drifted is put right, and is no seek; a leap is one, though none was told", () => {
  const watched = new Watched();
  watched.see({ media: 30 });
  const [late] = watched.see({ wall: 5_000, media: 34 });
  assert.deepEqual(late, { type: "epoch", stream: 5, player: 34, rate: 1 });
  assert.equal(watched.map.jumps, 1);
  assert.equal(watched.see({ wall: 6_000, media: 35 + LEAP + 0.1 }).length, 1);
  assert.equal(watched.map.jumps, 2);
  watched.see({ wall: 7_000, media: 40, why: "seek" });
  watched.see({ wall: 8_000, media: 40.5, why: "time" });
  assert.deepEqual([watched.map.jumps, watched.map.epoch?.player], [3, 40.5]);
});

test("sought in a pause, it is away until it moves from there; back where it was, it is not", () => {
  const watched = new Watched();
  const still = { moving: false, paused: true };
  watched.see({});
  watched.see({ ...still, wall: 12_000, media: 12 });
  assert.equal(watched.map.away, false);
  for (const media of [18, 3, 9]) {
    assert.deepEqual(watched.see({ ...still, wall: 14_000, media, why: "seek" }), []);
    assert.equal(watched.map.away, true);
  }
  watched.see({ ...still, paused: false, wall: 15_000, media: 9, why: "moving" });
  assert.equal(watched.map.away, true, "it waits for data where it was sought to");
  assert.deepEqual(
    watched.see({ moving: true, paused: false, wall: 16_000, media: 9, rate: 2, why: "moving" }),
    [{ type: "play" }, { type: "epoch", stream: 12, player: 9, rate: 2 }],
  );
  assert.deepEqual([watched.map.away, watched.map.jumps], [false, 2]);
  watched.see({ ...still, wall: 17_000, media: 11, why: "moving" });
  watched.see({ ...still, wall: 18_000, media: 30, why: "seek" });
  watched.see({ ...still, wall: 19_000, media: 11.1, why: "seek" });
  assert.equal(watched.map.away, false);
  watched.see({ ...still, wall: 19_000, media: 11.1, source: 7, why: "source" });
  assert.equal(watched.map.away, true);
});

test("another rate that was chosen in a pause begins an epoch, and is no seek", () => {
  const watched = new Watched();
  watched.see({});
  watched.see({ wall: 1_000, media: 1, moving: false });
  assert.deepEqual(watched.see({ wall: 2_000, media: 1, moving: false, rate: 2, why: "rate" }), []);
  const [, faster] = watched.see({ wall: 3_000, media: 1, moving: true, why: "moving" });
  assert.deepEqual(faster, { type: "epoch", stream: 1, player: 1, rate: 2 });
  assert.deepEqual([watched.map.jumps, watched.map.away], [1, false]);
});

test("a player's clock that shows the time of day is told as a number the service takes", () => {
  assert.equal(toldTime(41.5), 41.5);
  assert.equal(toldTime(-0.2), 0);
  assert.equal(toldTime(170 * MOST + 12.5), 12.5);
});

test("listening, the service's epochs say where in the stream the viewer is", () => {
  const page = new OfferedPage(() => {});
  page.learn({ stream: 100, player: 40, rate: 1 });
  assert.equal(page.epochs.toStream(45), 105);
  page.forget();
  assert.equal(page.epochs.toStream(45), 45);
});

/** One frame's port, as the browser gives it. */
class FramePort {
  readonly name = "player";
  readonly sender = { tab: { id: 1 } };
  readonly orders: PlayerOrder[] = [];
  tell: (message: PlayerState) => void = () => {};
  readonly onMessage = {
    addListener: (tell: (message: PlayerState) => void) => (this.tell = tell),
  };
  readonly onDisconnect = { addListener() {} };

  postMessage(order: PlayerOrder): void {
    this.orders.push(order);
  }
}

test("a video that another takes the place of is let up", () => {
  const ports = new Ports({ state() {}, command() {}, joined() {} });
  ports.follow(1);
  const [first, second] = [new FramePort(), new FramePort()];
  for (const port of [first, second]) ports.add(port as unknown as chrome.runtime.Port);
  first.tell({ ...AT_START, moving: false });
  ports.order({ type: "duck", gain: 0.5 });
  second.tell({ ...AT_START, score: 2 });
  assert.deepEqual(first.orders, [
    { type: "duck", gain: 0.5 },
    { type: "duck", gain: 1 },
  ]);
  assert.deepEqual(second.orders, []);
});

test("each notice is said once; an outage and its end may come again", () => {
  const said: string[] = [];
  const notices = new Notices(({ code }) => said.push(code));
  for (const code of ["on", "lost", "lost", "back", "behind", "behind", "lost", "back"])
    notices.say(code, WORDS[code] ?? code);
  notices.say("a code without words");
  assert.deepEqual(said, ["on", "lost", "back", "behind", "lost", "back"]);
});

test("why it ended is told in words, and never says twice that it is off", () => {
  assert.equal(faultOf("unauthorized", "bad token"), WORDS.unauthorized);
  assert.equal(faultOf("bad-input", "no such stream"), "The service refuses: no such stream.");
  for (const words of Object.values(WORDS)) assert.doesNotMatch(words, /is off/);
});

test("silence is told once it is long, unless the viewer has muted the player", () => {
  let told = 0;
  const silences = new Silences(() => (told += 1));
  for (let n = 0; n < 100; n += 1) silences.take(0, 0.25, true);
  assert.equal(told, 0);
  silences.take(0.2, 0.25, false);
  assert.ok(silences.sounding);
  for (let n = 0; n < 100; n += 1) silences.take(0, 0.25, false);
  assert.equal(told, 1);
});

test("media goes to https, or to this computer, and to no address with a password", () => {
  assert.equal(serviceAddress("https://ad.example/strad"), "https://ad.example/strad/");
  assert.equal(serviceAddress("http://127.0.0.1:8000"), "http://127.0.0.1:8000/");
  for (const refused of ["http://ad.example/", "https://a:b@ad.example/", "file:///x", "nonsense"])
    assert.equal(serviceAddress(refused), null);
});

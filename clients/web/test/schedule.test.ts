import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Cue } from "../src/cue.ts";
import type { Playhead } from "../src/player.ts";
import { MOST_CUES, MOST_LATE, MOST_LATE_ARRIVAL, Schedule } from "../src/schedule.ts";
import { cueAt } from "./cues.ts";

fc.configureGlobal({ seed: 9 }); // the same in every run

/** Cues in any order of arrival, some before the viewer is there and some after. */
const cues = fc.uniqueArray(
  fc.record({
    start: fc.integer({ min: 0, max: 1_200 }).map((n) => n / 10),
    length: fc.integer({ min: 0, max: 50 }).map((n) => n / 10),
    /** When it is offered, in wall seconds. */
    offered: fc.integer({ min: 0, max: 600 }).map((n) => n / 10),
  }),
  { maxLength: 40, selector: ({ start }) => start },
);

/** What a viewer does, one after another. */
const acts = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ play: fc.integer({ min: 1, max: 80 }).map((n) => n / 10) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ seek: fc.integer({ min: 0, max: 1_200 }).map((n) => n / 10) }),
    },
    { weight: 1, arbitrary: fc.record({ rate: fc.constantFrom(0.5, 0.75, 1, 1.25, 2) }) },
    {
      weight: 1,
      arbitrary: fc.record({ stand: fc.integer({ min: 1, max: 50 }).map((n) => n / 10) }),
    },
  ),
  { maxLength: 30 },
);

interface Due {
  readonly cue: Cue;
  readonly at: number;
  readonly rate: number;
  readonly pass: number;
  readonly offered: number;
  /** Where the viewer was when it was offered. */
  readonly stood: number;
}

/** Looks every 50 ms of the wall, as a narrator does at worst four times as seldom. */
class Viewer {
  readonly schedule = new Schedule();
  readonly due: Due[] = [];
  readonly withdrawn = new Set<string>();
  head: Playhead = { at: 0, rate: 1, playing: true, paused: false, jumps: 0 };
  wall = 0;
  readonly #coming: { cue: Cue; offered: number; stood: number }[];

  constructor(given: readonly { start: number; length: number; offered: number }[]) {
    this.#coming = given.map(({ start, length, offered }) => {
      const cue = cueAt(`ad-${start}`, start, start + length, "Text.");
      return { cue, offered, stood: Number.NaN };
    });
  }

  run(given: readonly Record<string, number>[]): void {
    for (const act of given) {
      if (act.play !== undefined) this.#pass(act.play, true);
      else if (act.stand !== undefined) this.#pass(act.stand, false);
      else if (act.rate !== undefined) this.head = { ...this.head, rate: act.rate };
      else this.head = { ...this.head, at: act.seek as number, jumps: this.head.jumps + 1 };
    }
  }

  #pass(seconds: number, playing: boolean): void {
    this.head = { ...this.head, playing, paused: !playing };
    for (let n = 0; n < seconds * 20; n += 1) {
      this.wall += 0.05;
      if (playing) this.head = { ...this.head, at: this.head.at + 0.05 * this.head.rate };
      this.#look();
    }
  }

  #look(): void {
    for (const each of this.#coming) {
      if (!Number.isNaN(each.stood) || each.offered > this.wall) continue;
      each.stood = this.head.at;
      this.schedule.offer(each.cue);
    }
    for (let cue = this.schedule.due(this.head); cue; cue = this.schedule.due(this.head)) {
      const from = this.#coming.find((each) => each.cue === cue) as {
        offered: number;
        stood: number;
      };
      const { at, rate, jumps: pass } = this.head;
      this.due.push({ cue, at, rate, pass, offered: from.offered, stood: from.stood });
    }
  }
}

test("a cue is due at most once in each pass, never before its time, nor when it is stale", () => {
  fc.assert(
    fc.property(cues, acts, (given, acted) => {
      const viewer = new Viewer(given);
      viewer.run(acted as Record<string, number>[]);
      const seen = new Set<string>();
      for (const { cue, at, rate, pass } of viewer.due) {
        const once = `${cue.id} ${pass}`;
        assert.ok(!seen.has(once), `${once} twice`);
        seen.add(once);
        assert.ok(at >= cue.start - 0.03, `${cue.id} at ${at}, before ${cue.start}`);
        assert.ok(at < Math.max(cue.end, cue.start + 0.5), `${cue.id} when it was over`);
        const late = at - cue.start;
        assert.ok(late <= MOST_LATE_ARRIVAL + MOST_LATE * rate + 0.11, `${cue.id} ${late} late`);
      }
    }),
    { numRuns: 5000 },
  );
});

test("played through from the beginning, every cue that was known in time is due", () => {
  fc.assert(
    fc.property(cues, fc.constantFrom(0.5, 1, 2), (given, rate) => {
      const early = given.map((each) => ({ ...each, offered: 0 }));
      const viewer = new Viewer(early);
      viewer.run([{ rate }, { play: 130 / rate }]);
      const ids = viewer.due.map(({ cue }) => cue.id).sort();
      assert.deepEqual(ids, early.map(({ start }) => `ad-${start}`).sort());
      for (const { cue, at } of viewer.due) assert.ok(at - cue.start <= 0.05 * rate + 1e-6);
    }),
    { numRuns: 50 },
  );
});

test("what is withdrawn is never due, what is known twice is there once, and it stays in order", () => {
  fc.assert(
    fc.property(cues, fc.array(fc.nat(39), { maxLength: 20 }), (given, which) => {
      const schedule = new Schedule();
      const offered = given.map(({ start, length }) =>
        cueAt(`ad-${start}`, start, start + length, "T."),
      );
      for (const cue of [...offered, ...offered]) schedule.offer(cue);
      assert.equal(schedule.size, offered.length);
      const gone = new Set(which.map((n) => offered[n % (offered.length || 1)]?.id));
      for (const id of gone) if (id) schedule.withdraw(id);
      const left = schedule.between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      assert.deepEqual(
        left.map((c) => c.id).sort(),
        offered
          .map((c) => c.id)
          .filter((id) => !gone.has(id))
          .sort(),
      );
      assert.ok(left.every((c, n) => n === 0 || (left[n - 1] as Cue).start <= c.start));
      const head = { at: -1, rate: 1, playing: true, paused: false, jumps: 0 };
      assert.equal(schedule.coming(head)?.id ?? null, left[0]?.id ?? null);
      for (let at = 0; at < 130; at += 0.2)
        for (let due = schedule.due({ ...head, at }); due; due = schedule.due({ ...head, at }))
          assert.ok(!gone.has(due.id));
    }),
    { numRuns: 50 },
  );
});

test("it keeps a bounded number of cues, the latest", () => {
  const schedule = new Schedule();
  for (let n = 0; n < MOST_CUES + 500; n += 1) schedule.offer(cueAt(`ad-${n}`, n, n + 1, "T."));
  assert.equal(schedule.size, MOST_CUES);
  assert.equal(schedule.between(0, 500).length, 0);
});

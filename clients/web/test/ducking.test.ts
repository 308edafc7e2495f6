import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { GainDucking, RAMP, VolumeDucking, type Volumed } from "../src/ducking.ts";
import { VirtualTime } from "./virtual_world.ts";

fc.configureGlobal({ seed: 9 }); // the same in every run

/** An element's volume: it tells of each change, as browsers do, by an event of its own. */
class Element implements Volumed {
  readonly listeners = new Set<() => void>();
  readonly heard: number[] = [];
  #volume: number;

  constructor(volume: number) {
    this.#volume = volume;
  }

  get volume(): number {
    return this.#volume;
  }

  set volume(volume: number) {
    assert.ok(volume >= 0 && volume <= 1, `a browser throws at ${volume}`);
    this.#volume = volume;
    this.heard.push(volume);
    for (const listener of this.listeners) listener();
  }

  addEventListener(_kind: "volumechange", listener: () => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_kind: "volumechange", listener: () => void): void {
    this.listeners.delete(listener);
  }
}

function stage(volume = 0.8) {
  const time = new VirtualTime();
  const element = new Element(volume);
  return { time, element, ducking: new VolumeDucking(element, time) };
}

const near = (a: number, b: number) => Math.abs(a - b) < 0.001;

test("the programme is lowered in 0.3 s, step by step, and comes back as it was", async () => {
  const { time, element, ducking } = stage();
  ducking.down(0.39);
  await time.pass((RAMP * 1_000) / 2);
  assert.ok(element.volume < 0.75 && element.volume > 0.4, `${element.volume} half-way`);
  await time.pass(RAMP * 1_000);
  assert.ok(near(element.volume, 0.8 * 0.39));
  assert.ok(element.heard.every((v, n) => n === 0 || v <= (element.heard[n - 1] as number)));
  ducking.up();
  await time.pass(1_000);
  assert.ok(near(element.volume, 0.8));
  assert.equal(time.waiting, 0);
});

test("a volume that the viewer sets meanwhile is theirs, and kept", async () => {
  const { time, element, ducking } = stage();
  ducking.down(0.5);
  await time.pass(1_000);
  element.volume = 0.2;
  assert.equal(ducking.base, 0.2);
  assert.ok(near(element.volume, 0.1));
  ducking.up();
  await time.pass(1_000);
  assert.ok(near(element.volume, 0.2));
});

test("closed in the middle, it gives the volume back and listens no more", async () => {
  const { time, element, ducking } = stage();
  ducking.down(0);
  await time.pass(100);
  ducking.close();
  assert.ok(near(element.volume, 0.8));
  assert.equal(element.listeners.size, 0);
  await time.pass(1_000);
  assert.ok(near(element.volume, 0.8));
});

test("whatever comes in whatever order, at last it is the viewer's own volume", async () => {
  const act = fc.oneof(
    fc.record({ down: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ set: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ pass: fc.integer({ min: 0, max: 500 }) }),
    fc.constant({ up: true }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 30 }), async (acts) => {
      const { time, element, ducking } = stage();
      let own = 0.8;
      for (const each of acts) {
        if ("down" in each) ducking.down(each.down);
        else if ("pass" in each) await time.pass(each.pass);
        else if ("up" in each) ducking.up();
        else if (!near(each.set, element.volume)) element.volume = own = each.set;
      }
      ducking.up();
      await time.pass(1_000);
      assert.ok(near(element.volume, own), `${element.volume}, not ${own}`);
    }),
  );
});

test("a gain node is lowered from now on, and nothing that was planned is left", () => {
  const told: [string, number, number?][] = [];
  const gain = {
    cancelScheduledValues: (at: number) => told.push(["cancel", at]),
    setTargetAtTime: (value: number, at: number) => told.push(["to", value, at]),
  };
  const ducking = new GainDucking(gain, () => 7);
  ducking.down(0.39);
  ducking.up();
  assert.deepEqual(told, [
    ["cancel", 7],
    ["to", 0.39, 7],
    ["cancel", 7],
    ["to", 1, 7],
  ]);
});

// An hour of virtual playback: a description every six seconds, as a stream tells them.

import type { Cue } from "../src/cue.ts";
import { noDucking } from "../src/ducking.ts";
import { Narrator } from "../src/narrator.ts";
import { DEFAULTS } from "../src/settings.ts";
import { ScriptedPlayer, ScriptedVoice, VirtualTime } from "./virtual_world.ts";

const EVERY = 6;
const COUNT = 3_600 / EVERY;

export interface Hour {
  /** Bytes on the heap after each tenth of the hour. */
  readonly heap: readonly number[];
  readonly spoken: number;
  readonly offered: number;
  /** Processor milliseconds of the whole hour. */
  readonly busy: number;
  readonly timers: number;
}

export async function hour(): Promise<Hour> {
  const time = new VirtualTime();
  const player = new ScriptedPlayer(time);
  const voice = new ScriptedVoice(time, player);
  const settings = { ...DEFAULTS, on: true };
  const told = { said() {}, done() {}, unsaid() {} };
  const narrator = new Narrator(player, voice, noDucking, settings, told, time);
  const heap: number[] = [];
  let spoken = 0;
  player.play();
  const began = process.cpuUsage();
  for (let n = 0; n < COUNT; n += 1) {
    narrator.offer(cueAt(n));
    await time.pass(EVERY * 1_000);
    spoken += voice.spoken.length;
    voice.spoken.length = 0;
    if (n % (COUNT / 10) === COUNT / 10 - 1) {
      globalThis.gc?.();
      heap.push(process.memoryUsage().heapUsed);
    }
  }
  const { user, system } = process.cpuUsage(began);
  return { heap, spoken, offered: COUNT, busy: (user + system) / 1_000, timers: time.waiting };
}

function cueAt(n: number): Cue {
  const start = n * EVERY + 2;
  const text = `Number ${n}: a man opens a red door.`;
  const rest = { language: "en", kind: "scene", provisional: false, draft: false } as const;
  return { id: `ad-${n}`, start, end: start + 3, text, forms: [text], stream: start, ...rest };
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { DelayedMedia } from "../src/delayed_media.ts";

type Span = readonly [number, number];

/** A browser's media element over a live source: what a page sees of one in Chromium. */
class Screen extends EventTarget {
  src = "";
  paused = true;
  seeking = false;
  spans: Span[] = [];
  #at = 0;

  get buffered() {
    const { spans } = this;
    return {
      length: spans.length,
      start: (n: number) => (spans[n] as Span)[0],
      end: (n: number) => (spans[n] as Span)[1],
    };
  }

  get currentTime(): number {
    return this.#at;
  }

  /** It goes no farther than there is media, and rounds down to microseconds. */
  set currentTime(at: number) {
    const end = this.spans.at(-1)?.[1] ?? 0;
    this.#at = Math.floor(Math.min(at, end) * 1e6) / 1e6;
    this.seeking = !this.#here;
  }

  get readyState(): number {
    return this.#here ? 4 : 1;
  }

  get #here(): Span | undefined {
    return this.spans.find(([from, to]) => from <= this.#at && this.#at < to);
  }

  async play(): Promise<void> {
    this.paused = false;
  }

  pause(): void {
    this.paused = true;
  }

  /** Wall seconds pass. */
  pass(seconds: number): void {
    const here = this.#here;
    if (this.paused || !here) return;
    this.#at = Math.min(here[1], this.#at + seconds);
  }

  /** Media has come, up to `end`. */
  comes(end: number): void {
    this.spans = [...this.spans.slice(0, -1), [this.spans.at(-1)?.[0] ?? 0, end]];
    this.seeking &&= !this.#here;
  }
}

Object.assign(globalThis, { HTMLMediaElement: { HAVE_FUTURE_DATA: 3 } });

const DELAY = 8;

/** Played until it is at 4 of 12. */
function playing(): { screen: Screen; media: DelayedMedia } {
  const screen = new Screen();
  const media = new DelayedMedia(screen as unknown as HTMLMediaElement, DELAY, "");
  screen.comes(DELAY);
  media.look();
  for (let at = 1; at <= 4; at += 1) {
    screen.comes(DELAY + at);
    screen.pass(1);
    media.look();
  }
  assert.deepEqual([media.at, media.playing], [4, true]);
  return { screen, media };
}

test("it goes where no media is yet once there is, and is nowhere else meanwhile", () => {
  const { screen, media } = playing();
  const at = 12.6789012345;
  media.follow(false, false);
  media.seek(at);
  media.follow(true, false);
  assert.deepEqual([media.at, media.playing, screen.paused], [at, false, true]);
  screen.comes(12.5); // what was recorded before the pause comes late
  media.look();
  assert.deepEqual([media.at, media.playing], [at, false]);
  for (let edge = 12.6; edge < at + DELAY; edge += 0.25) {
    screen.comes(edge);
    media.look();
    assert.deepEqual([media.at, media.playing], [at, false]);
  }
  screen.comes(at + DELAY);
  media.look();
  assert.deepEqual([media.playing, screen.paused, media.at >= at], [true, false, true]);
  screen.pass(1);
  assert.ok(Math.abs(media.at - at - 1) < 0.001);
});

test("a recording that goes on later, after a hole, is gone on to", () => {
  const { screen, media } = playing();
  media.seek(12.3);
  screen.spans = [...screen.spans, [12.5, 12.9]];
  media.look();
  assert.equal(screen.currentTime, 12.5);
  screen.comes(12.5 + DELAY);
  media.look();
  assert.equal(media.playing, true);
});

test("sought again before it could go there, it goes where it was sought last", () => {
  const { screen, media } = playing();
  for (const at of [12.5, 13.25, 14]) media.seek(at);
  screen.comes(14 + DELAY);
  media.look();
  assert.deepEqual([media.at, screen.currentTime, media.playing], [14, 14, true]);
});

test("a player that waits lets it play on for half the delay, then it waits for all of it", () => {
  const { screen, media } = playing();
  screen.pass(DELAY / 2 - 0.1);
  media.look();
  assert.equal(media.playing, true);
  screen.pass(0.2);
  media.look();
  assert.equal(media.playing, false);
  screen.comes(media.at + DELAY - 0.1);
  media.look();
  assert.equal(media.playing, false);
  screen.comes(media.at + DELAY);
  media.look();
  assert.equal(media.playing, true);
});

test("what ends is heard to its end, also what is sought just before it, or comes late", () => {
  const { screen, media } = playing();
  media.seek(11);
  media.follow(true, true);
  assert.equal(media.playing, true);
  screen.pass(1);
  media.look();
  assert.deepEqual([media.at, media.playing], [12, false]);
  screen.comes(12.5);
  media.look();
  assert.equal(media.playing, true);
});

test("a pause holds, also what it still waits for", () => {
  const { screen, media } = playing();
  media.follow(false, false);
  screen.pass(1);
  assert.deepEqual([media.at, media.playing, screen.paused], [4, false, true]);
  media.seek(13);
  screen.comes(13 + DELAY);
  media.look();
  assert.deepEqual([media.at, media.playing], [13, false]);
  media.follow(true, false);
  assert.equal(media.playing, true);
});

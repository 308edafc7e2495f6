// The frames of the tab that is described, each with a content script: the one with the likeliest
// video is followed.

import type { Command } from "../../web/src/settings.ts";
import type { FromPage, PlayerOrder, PlayerState } from "./messages.ts";

export interface Heard {
  state(state: PlayerState): void;
  command(command: Command): void;
  /** A frame is there, and can be told something. */
  joined(order: (order: PlayerOrder) => void): void;
}

interface Frame {
  readonly port: chrome.runtime.Port;
  last: PlayerState | null;
}

export class Ports {
  readonly #heard: Heard;
  #tab: number | null = null;
  #frames: Frame[] = [];
  #followed: Frame | null = null;

  constructor(heard: Heard) {
    this.#heard = heard;
  }

  /** From now on frames of this tab count; null: of none. */
  follow(tab: number | null): void {
    this.#tab = tab;
    const left = this.#frames.filter(({ port }) => port.sender?.tab?.id !== tab);
    for (const { port } of left) port.disconnect();
    this.#frames = this.#frames.filter((frame) => !left.includes(frame));
    this.#followed = null;
  }

  add(port: chrome.runtime.Port): void {
    if (port.name !== "player" || port.sender?.tab?.id !== this.#tab) {
      port.disconnect();
      return;
    }
    const frame: Frame = { port, last: null };
    this.#frames.push(frame);
    port.onMessage.addListener((message: FromPage) => this.#take(frame, message));
    port.onDisconnect.addListener(() => this.#leave(frame));
    this.#heard.joined((order) => port.postMessage(order));
  }

  /** To the frame that is followed; words to the page itself, whose screen reader is to find them. */
  order(order: PlayerOrder): void {
    const page = this.#frames.find(({ port }) => port.sender?.frameId === 0);
    const frame = order.type === "live" ? page : this.#followed;
    frame?.port.postMessage(order);
  }

  #take(frame: Frame, message: FromPage): void {
    if (message.type === "command") {
      this.#heard.command(message.command);
      return;
    }
    frame.last = message;
    if (message.why === "gone") {
      if (this.#followed !== frame) return;
      this.#followed = null;
      this.#heard.state(message);
      return;
    }
    const rival = this.#followed;
    if (rival === null || rival === frame || isLikelier(frame.last, rival.last)) {
      if (rival !== frame) rival?.port.postMessage({ type: "duck", gain: 1 });
      this.#followed = frame;
      this.#heard.state(message);
    }
  }

  #leave(frame: Frame): void {
    void chrome.runtime.lastError; // a page that is kept for going back
    this.#frames = this.#frames.filter((each) => each !== frame);
    if (this.#followed !== frame) return;
    this.#followed = null;
    if (frame.last)
      this.#heard.state({ ...frame.last, why: "gone", score: 0, moving: false, paused: true });
  }
}

/** While one plays, no other takes its place. */
function isLikelier(state: PlayerState, rival: PlayerState | null): boolean {
  return rival === null || (!rival.moving && state.score > rival.score);
}

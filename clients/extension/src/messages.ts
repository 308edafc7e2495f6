// What the extension's parts tell one another. Every message names whom it is for.

import type { Command, Settings } from "../../web/src/settings.ts";

/** How the player of the page stands at one moment, as a content script saw it. */
export interface PlayerState {
  readonly type: "player";
  /** What happened: a seek, another source and another rate begin an epoch. */
  readonly why: "time" | "moving" | "seek" | "source" | "rate" | "gone";
  /** How likely this is the video to follow: its visible area, doubled where it plays; 0: none. */
  readonly score: number;
  /** Seconds on the player's own clock at `wall`. */
  readonly media: number;
  /** Milliseconds since 1970. */
  readonly wall: number;
  /** Above 0; a player at rate 0 does not move. */
  readonly rate: number;
  /** Whether pictures move: not paused, not seeking, not starved. */
  readonly moving: boolean;
  /** Whether the viewer has paused it, or it is gone: a film that ended, or waits, is not. */
  readonly paused: boolean;
  /** Whether nothing more comes of what it plays. */
  readonly ended: boolean;
  /** What is loaded: no other video has this number, nor this one before or after. */
  readonly source: number;
  /** Whether the video is encrypted (it has media keys). */
  readonly locked: boolean;
  readonly muted: boolean;
  readonly hidden: boolean;
}

/** What the offscreen document asks of the page's player. */
export type PlayerOrder =
  | { readonly type: "play" }
  | { readonly type: "pause" }
  | { readonly type: "seek"; readonly by: number }
  /** Scale the page's own volume: where nothing is captured, that is what ducks. */
  | { readonly type: "duck"; readonly gain: number }
  /** Put words where the page's screen reader finds them. */
  | { readonly type: "live"; readonly text: string; readonly language: string }
  /** Which keys, pressed in the page, are commands. */
  | { readonly type: "keys"; readonly keys: Settings["keys"] };

/** What a content script tells. */
export type FromPage = PlayerState | { readonly type: "command"; readonly command: Command };

export type Mode = "live" | "delayed" | "listen";

/** Said once, in words. */
export interface Notice {
  readonly code: string;
  readonly text: string;
}

export interface Status {
  /** The tab that is described; null: none. */
  readonly tab: number | null;
  readonly mode: Mode;
  /** The stream that the page offers, where only that is listened to. */
  readonly offer: string | null;
  /** One line for a person: what is going on now. */
  readonly line: string;
  readonly connected: boolean;
  /** Whether the describer is of draft quality. */
  readonly draft: boolean;
  readonly last: string;
  readonly notices: readonly Notice[];
}

export interface StartOrder {
  readonly to: "offscreen";
  readonly type: "start";
  readonly tab: number;
  readonly site: string;
  readonly title: string;
  /** What to capture the tab with; null where the page offers a stream to listen to. */
  readonly capture: string | null;
  /** The address of the stream that the page offers. */
  readonly offer: string | null;
  /** What went wrong before anything began, in words. */
  readonly fault: string | null;
}

export type ToOffscreen =
  | StartOrder
  | { readonly to: "offscreen"; readonly type: "stop" }
  | { readonly to: "offscreen"; readonly type: "status" }
  | { readonly to: "offscreen"; readonly type: "lost"; readonly tab: number }
  | { readonly to: "offscreen"; readonly type: "command"; readonly command: Command };

export type ToWorker =
  | { readonly to: "worker"; readonly type: "toggle"; readonly tab: number }
  | { readonly to: "worker"; readonly type: "picture" }
  | { readonly to: "worker"; readonly type: "changed"; readonly status: Status };

export interface ToPanel {
  readonly to: "panel";
  readonly type: "status";
  readonly status: Status;
}

export type Message = ToOffscreen | ToWorker | ToPanel;

/** Whether one of the extension's pages sent this, or its worker: not a script in a page. */
export function isOurs(sender: chrome.runtime.MessageSender): boolean {
  const inPage = sender.tab !== undefined && !sender.url?.startsWith(chrome.runtime.getURL(""));
  return sender.id === chrome.runtime.id && !inPage;
}

// What a viewer is told of how things go: each once, in words.

import type { Answering } from "../../web/src/protocol/answering.ts";
import type { Viewing } from "../../web/src/protocol/viewing.ts";
import type { Notice } from "./messages.ts";

export const WORDS: Readonly<Record<string, string>> = {
  black:
    "The picture is black to this extension, as with protected videos. Nothing is described until " +
    "there is a picture.",
  picture: "There is a picture again.",
  hidden: "The browser shows few pictures of this tab. What is described may be incomplete.",
  "no-audio": "No sound comes from this tab, so all of its time counts as free of speech.",
  "no-video": "There is no picture in what this tab plays.",
  "no-player":
    "The video's player can't be seen from here, perhaps because it belongs to another site. All " +
    "that the tab shows is described; a seek or a pause is not noticed.",
  overloaded: "The service is busy. It is asked again until it has room.",
  "rate-limited": "The service takes no more from you now. It is asked again in a while.",
  lost: "The connection to the service is lost. It is tried again.",
  back: "The connection to the service is there again.",
  anew: "The service has begun anew. What it knew before is gone.",
  behind: "The service can't keep up: descriptions come late, or not at all.",
  skipped: "The service can't keep up: some of the video is not described.",
  "describer-down": "The describer does not answer. Nothing is described until it does.",
  "describer-up": "The describer answers again.",
  page: "The page was left. Press the key again to have this one described.",
  closed: "The tab is not captured any more.",
  recorder: "The browser can't record this tab.",
  unauthorized: "The service does not accept the key. Enter one in the options.",
  forbidden:
    "The service does not let this extension in. Whoever runs it can list it in auth.origins.",
};

/** An outage and its end may come again, each time once. */
const AGAIN: Readonly<Record<string, string>> = {
  back: "lost",
  lost: "back",
  picture: "black",
  black: "picture",
  "describer-up": "describer-down",
  "describer-down": "describer-up",
};

const MOST = 50;

export class Notices {
  readonly #said = new Set<string>();
  readonly #list: Notice[] = [];
  readonly #tell: (notice: Notice) => void;

  constructor(tell: (notice: Notice) => void) {
    this.#tell = tell;
  }

  get list(): readonly Notice[] {
    return this.#list;
  }

  /** Nothing for what was said already, or has no words. */
  say(code: string, text: string | undefined = WORDS[code]): void {
    if (text === undefined || this.#said.has(code)) return;
    this.#said.add(code);
    const other = AGAIN[code];
    if (other !== undefined) this.#said.delete(other);
    const notice = { code, text };
    this.#list.push(notice);
    if (this.#list.length > MOST) this.#list.shift();
    this.#tell(notice);
  }

  /** What the service warns of. A fatal error is said where it is known that it was. */
  heard(message: Answering | Viewing): void {
    if (message.type === "warning") this.say(message.code);
  }
}

/** Why something can't go on, in words. */
export function faultOf(code: string, message: string): string {
  return WORDS[code] ?? `The service refuses: ${message}.`;
}

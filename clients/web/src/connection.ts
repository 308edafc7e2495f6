// A viewer's connection to the service: comes back by itself, and goes on after the last number.

import type { AskMissed, AskScene, Extra, Flag, Prefer } from "./protocol/asking.ts";
import type { Auth } from "./protocol/auth.ts";
import type { Flagged, Missed, Preferred, Scene, Viewing } from "./protocol/viewing.ts";
import { type Cancel, realTimers, type Timers } from "./timers.ts";

/** What opens the stream: a ticket (once) goes beside the address, a token in the first message. */
export type Credentials = { readonly ticket: string } | { readonly token: string } | null;

export interface Watched {
  /** The service's address, such as `https://strad.example/`. */
  readonly service: string | URL;
  readonly stream: string;
  /** Asked before each connection: a ticket opens one only. */
  readonly credentials?: () => Promise<Credentials>;
  readonly extras?: readonly Extra[];
}

export type ConnectionState =
  | { readonly is: "connecting"; readonly attempt: number }
  | { readonly is: "connected" }
  /** Tries again in so many seconds. */
  | {
      readonly is: "lost";
      readonly why: string;
      readonly seconds: number;
      readonly attempt: number;
    }
  /** The stream has ended; all was told. */
  | { readonly is: "over" }
  /** Does not try again by itself. */
  | { readonly is: "refused"; readonly code: string; readonly why: string };

export interface Listener {
  message(message: Viewing): void;
  connection(state: ConnectionState): void;
}

export type Request =
  | Omit<Prefer, "id">
  | Omit<AskMissed, "id">
  | Omit<AskScene, "id">
  | Omit<Flag, "id">;

interface Replies {
  prefer: Preferred;
  missed: Missed;
  scene: Scene;
  flag: Flagged;
}

/** The service refused a request, or did not answer it. */
export class NotAnswered extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "NotAnswered";
    this.code = code;
  }
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** Nothing heard for so long: the service is asked whether it is there. */
const SILENCE = 20_000;
const ANSWER_LIMIT = 8_000;
/** A connection that takes longer is given up. */
const OPENING_LIMIT = 15_000;
const CREDENTIALS = new Set(["unauthorized", "forbidden"]);

interface Waiting {
  readonly resolve: (reply: never) => void;
  readonly reject: (reason: NotAnswered) => void;
  readonly cancel: Cancel;
}

/** What of the browser it stands on. */
export interface Network {
  readonly socket: (url: URL, protocols: string[]) => WebSocket;
  readonly timers: Timers;
  readonly random: () => number;
  /** Told when the network comes or goes, where that is known. */
  readonly changes: EventTarget | null;
}

const REAL: Network = {
  socket: (url, protocols) => new WebSocket(url, protocols),
  timers: realTimers,
  random: Math.random,
  changes: typeof window === "undefined" ? null : window,
};

export class Connection {
  readonly #watched: Watched;
  readonly #listener: Listener;
  readonly #network: Network;
  readonly #waiting = new Map<string, Waiting>();
  readonly #again = () => this.retry();
  #socket: WebSocket | null = null;
  #cancel: Cancel = () => {};
  #listening: Cancel = () => {};
  #attempt = 0;
  #asked = 0;
  #turn = 0;
  #refusal: { code: string; message: string } | null = null;
  #state: "closed" | "open" | "over" | "refused" = "closed";
  #log: string | null = null;
  #last = 0;

  constructor(watched: Watched, listener: Listener, network: Partial<Network> = {}) {
    this.#watched = watched;
    this.#listener = listener;
    this.#network = { ...REAL, ...network };
  }

  /** `seq` of the newest message taken. */
  get last(): number {
    return this.#last;
  }

  open(): void {
    if (this.#state !== "closed") return;
    this.#state = "open";
    for (const kind of ["online", "offline"])
      this.#network.changes?.addEventListener(kind, this.#again);
    void this.#connect();
  }

  close(): void {
    this.#state = "closed";
    for (const kind of ["online", "offline"])
      this.#network.changes?.removeEventListener(kind, this.#again);
    this.#leave("closed");
  }

  /** Connect anew, now: the network came back, or there are other credentials. */
  retry(): void {
    if (this.#state === "closed" || this.#state === "over") return;
    this.#state = "open";
    this.#attempt = 0;
    this.#leave("the connection is opened anew");
    void this.#connect();
  }

  /** Go on with a fresh token of the same caller before the one in use expires. */
  renew(token: string): void {
    this.#send({ type: "auth", id: "renew", token });
  }

  /** Raises NotAnswered. */
  ask<R extends Request>(request: R): Promise<Replies[R["type"]]> {
    this.#asked += 1;
    const id = `q${this.#asked}`;
    return new Promise((resolve, reject) => {
      if (!this.#send({ ...request, id })) {
        reject(new NotAnswered("peer-gone", "there is no connection"));
        return;
      }
      const cancel = this.#network.timers.after(ANSWER_LIMIT, () =>
        this.#fail(id, new NotAnswered("timeout", "the service did not answer")),
      );
      this.#waiting.set(id, { resolve, reject, cancel });
    });
  }

  /** Flags over HTTP: a stream that has ended answers on no socket. Raises NotAnswered. */
  async flag({ event, kind, by }: Omit<Flag, "id" | "type">): Promise<void> {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ kind, by });
    await this.#fetch(`events/${encodeURIComponent(event)}/flags`, "POST", headers, body);
  }

  /** A description as the service says it, in one of its forms, else its text. Raises NotAnswered. */
  async sound(event: string, form?: number): Promise<Blob> {
    const query = new URLSearchParams(this.#log === null ? {} : { log: this.#log });
    if (form !== undefined) query.set("form", String(form));
    const answer = await this.#fetch(`descriptions/${encodeURIComponent(event)}.wav?${query}`);
    return answer.blob();
  }

  async #fetch(
    place: string,
    method = "GET",
    headers: Record<string, string> = {},
    body: string | null = null,
  ): Promise<Response> {
    const { service, stream, credentials } = this.#watched;
    try {
      const shown = (await credentials?.()) ?? null;
      const secret = shown && ("ticket" in shown ? shown.ticket : shown.token);
      const all = secret ? { ...headers, Authorization: `Bearer ${secret}` } : headers;
      const address = new URL(`v1/streams/${encodeURIComponent(stream)}/${place}`, service);
      const signal = AbortSignal.timeout(ANSWER_LIMIT);
      const answer = await fetch(address, { method, headers: all, body, signal });
      if (!answer.ok) throw new NotAnswered("failed", `it answered ${answer.status}`);
      return answer;
    } catch (error) {
      throw error instanceof NotAnswered ? error : new NotAnswered("peer-gone", messageOf(error));
    }
  }

  async #connect(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    this.#refusal = null;
    this.#listener.connection({ is: "connecting", attempt: this.#attempt });
    let credentials: Credentials = null;
    try {
      credentials = (await this.#watched.credentials?.()) ?? null;
    } catch (error) {
      if (turn === this.#turn) this.#lost(`no credentials: ${messageOf(error)}`);
      return;
    }
    if (turn === this.#turn) this.#start(credentials);
  }

  #start(credentials: Credentials): void {
    const protocols = ["strad.v1"];
    if (credentials && "ticket" in credentials) protocols.push(credentials.ticket);
    const socket = this.#network.socket(this.#address(), protocols);
    this.#socket = socket;
    this.#cancel = this.#network.timers.after(OPENING_LIMIT, () => this.#drop("it took too long"));
    socket.onopen = () => {
      if (socket === this.#socket && credentials && "token" in credentials)
        this.#send({ type: "auth", token: credentials.token });
    };
    socket.onmessage = (event: MessageEvent) => {
      if (socket === this.#socket) this.#take(String(event.data));
    };
    socket.onclose = (event: CloseEvent) => {
      if (socket === this.#socket) this.#closed(event.code, event.reason);
    };
  }

  #address(): URL {
    const { service, stream, extras } = this.#watched;
    const url = new URL(`v1/streams/${encodeURIComponent(stream)}/events`, service);
    url.protocol = url.protocol === "http:" || url.protocol === "ws:" ? "ws:" : "wss:";
    if (extras?.length) url.searchParams.set("extras", extras.join(","));
    if (this.#log !== null) {
      url.searchParams.set("after", String(this.#last));
      url.searchParams.set("log", this.#log);
    }
    return url;
  }

  #take(text: string): void {
    const message = read(text);
    if (message === null) return;
    this.#listen();
    if (message.type === "hello") this.#begin(message.log);
    if ("answers" in message && typeof message.answers === "string" && this.#answer(message))
      return;
    if (message.type === "error" && !message.seq) this.#refusal = message;
    if ("seq" in message && message.seq) {
      if (message.seq <= this.#last) return;
      this.#last = message.seq;
    }
    if (message.type === "end" || (message.type === "error" && message.seq && message.fatal))
      this.#state = "over";
    this.#listener.message(message);
  }

  #begin(log: string): void {
    this.#attempt = 0;
    this.#cancel();
    if (this.#log !== log) this.#last = 0;
    this.#log = log;
    this.#listener.connection({ is: "connected" });
  }

  #answer(message: Viewing & { answers?: string | null }): boolean {
    const waiting = this.#waiting.get(message.answers ?? "");
    if (!waiting) return false;
    this.#waiting.delete(message.answers ?? "");
    waiting.cancel();
    if (message.type === "error") waiting.reject(new NotAnswered(message.code, message.message));
    else waiting.resolve(message as never);
    return true;
  }

  #fail(id: string, why: NotAnswered): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.cancel();
    waiting?.reject(why);
  }

  /** A network that is gone may say nothing for minutes: ask, and hang up where nothing answers. */
  #listen(): void {
    this.#listening();
    this.#listening = this.#network.timers.after(SILENCE, () => {
      this.ask({ type: "scene" }).then(
        () => {},
        (error: NotAnswered) => {
          if (error.code === "timeout") this.#drop("the service does not answer");
        },
      );
    });
  }

  #send(message: Auth | (Request & { id: string })): boolean {
    if (this.#socket?.readyState !== 1) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #closed(code: number, reason: string): void {
    const refusal = this.#refusal;
    this.#leave("the connection is lost");
    if (this.#state === "over" || (code === 1000 && !refusal)) {
      this.#state = "over";
      this.#listener.connection({ is: "over" });
    } else if (refusal && CREDENTIALS.has(refusal.code)) {
      this.#refused(refusal.code, refusal.message);
    } else if (code === 1008 && refusal?.code !== "expired") {
      this.#refused(refusal?.code ?? "bad-input", refusal?.message ?? (reason || "refused"));
    } else {
      this.#lost(refusal?.message ?? why(code));
    }
  }

  #refused(code: string, why: string): void {
    this.#state = "refused";
    this.#listener.connection({ is: "refused", code, why });
  }

  #lost(why: string): void {
    const { random, timers } = this.#network;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#attempt) * (0.75 + random() / 2);
    this.#attempt += 1;
    this.#cancel();
    this.#cancel = timers.after(wait, () => void this.#connect());
    this.#listener.connection({ is: "lost", why, seconds: wait / 1000, attempt: this.#attempt });
  }

  #drop(why: string): void {
    this.#leave(why);
    this.#lost(why);
  }

  /** Lets go of the socket: nothing it still says is heard. */
  #leave(why: string): void {
    this.#turn += 1;
    this.#cancel();
    this.#listening();
    const socket = this.#socket;
    this.#socket = null;
    if (socket && socket.readyState < 2) socket.close(1000);
    for (const id of [...this.#waiting.keys()]) this.#fail(id, new NotAnswered("peer-gone", why));
  }
}

/** A message of a type this client knows, or none. */
function read(text: string): Viewing | null {
  try {
    const message: unknown = JSON.parse(text);
    const known = typeof message === "object" && message !== null && "type" in message;
    return known && TYPES.has(String(message.type)) ? (message as Viewing) : null;
  } catch {
    return null;
  }
}

const TYPES: ReadonlySet<string> = new Set<Viewing["type"]>([
  "hello",
  "state",
  "ad",
  "withdraw",
  "warning",
  "error",
  "end",
  "words",
  "gap",
  "preferred",
  "missed",
  "scene",
  "flagged",
]);

function why(code: number): string {
  if (code === 1001) return "the service is going away";
  if (code === 1013) return "the service has no room";
  return "the connection is lost";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

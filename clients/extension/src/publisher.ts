// The connection that a tab's media goes out on: hello, media, epochs, and all of it again.

import type { Answering, Ready } from "../../web/src/protocol/answering.ts";
import type { Hello, Publishing } from "../../web/src/protocol/publishing.ts";

/** Bytes that may wait in the socket: some seconds of media. More, and the connection is too slow. */
const MOST_WAITING = 4_000_000;

/** Milliseconds until the service must have answered. */
const PATIENCE = 10_000;

const KEEPALIVE = 10_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;

/** Milliseconds for what is still to be said once the viewer has stopped. */
const GOODBYE = 2_000;

export interface Publication {
  /** The hello, without where it goes on. */
  hello(): Hello;
  /** Seconds of the stream's clock. */
  at(): number;
  /** Media may flow, header first. `goesOn`: the stream is the one from before. */
  ready(ready: Ready, goesOn: boolean): void;
  /** The connection is gone, and `publisher` tries again. `code`: why, where it was told. */
  lost(code: string, message: string): void;
  told(message: Answering): void;
  /** It can't be tried again: in words. */
  failed(code: string, message: string): void;
}

/** Comes back by itself, with what it takes to resume, until it is closed or refused for good. */
export class Publisher {
  #socket: WebSocket | null = null;
  #ready: Ready | null = null;
  #open = false;
  #wait = FIRST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #keepalive: ReturnType<typeof setInterval> | undefined;
  #closed = false;
  #why = { code: "", message: "", retryable: true };

  readonly #address: string;
  readonly #token: string;
  readonly #publication: Publication;

  /** `address`: of the stream's media. `token`: an API key or a token; empty: none is needed. */
  constructor(address: string, token: string, publication: Publication) {
    this.#address = address;
    this.#token = token;
    this.#publication = publication;
  }

  connect(): void {
    if (this.#closed) return;
    const socket = new WebSocket(this.#address);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#why = { code: "", message: "", retryable: true };
    this.#timer = setTimeout(() => this.#drop(socket), PATIENCE);
    socket.onopen = () => this.#greet();
    socket.onmessage = ({ data }) => this.#hear(socket, String(data));
    socket.onclose = () => this.#gone(socket);
  }

  /** Connect anew and go on, so that a recording begins. Nothing is lost by it. */
  renew(): void {
    const socket = this.#socket;
    if (!this.#open || !socket) return;
    this.#leave();
    socket.close();
    this.connect();
  }

  get ready(): Ready | null {
    return this.#open ? this.#ready : null;
  }

  tell(message: Publishing): void {
    if (this.#open) this.#send(message);
  }

  /** Whether the bytes were taken: not while there is no connection, or one too slow. */
  media(data: ArrayBuffer): boolean {
    const socket = this.#socket;
    if (!this.#open || socket?.readyState !== WebSocket.OPEN) return false;
    if (socket.bufferedAmount > MOST_WAITING) {
      this.#drop(socket);
      return false;
    }
    const most = this.#ready?.max_message ?? data.byteLength;
    for (let at = 0; at < data.byteLength; at += most) socket.send(data.slice(at, at + most));
    return true;
  }

  /** Finish, and go once the service has said the rest. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#keepalive);
    const socket = this.#socket;
    if (!socket) return;
    this.tell({ type: "finish" });
    setTimeout(() => socket.close(1000), this.#open ? GOODBYE : 0);
    this.#open = false;
  }

  #greet(): void {
    if (this.#token) this.#send({ type: "auth", token: this.#token });
    const hello = this.#publication.hello();
    const resume = this.#ready?.resume;
    this.#send(resume ? { ...hello, resume, at: this.#publication.at() } : hello);
  }

  #hear(socket: WebSocket, data: string): void {
    if (socket !== this.#socket) return;
    const message = JSON.parse(data) as Answering;
    if (message.type === "ready") this.#begin(message);
    if (message.type === "error" && message.fatal) this.#why = message;
    if (message.type === "draining" && message.resume && this.#ready) {
      this.#ready = { ...this.#ready, resume: message.resume };
    }
    if (!this.#closed) this.#publication.told(message);
  }

  #begin(ready: Ready): void {
    clearTimeout(this.#timer);
    const goesOn = this.#ready !== null;
    this.#ready = ready;
    this.#open = true;
    this.#wait = FIRST_WAIT;
    this.#keepalive = setInterval(() => this.tell({ type: "keepalive" }), KEEPALIVE);
    if (!this.#closed) this.#publication.ready(ready, goesOn);
  }

  #gone(socket: WebSocket): void {
    if (socket !== this.#socket || this.#closed) return;
    this.#leave();
    const { code, message, retryable } = this.#why;
    if (code === "unknown-log" || (code === "unauthorized" && this.#ready)) {
      this.#ready = null; // of that stream nothing is kept: it begins anew
    } else if (code && !retryable && code !== "peer-gone" && code !== "not-owned") {
      this.#publication.failed(code, message);
      return;
    }
    this.#publication.lost(code, message);
    this.#timer = setTimeout(() => this.connect(), this.#wait);
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
  }

  #leave(): void {
    this.#socket = null;
    this.#open = false;
    clearTimeout(this.#timer);
    clearInterval(this.#keepalive);
  }

  /** A connection that can't be closed in order any more. */
  #drop(socket: WebSocket): void {
    this.#gone(socket);
    socket.close();
  }

  #send(message: Publishing | { type: "auth"; token: string }): void {
    this.#socket?.send(JSON.stringify(message));
  }
}

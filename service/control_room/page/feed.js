// One stream's viewer connection: comes back by itself, from the last number it has.

import { address } from "./service.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

export class Feed {
  // ``record``: knows the log and the last seq. ``tell``: told of messages and of the connection.
  constructor(stream, service, record, tell) {
    this.stream = stream;
    this.service = service;
    this.record = record;
    this.tell = tell;
    this.attempt = 0;
    this.closed = false;
    this.over = false;
    this.again = () => this.retryNow();
    addEventListener("online", this.again);
    addEventListener("offline", this.again);
  }

  open() {
    clearTimeout(this.timer);
    if (this.closed) return;
    this.over = false;
    this.refusal = null;
    const url = address(`v1/streams/${encodeURIComponent(this.stream)}/events`);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.searchParams.set("extras", "gaps");
    if (this.record.log) {
      url.searchParams.set("after", this.record.last);
      url.searchParams.set("log", this.record.log);
    }
    this.tell.connecting(this.attempt);
    const socket = new WebSocket(url, ["strad.v1"]);
    this.socket = socket;
    socket.onopen = () => {
      if (this.service.key)
        socket.send(JSON.stringify({ type: "auth", token: this.service.key }));
    };
    socket.onmessage = (event) => {
      if (socket === this.socket) this.take(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.lost(event);
    };
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.again);
    removeEventListener("offline", this.again);
    const socket = this.socket;
    this.socket = null;
    if (socket) socket.close(1000);
  }

  // The network came or went, or the service answers nothing: what is open may be dead.
  retryNow() {
    if (this.closed || this.over) return;
    const socket = this.socket;
    this.socket = null;
    if (socket) socket.close();
    this.open();
  }

  take(message) {
    if (message.type === "hello") {
      this.attempt = 0;
      this.tell.connected();
    }
    if (message.type === "error" && !message.seq) this.refusal = message;
    if (message.type === "end") this.over = true;
    this.tell.message(message);
  }

  lost(event) {
    this.socket = null;
    if (this.closed) return;
    if (this.over) {
      this.tell.over();
      return;
    }
    const refusal = this.refusal;
    if (refusal && ["unauthorized", "forbidden", "expired"].includes(refusal.code)) {
      this.tell.refused(refusal.message);
      return;
    }
    if (event.code === 1008) {
      this.tell.stopped(refusal ? refusal.message : event.reason || "the service refused it");
      return;
    }
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.attempt) * (0.75 + Math.random() / 2);
    this.attempt += 1;
    this.tell.lost(why(event, refusal), wait / 1000, this.attempt);
    this.timer = setTimeout(() => this.open(), wait);
  }
}

function why(event, refusal) {
  if (event.code === 1001) return "The service is going away.";
  if (event.code === 1013) return refusal ? `No room: ${refusal.message}.` : "There is no room.";
  if (refusal) return `The service says: ${refusal.message}.`;
  return "The connection is lost.";
}

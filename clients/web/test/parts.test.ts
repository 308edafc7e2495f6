import assert from "node:assert/strict";
import { test } from "node:test";
import { StreamClock } from "../src/clock.ts";
import { Connection, type ConnectionState } from "../src/connection.ts";
import { clash, commandOf, type Press } from "../src/keys.ts";
import type { Viewing } from "../src/protocol/viewing.ts";
import { DEFAULTS, exported, imported, KEYS, readSettings } from "../src/settings.ts";
import { VirtualTime } from "./virtual_world.ts";

test("stream and player times are each other's, over seeks and rates", () => {
  const clock = new StreamClock();
  clock.add({ stream: 0, player: 0, rate: 1 });
  clock.add({ stream: 10, player: 100, rate: 2 });
  assert.equal(clock.toPlayer(4), 4);
  assert.equal(clock.toPlayer(12), 104);
  assert.equal(clock.toStream(104), 12);
  assert.equal(clock.toStream(4), 4);
});

test("no key of ours is somebody else's, and none is there twice", () => {
  const chords = Object.values(KEYS);
  assert.deepEqual(
    chords.map(clash).filter((why) => why !== null),
    [],
  );
  assert.equal(new Set(chords).size, chords.length);
  for (const taken of ["Ctrl+D", "D", "Alt+D", "Ctrl+Alt+D", "Alt+Shift+H"])
    assert.ok(clash(taken));
});

test("a key is the letter that is printed on it, and on a Mac its place", () => {
  const held = { ctrlKey: false, altKey: true, shiftKey: true, metaKey: false };
  const press = (key: string, code: string): Press => ({ key, code, ...held });
  assert.equal(commandOf(DEFAULTS, press("D", "KeyD")), "toggle");
  assert.equal(commandOf(DEFAULTS, press("Î", "KeyD")), "toggle");
  assert.equal(commandOf(DEFAULTS, press(">", "Period")), "faster");
  assert.equal(commandOf(DEFAULTS, { ...press("d", "KeyD"), ctrlKey: true }), null);
});

test("settings go out and come back, and nonsense is as by default", () => {
  const chosen = readSettings({ on: true, detail: "full", voices: { en: { rate: 2 } } });
  assert.deepEqual(imported(exported(chosen)), chosen);
  assert.deepEqual(readSettings({ duck: "loud", detail: 7, keys: null }), DEFAULTS);
  assert.equal(imported("{}"), null);
});

class Socket {
  static readonly made: Socket[] = [];
  readyState = 1;
  readonly sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  readonly url: URL;
  readonly protocols: string[];

  constructor(url: URL, protocols: string[]) {
    this.url = url;
    this.protocols = protocols;
    Socket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
  }

  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

test("a lost connection comes back with a fresh ticket, after the last number, none twice", async () => {
  const timers = new VirtualTime();
  const seen: Viewing[] = [];
  const states: ConnectionState["is"][] = [];
  let tickets = 0;
  const connection = new Connection(
    {
      service: "https://strad.example/",
      stream: "news",
      credentials: async () => {
        tickets += 1;
        return { ticket: `strad-ticket.${tickets}` };
      },
    },
    { message: (m) => seen.push(m), connection: (s) => states.push(s.is) },
    {
      timers,
      random: () => 0.5,
      changes: null,
      socket: (url, protocols) => new Socket(url, protocols) as unknown as WebSocket,
    },
  );
  connection.open();
  await timers.pass(10);
  const first = Socket.made[0] as Socket;
  assert.deepEqual(first.protocols, ["strad.v1", "strad-ticket.1"]);
  assert.equal(first.url.href, "wss://strad.example/v1/streams/news/events");
  first.tell({ type: "hello", log: "a", state: "live", last: 0, version: 1, stream: "news" });
  first.tell({ type: "state", seq: 1, state: "live" });
  first.onclose?.({ code: 1006, reason: "" });
  await timers.pass(2_000);
  const second = Socket.made[1] as Socket;
  assert.equal(second.url.search, "?after=1&log=a");
  assert.deepEqual(second.protocols, ["strad.v1", "strad-ticket.2"]);
  second.tell({ type: "hello", log: "a", state: "live", last: 2, version: 1, stream: "news" });
  second.tell({ type: "state", seq: 1, state: "live" });
  second.tell({ type: "unheard-of", seq: 2 });
  second.tell({ type: "end", seq: 3 });
  second.onclose?.({ code: 1000, reason: "" });
  assert.deepEqual(
    seen.map((m) => m.type),
    ["hello", "state", "hello", "end"],
  );
  assert.deepEqual(states, ["connecting", "connected", "lost", "connecting", "connected", "over"]);
});

test("a service that answers nothing any more is left, and asked anew", async () => {
  const timers = new VirtualTime();
  Socket.made.length = 0;
  const states: ConnectionState["is"][] = [];
  const connection = new Connection(
    { service: "http://127.0.0.1:1/", stream: "news" },
    { message() {}, connection: (s) => states.push(s.is) },
    {
      timers,
      random: () => 0.5,
      changes: null,
      socket: (url, protocols) => new Socket(url, protocols) as unknown as WebSocket,
    },
  );
  connection.open();
  await timers.pass(10);
  Socket.made[0]?.tell({
    type: "hello",
    log: "a",
    state: "live",
    last: 0,
    version: 1,
    stream: "n",
  });
  await timers.pass(30_000);
  assert.equal(Socket.made.length >= 2, true);
  assert.equal(states.includes("lost"), true);
  connection.close();
  assert.equal(timers.waiting, 0);
});

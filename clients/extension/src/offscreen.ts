// The offscreen document: captures, sends, listens, speaks. It outlives the service worker, and ends
// with the description.

import type { Command } from "../../web/src/settings.ts";
import { Capture, TO_DESCRIBE, TO_WATCH } from "./capture.ts";
import { CapturedTab } from "./captured_tab.ts";
import { DescribedTab } from "./described_tab.ts";
import {
  isOurs,
  type Message,
  type Mode,
  type PlayerOrder,
  type StartOrder,
  type Status,
} from "./messages.ts";
import { faultOf, WORDS } from "./notices.ts";
import { OfferedPage } from "./offered_page.ts";
import { loadOptions, loadSettings, type Options, saveSettings } from "./options.ts";
import { Ports } from "./ports.ts";
import type { Programme } from "./programme.ts";

interface Running {
  readonly order: StartOrder;
  readonly mode: Mode;
  readonly tab: DescribedTab;
  readonly programme: Programme;
  readonly stream: string;
}

const ON = "Audio description is on.";
const OFF = "Audio description is off.";

/** For the page that shows the picture held back; it says when it has come. */
const recorded = new BroadcastChannel("recorded");

class Offscreen {
  #running: Running | null = null;
  #leaving: DescribedTab | null = null;
  #fault = "";
  #turn: Promise<void> = Promise.resolve();
  #keys: PlayerOrder | null = null;
  readonly ports = new Ports({
    state: (state) => this.#running?.programme.take(state),
    command: (command) => void this.command(command),
    joined: (order) => {
      if (this.#keys) order(this.#keys);
    },
  });

  /** What is asked is done one after the other: a second start never runs beside the first. */
  take(act: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(act).catch((error) => this.#broken(error));
    return this.#turn;
  }

  get status(): Status {
    const { tab, order, mode } = this.#running ?? { tab: null, order: null, mode: "live" as const };
    return {
      tab: order?.tab ?? null,
      mode,
      offer: order?.offer ?? null,
      line: tab?.line ?? (this.#fault || OFF),
      connected: tab?.connected ?? false,
      draft: tab?.draft ?? false,
      last: tab?.last ?? "",
      notices: tab?.notices.list ?? (this.#fault ? [{ code: "fault", text: this.#fault }] : []),
    };
  }

  async start(order: StartOrder): Promise<void> {
    if (order.fault !== null) {
      this.#failed(order.fault); // what is described elsewhere goes on
      return;
    }
    await this.stop("");
    this.#fault = "";
    this.ports.follow(order.tab);
    const options = loadOptions();
    const settings = await loadSettings(order.site);
    this.#keys = { type: "keys", keys: settings.keys };
    const offered = order.offer === null ? null : new URL(order.offer);
    const stream = offered?.pathname.split("/").at(-1) ?? `tab-${crypto.randomUUID().slice(0, 8)}`;
    const programme = offered
      ? new OfferedPage((told) => this.ports.order(told))
      : await this.#capture(order, options, stream);
    const mode = offered ? "listen" : options.delayed ? "delayed" : "live";
    const tab = new DescribedTab({
      programme,
      settings,
      live: mode === "live",
      language: options.language,
      order: (told) => this.ports.order(told),
      chosen: (changed) => void saveSettings(order.site, changed),
      changed: () => this.#tell(),
      failed: (code, message) => this.#end(stream, faultOf(code, message)),
    });
    this.#running = { order, mode, tab, programme, stream };
    tab.notices.say("on", greeting(mode, options, offered));
    if (offered) tab.watch(serviceOf(offered), stream, "");
    else await (programme as CapturedTab).start();
    this.#tell(true);
  }

  /** `word`: the last that is said. `fault`: why it ended, for those who look later. */
  async stop(word = OFF, fault = ""): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    this.#fault = fault;
    this.#tell(true);
    await running.programme.close();
    this.#leaving = running.tab;
    await running.tab.close(word); // the page's own screen reader may have to say it
    this.#leaving = null;
    this.ports.follow(null);
  }

  /** What is asked next does not wait for a last word: a capture that was granted is soon void. */
  hush(): void {
    this.#leaving?.hush();
  }

  async command(command: Command): Promise<void> {
    if (command === "toggle") await this.take(() => this.stop());
    else await this.#running?.tab.run(command);
  }

  /** The page was left for one that we may not enter, or that was not asked for: that ends it. */
  lost(tab: number): void {
    const running = this.#running;
    if (running?.order.tab === tab) this.#end(running.stream, WORDS.page ?? "");
  }

  async #capture(order: StartOrder, options: Options, stream: string): Promise<CapturedTab> {
    const quality = options.delayed ? TO_WATCH : TO_DESCRIBE;
    const capture = await Capture.open(order.capture ?? "", quality, !options.delayed);
    capture.onEnd(() => this.#end(stream, WORDS.closed ?? ""));
    const url = new URL(`v1/streams/${stream}/media`, options.service);
    url.protocol = url.protocol === "http:" ? "ws:" : "wss:";
    return new CapturedTab({
      capture,
      options,
      address: url.href,
      notice: (code) => this.#running?.tab.notices.say(code),
      link: (up) => this.#running?.tab.link("media", up),
      told: (message) => this.#running?.tab.notices.heard(message),
      connected: (_ready, anew) => {
        if (anew) this.#running?.tab.watch(options.service, stream, options.token);
      },
      failed: (code, message) => this.#end(stream, faultOf(code, message)),
      recorded: (data, begins) => {
        if (options.delayed) recorded.postMessage({ data, begins });
      },
      heard: (heard, playing) => this.#heard(heard, playing),
    });
  }

  /** Where the viewer is, on the tab's clock and the player's. */
  #heard(heard: number, playing: boolean): void {
    const player = this.#running?.programme.player.head().at ?? 0;
    recorded.postMessage({ heard, playing, player });
  }

  /** A page has come that shows the picture. */
  show(): void {
    const programme = this.#running?.programme;
    if (programme instanceof CapturedTab) programme.again();
  }

  /** This can't go on. What is told late of an earlier stream ends no later one. */
  #end(stream: string, why: string): void {
    void this.take(async () => {
      if (this.#running?.stream === stream) await this.stop(`${why} ${OFF}`, why);
    });
  }

  /** What was begun is taken down, so that the key works again. */
  async #broken(error: unknown): Promise<void> {
    console.warn("This tab can't be captured:", String(error));
    try {
      await this.stop("");
    } catch (other) {
      console.warn("It could not be stopped in order:", String(other));
    }
    this.ports.follow(null);
    this.#failed("The browser can't capture this tab.");
  }

  #failed(why: string): void {
    this.#fault = why;
    speechSynthesis.speak(new SpeechSynthesisUtterance(why));
    this.#tell();
  }

  #tell(turned = false): void {
    const { status } = this;
    const tell = (message: Message) => void chrome.runtime.sendMessage(message).catch(() => null);
    tell({ to: "panel", type: "status", status });
    if (turned) tell({ to: "worker", type: "changed", status });
  }
}

function serviceOf(stream: URL): string {
  return stream.origin + stream.pathname.replace(/v1\/streams\/[^/]+$/, "");
}

function greeting(mode: Mode, options: Options, offered: URL | null): string {
  if (mode === "listen") return `${ON} This page's own descriptions, from ${offered?.host}.`;
  if (mode === "live") return ON;
  return `${ON} Sound and descriptions are held back by ${options.delay} seconds.`;
}

const offscreen = new Offscreen();

recorded.addEventListener("message", () => offscreen.show());

chrome.runtime.onConnect.addListener((port) => offscreen.ports.add(port));

chrome.runtime.onMessage.addListener((message: Message, sender, answer) => {
  if (message.to !== "offscreen" || !isOurs(sender)) return false;
  void obey(message)
    .catch((error) => console.warn("This could not be done:", String(error)))
    .then(() => answer(offscreen.status));
  return true;
});

async function obey(message: Extract<Message, { to: "offscreen" }>): Promise<void> {
  if (message.type === "start") {
    offscreen.hush();
    await offscreen.take(() => offscreen.start(message));
  }
  if (message.type === "stop") void offscreen.take(() => offscreen.stop());
  if (message.type === "lost") offscreen.lost(message.tab);
  if (message.type === "command") await offscreen.command(message.command);
}

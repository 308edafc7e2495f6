// One stream, opened: its connection, its record, and everything that shows it.

import { Chart } from "./chart.js";
import { Events } from "./events.js";
import { Feed } from "./feed.js";
import { count, element, mediaTime, write } from "./format.js";
import { Picture } from "./picture.js";
import { Record } from "./record.js";
import { Refused, address } from "./service.js";
import { describer, warningsOf } from "./streams.js";
import { showTotals } from "./totals.js";
import { sentence } from "./wording.js";

const TRACKS = [["descriptions.vtt", "WebVTT"], ["descriptions.srt", "SRT"],
  ["descriptions.jsonl", "JSON lines"], ["descriptions.m3u8", "HLS playlist"]];

const node = (id) => document.getElementById(id);

export class StreamView {
  // ``locked`` is told where the key doesn't open this stream.
  constructor(name, service, announcer, locked) {
    Object.assign(this, { name, service, announcer, locked });
    this.record = new Record(this);
    this.events = new Events(this.record, (event) => this.chosen(event));
    node("picture").replaceChildren();
    this.picture = new Picture(node("picture"), node("shown"), (key) => this.pick(key));
    this.load = new Chart(node("load"), { title: "Load", unit: "", what: "measurement",
      limit: () => ({ name: "too slow", value: 1 }) });
    this.lag = new Chart(node("lag"), { title: "Lag", unit: "s", what: "description",
      limit: () => this.record.about && { name: "viewers' delay", value: this.record.about.delay } });
    this.feed = new Feed(name, service, this.record, this);
    this.paused = false;
    this.flags = 0;
    this.wired();
  }

  open() {
    node("stream-title").textContent = `Stream ${this.name}`;
    node("stream").hidden = false;
    this.press("pause", false);
    this.press("follow", true);
    node("tracks").replaceChildren(...TRACKS.map(([file, name]) => element("li", {},
      element("a", { href: address(`v1/streams/${encodeURIComponent(this.name)}/${file}`).pathname },
        name))));
    this.events.follows = true;
    this.events.rebuild();
    this.resized = () => this.draw();
    addEventListener("resize", this.resized);
    this.feed.open();
    this.openTracks();
    this.draw();
  }

  close() {
    this.closed = true;
    this.feed.close();
    clearTimeout(this.tracksTimer);
    removeEventListener("resize", this.resized);
    cancelAnimationFrame(this.frame);
    node("stream").hidden = true;
  }

  wired() {
    node("pause").onclick = () => this.pause();
    node("follow").onclick = () => this.follow(!this.picture.follows);
    node("earlier").onclick = () => this.move(() => this.picture.shift(-0.5));
    node("later").onclick = () => this.move(() => this.picture.shift(0.5));
    node("closer").onclick = () => this.move(() => this.picture.scale(-1));
    node("wider").onclick = () => this.move(() => this.picture.scale(1));
  }

  // Links to tracks carry no header: a cookie for this stream lets them in.
  async openTracks() {
    if (!this.service.key) return;
    try {
      const seconds = await this.service.openTracks(this.name);
      if (!this.closed)
        this.tracksTimer = setTimeout(() => this.openTracks(), (seconds * 1000) / 2);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof TypeError || error instanceof DOMException))
        throw error;
      write(node("tracks-note"), "The tracks can't be opened with this key: " + error.message);
    }
  }

  // Asks for what the connection doesn't tell. Called by the page, every two seconds.
  async ask() {
    const wasOver = this.feed.over; // an answer from before the end says nothing about afterwards
    const status = await this.service.fetch(`v1/streams/${encodeURIComponent(this.name)}/status`)
      .catch((error) => {
        if (error instanceof Refused && error.status === 404) return null;
        throw error;
      });
    if (!status || this.closed) return;
    node("elsewhere").hidden = status.here || ["ended", "waiting"].includes(status.state);
    this.record.takeStatus(status);
    if (status.flags !== this.flags) await this.askFlags(status.flags);
    if (wasOver && this.feed.over && status.state !== "ended") this.feed.open(); // it is published again
    this.later();
  }

  // What viewers flagged, with their notes: an operator's to read.
  async askFlags(count) {
    try {
      const lines = await this.service.lines(`v1/streams/${encodeURIComponent(this.name)}/flags.jsonl`);
      if (this.closed || !this.record.takeFlags(lines)) return;
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // a key that only watches sees no flags
    }
    this.flags = count;
  }

  // The record tells.
  added(event, at) {
    if (!this.paused) this.events.add(event, at);
    const fresh = this.connectedAt && performance.now() - this.connectedAt > 1_500;
    if (fresh && ["ad", "drop", "warning"].includes(event.sort)) this.announcer.say(sentence(event));
    this.later();
  }

  changed(event) {
    if (!this.paused) this.events.change(event);
    if (event.withdrawn && !event.told) {
      event.told = true;
      this.announcer.say(sentence(event));
    }
    this.later();
  }

  removed(event) {
    if (!this.paused) this.events.remove(event);
  }

  moved(state) {
    this.announcer.say(`The stream is ${state}.`);
  }

  anew() {
    this.events.key = null;
    this.events.rebuild();
    this.announcer.say("The stream was published anew: the record begins again.");
  }

  // The connection tells.
  message(message) {
    this.record.take(message);
    this.later();
  }

  connecting(attempt) {
    this.say(attempt ? `Connecting again, attempt ${attempt + 1}.` : "Connecting.");
  }

  connected() {
    this.connectedAt ||= performance.now();
    this.say("Connected: what happens is shown as it is told.");
  }

  lost(why, seconds, attempt) {
    this.say(`${why} Connecting again in ${count(Math.max(1, Math.round(seconds)), "second")} `
      + `(attempt ${attempt}); nothing that is kept will be missed. What is shown is from before.`,
    true);
  }

  over() {
    this.say(this.record.failure ? `The stream failed: ${this.record.failure}.`
      : "The stream has ended.", Boolean(this.record.failure));
    this.later();
  }

  refused(why) {
    this.say(`The key does not open this stream: ${why}.`, true);
    this.locked(why);
  }

  stopped(why) {
    this.say(`The stream can't be watched: ${why}.`, true);
  }

  say(text, bad = false) {
    const told = node("connection");
    told.classList.toggle("bad", bad);
    write(told, text);
  }

  // What the person does.
  pause() {
    this.paused = !this.paused;
    this.press("pause", this.paused);
    if (!this.paused) {
      this.events.rebuild();
      this.later();
    }
  }

  follow(on) {
    this.picture.follows = on;
    this.events.follows = on;
    this.press("follow", on);
    this.draw();
  }

  move(change) {
    change();
    this.events.follows = this.picture.follows;
    this.press("follow", this.picture.follows);
    this.draw();
  }

  pick(key) {
    this.events.choose(key);
  }

  chosen(event) {
    this.picture.chosen = event.key;
    this.move(() => this.picture.show(event.start));
  }

  press(button, on) {
    node(button).setAttribute("aria-pressed", String(on));
  }

  later() {
    if (this.paused || this.closed || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  draw() {
    if (this.closed) return;
    const { record } = this;
    this.picture.draw(record);
    this.events.toEnd();
    node("closer").disabled = !this.picture.canScale(-1);
    node("wider").disabled = !this.picture.canScale(1);
    this.load.draw(record.load.points);
    this.lag.draw(record.lag.points);
    showTotals(record);
    this.stand();
  }

  stand() {
    const { about, state, edge, figures, last } = this.record;
    const standing = node("standing");
    const words = `${state}, at ${mediaTime(edge, 0)}; message ${last}; `
      + (about ? `viewers ${about.delay} s behind; language ${about.language}; described by ` : "");
    if (standing.firstChild?.textContent !== words) {
      standing.replaceChildren(words, element("span"));
    }
    if (about) describer(standing.lastChild, about);
    const warnings = state === "ended" ? [] : warningsOf(figures);
    const list = node("warnings");
    list.hidden = !warnings.length;
    if (list.children.length !== warnings.length || [...list.children].some(
      (item, n) => item.textContent !== warnings[n]))
      list.replaceChildren(...warnings.map((each) => element("li", { class: "bad" }, each)));
  }
}

// The control room: asks for a key where one is needed, keeps the list, opens a stream.

import { Announcer } from "./announcer.js";
import { count, write } from "./format.js";
import { Refused, Service } from "./service.js";
import { StreamView } from "./stream.js";
import { Streams } from "./streams.js";

const EVERY = 2_000;
const GOING = "The service is going away: no new streams are taken, what is live is finished.";

const node = (id) => document.getElementById(id);

class ControlRoom {
  constructor() {
    this.service = new Service();
    this.announcer = new Announcer(node("announcer"), node("announce"));
    this.streams = new Streams(this.service);
    this.view = null;
    this.failed = 0;
    node("key-form").onsubmit = (event) => {
      event.preventDefault();
      this.showKey();
    };
    node("forget").onclick = () => {
      this.service.forget();
      this.lock("");
    };
    addEventListener("hashchange", () => this.route(true));
  }

  async run() {
    try {
      await this.look();
    } finally {
      setTimeout(() => this.run(), EVERY);
    }
  }

  async look() {
    if (this.locked) return;
    try {
      const status = await this.streams.ask();
      this.found(status);
      if (this.view) await this.view.ask();
    } catch (error) {
      this.miss(error);
    }
  }

  found(status) {
    if (this.failed > 1 && this.view) this.view.feed.retryNow();
    this.failed = 0;
    node("streams").hidden = false;
    node("forget").hidden = !this.service.key;
    const draining = Boolean(status?.draining);
    this.told(draining ? GOING : "Connected.", draining);
    write(node("room"), status ? roomOf(status) : "");
    if (!this.ready) {
      this.ready = true;
      this.route(false);
    }
  }

  miss(error) {
    if (error instanceof Refused && error.wantsKey) {
      this.lock(this.service.key ? `This key was not accepted: ${error.message}.` : "");
    } else if (error instanceof Refused) {
      this.told(`The service can't say how it stands: ${error.message}.`, true);
    } else if (error instanceof TypeError || error instanceof DOMException) {
      this.failed += 1;
      this.told("The service does not answer. It is asked again every 2 seconds; what is shown "
        + "is from before.", true);
    } else {
      throw error;
    }
  }

  told(text, bad) {
    const place = node("service");
    place.classList.toggle("bad", bad);
    write(place, text);
  }

  // Nothing is shown without a key that holds.
  lock(why) {
    this.locked = true;
    this.ready = false;
    this.view?.close();
    this.view = null;
    this.service.forget();
    this.streams.admin = true;
    this.streams.show([], new Map());
    for (const id of ["streams", "stream", "forget"]) node(id).hidden = true;
    this.told("", false);
    write(node("room"), "");
    node("key").value = "";
    node("key-section").hidden = false;
    node("key-error").hidden = !why;
    write(node("key-error"), why);
    (why ? node("key") : node("key-title")).focus();
  }

  async showKey() {
    this.service.show(node("key").value.trim(), node("keep").checked);
    this.locked = false;
    await this.look();
    if (this.locked) return;
    node("key").value = "";
    node("key-section").hidden = true;
    node(this.view ? "stream-title" : "main").focus();
  }

  route(focus) {
    if (location.hash && !location.hash.startsWith("#/")) return;
    const name = location.hash.slice(2);
    if (this.locked || !this.ready || (this.view && this.view.name === name)) return;
    const before = this.view;
    before?.close();
    this.view = null;
    this.streams.open = name || null;
    document.title = (name ? `${name} - ` : "") + "Control room - Strad";
    if (name) {
      this.view = new StreamView(name, this.service, this.announcer, (why) => this.lock(why));
      this.view.open();
      if (focus) node("stream-title").focus();
    } else if (focus && before) {
      node("main").focus();
    }
    this.look();
  }
}

// Figures that change often: told in no live region.
function roomOf(status) {
  const short = status.short.length ? ` No room for one more: ${status.short.join("; ")}.` : "";
  return `${count(status.streams, "stream")} of at most ${status.most_streams} described here, `
    + `${count(status.viewers, "viewer")}.${short}`;
}

new ControlRoom().run();

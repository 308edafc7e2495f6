// What the page knows of one stream: the newest happenings, each once, in order of media time.

export const MOST_EVENTS = 1_000;
export const MOST_SAMPLES = 1_800;

// An event: {key, sort: ad|drop|gap|speech|warning, start, end, text, ...}. ``end`` is null while
// a gap or speech goes on.
export class Record {
  constructor(tell) {
    this.tell = tell;
    this.clear();
  }

  clear() {
    this.log = null;
    this.last = 0;
    this.state = "waiting";
    this.about = null;
    this.failure = null;
    this.summary = null;
    this.edge = 0;
    this.events = [];
    this.byKey = new Map();
    this.forgotten = 0;
    this.load = new Samples();
    this.lag = new Samples();
    this.counted = { ads: 0, words: 0, late: 0, withdrawn: 0 };
    this.previousGap = null;
    this.unsure = new Set();
    this.flags = new Map();
    this.figures = null;
  }

  // Takes what the viewer's connection tells. A message of the log counts once.
  take(message) {
    if (message.type === "hello") return this.begin(message);
    if (message.seq) {
      if (message.seq <= this.last) return;
      this.last = message.seq;
    }
    switch (message.type) {
      case "state": return this.move(message);
      case "ad": return this.describe(message);
      case "withdraw": return this.withdraw(message);
      case "warning": return this.warn(message);
      case "gap": return this.gap(message.start, message.end ?? null);
      case "error": if (message.seq) this.failure = message.message; return;
      case "end": return this.end(message.summary ?? null);
    }
  }

  begin(hello) {
    if (this.log !== null && this.log !== hello.log) {
      this.clear();
      this.tell.anew();
    }
    this.log = hello.log;
    this.previousGap = null; // what was told while away is not known: no speech is concluded
    this.state = hello.state;
    this.about = hello.about ?? this.about;
  }

  move(message) {
    this.state = message.state;
    this.about = message.about ?? this.about;
    this.tell.moved(message.state);
  }

  describe(ad) {
    this.reach(ad.window_end);
    this.lag.add(ad.window_end, ad.lag_emit);
    const counted = this.counted;
    counted.ads += 1;
    counted.words += ad.text.split(/\s+/).filter(Boolean).length;
    counted.late += ad.late ? 1 : 0;
    const { id, start, end, text, kind, provisional, late, draft, describer, rate } = ad;
    const event = { key: `ad:${id}`, sort: "ad", id, start, end, text, kind, provisional, late,
      draft, describer, rate, forms: ad.forms, lag: ad.lag_emit, seen: ad.window_end,
      flags: this.flags.get(id) || [] };
    this.put(event);
    if (provisional) this.unsure.add(event);
  }

  withdraw(message) {
    if (message.edge) this.reach(message.edge);
    const ad = this.byKey.get(`ad:${message.id}`);
    if (!ad || ad.withdrawn) return;
    this.counted.withdrawn += 1;
    this.settle(ad, { withdrawn: { at: message.at, reason: message.reason } });
  }

  warn({ seq, code, at, message, count }) {
    this.put({ key: `warning:${seq}`, sort: "warning", start: at, end: at, text: message, code,
      count });
  }

  // Told twice: open, then closed. One that ends where it starts was none.
  gap(start, end) {
    const key = `gap:${start}`;
    if (end === start) {
      this.remove(key);
      const speech = this.byKey.get(`speech:${this.previousGap}`);
      if (speech) this.change(speech, { end: null });
      return;
    }
    this.reach(end ?? start);
    const known = this.byKey.get(key);
    if (known && known.end === end) return;
    if (known) this.change(known, { end });
    else this.put({ key, sort: "gap", start, end, text: "" });
    this.speechUntil(start);
    if (end !== null) this.speechFrom(end);
  }

  // With the media end the gap or the speech that was going on.
  end(summary) {
    this.summary = summary;
    this.state = "ended";
    if (summary) this.reach(summary.live_edge);
    for (const event of this.events)
      if (event.end === null) this.change(event, { end: Math.max(event.start, this.edge) });
  }

  speechFrom(start) {
    this.previousGap = start;
    const key = `speech:${start}`;
    if (!this.byKey.has(key)) this.put({ key, sort: "speech", start, end: null, text: "" });
  }

  speechUntil(end) {
    const speech = this.byKey.get(`speech:${this.previousGap}`);
    if (speech && speech.end === null && end > speech.start) this.change(speech, { end });
  }

  // Takes what the service's status says: gaps and drops of the time before this page looked, too.
  takeStatus({ log, figures, newest }) {
    if (!figures || !newest || log !== this.log) return;
    this.figures = figures;
    this.reach(figures.live_edge);
    this.load.add(figures.cursor, figures.load);
    this.takeGaps(newest.gaps);
    for (const { at, reason, text } of newest.drops) {
      const key = `drop:${at}:${reason}:${text}`;
      if (!this.byKey.has(key) && !this.isForgotten(at))
        this.put({ key, sort: "drop", start: at, end: at, text, reason });
    }
    for (const { id, overlap } of newest.ads) {
      const ad = this.byKey.get(`ad:${id}`);
      if (ad && overlap !== null && ad.overlap !== overlap) this.change(ad, { overlap });
    }
  }

  // Takes a file of flags: its header, then one flagged description each.
  takeFlags([header, ...events]) {
    if (!header || header.log !== this.log) return false;
    this.flags = new Map(events.map(({ id, flags }) => [id, flags]));
    for (const [id, flags] of this.flags) {
      const ad = this.byKey.get(`ad:${id}`);
      if (ad && ad.flags.length !== flags.length) this.change(ad, { flags });
    }
    return true;
  }

  takeGaps(gaps) {
    let before = null;
    for (const { start, end } of gaps) {
      if (end === start || this.isForgotten(start)) continue;
      const known = this.byKey.get(`gap:${start}`);
      if (!known) this.put({ key: `gap:${start}`, sort: "gap", start, end, text: "" });
      else if (known.end === null && end !== null) this.change(known, { end });
      if (before !== null && start > before) {
        const speech = this.byKey.get(`speech:${before}`);
        const said = { key: `speech:${before}`, sort: "speech", start: before, end: start, text: "" };
        if (!speech) this.put(said);
        else if (speech.end === null) this.change(speech, { end: start });
      }
      before = this.byKey.get(`gap:${start}`)?.end ?? end;
    }
  }

  isForgotten(at) {
    return this.forgotten > 0 && this.events.length > 0 && at < this.events[0].start;
  }

  reach(at) {
    if (at <= this.edge) return;
    this.edge = at;
    for (const ad of this.unsure) if (ad.end <= at) this.settle(ad, { stands: true });
  }

  settle(ad, changes) {
    this.unsure.delete(ad);
    this.change(ad, changes);
  }

  put(event) {
    let at = this.events.length;
    while (at > 0 && this.events[at - 1].start > event.start) at -= 1;
    this.events.splice(at, 0, event);
    this.byKey.set(event.key, event);
    this.tell.added(event, at);
    while (this.events.length > MOST_EVENTS) {
      this.forgotten += 1;
      this.remove(this.events[0].key);
    }
  }

  change(event, changes) {
    Object.assign(event, changes);
    this.tell.changed(event);
  }

  remove(key) {
    const event = this.byKey.get(key);
    if (!event) return;
    this.byKey.delete(key);
    this.unsure.delete(event);
    this.events.splice(this.events.indexOf(event), 1);
    this.tell.removed(event);
  }
}

// The newest figures of one kind, by media time.
export class Samples {
  constructor() {
    this.points = [];
    this.newest = -1;
  }

  // What comes again, from another answer, is passed over.
  add(at, value) {
    if (value === null || value === undefined || at <= this.newest) return;
    this.newest = at;
    this.points.push({ at, value });
    if (this.points.length > MOST_SAMPLES) this.points.shift();
  }
}

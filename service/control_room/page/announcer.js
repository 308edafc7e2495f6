// Tells a screen reader what happens, politely: only when asked to, and not more than it can say.

const EVERY = 5_000;

export class Announcer {
  constructor(region, box) {
    this.region = region;
    this.box = box;
    this.waiting = [];
    this.timer = null;
    box.onchange = () => {
      this.waiting = [];
      region.textContent = box.checked ? "Announcements are on." : "";
    };
  }

  say(text) {
    if (!this.box.checked) return;
    this.waiting.push(text);
    if (this.waiting.length > 50) this.waiting.shift();
    if (this.timer === null) this.flush();
  }

  flush() {
    const newest = this.waiting.at(-1);
    const others = this.waiting.length - 1;
    this.waiting = [];
    this.timer = null;
    if (newest === undefined || !this.box.checked) return;
    this.region.textContent = newest + (others > 0 ? ` And ${others} more before it.` : "");
    this.timer = setTimeout(() => this.flush(), EVERY);
  }
}

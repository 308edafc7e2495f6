// Talks to the service over HTTP, with the key where one is needed. The key is in no address.

const SAVED = "strad-key";
const LIMIT = 8_000;

export class Refused extends Error {
  constructor(status, refusal) {
    super(refusal.message || `the service answered ${status}`);
    this.status = status;
    this.code = refusal.code || "";
  }

  get wantsKey() {
    return this.status === 401 || this.status === 403;
  }
}

export class Service {
  constructor() {
    this.key = sessionStorage.getItem(SAVED) || "";
  }

  show(key, keep) {
    this.key = key;
    if (keep) sessionStorage.setItem(SAVED, key);
  }

  forget() {
    this.key = "";
    sessionStorage.removeItem(SAVED);
  }

  // Throws Refused, or TypeError or a DOMException where nothing answers.
  async fetch(path, method = "GET") {
    return (await this.ask(path, method)).json().catch(() => ({}));
  }

  // The objects of a JSON lines file.
  async lines(path) {
    const text = await (await this.ask(path, "GET")).text();
    return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  }

  async ask(path, method) {
    const headers = this.key ? { Authorization: `Bearer ${this.key}` } : {};
    const answer = await fetch(address(path), {
      method, headers, cache: "no-store", credentials: "same-origin",
      signal: AbortSignal.timeout(LIMIT),
    });
    if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => ({})));
    return answer;
  }

  // Lets links to a stream's tracks work where a key is needed. Seconds it holds.
  async openTracks(stream) {
    const set = await this.fetch(`v1/streams/${encodeURIComponent(stream)}/cookie`, "POST");
    return set.expires_in;
  }
}

export function address(path) {
  return new URL(path, document.baseURI);
}

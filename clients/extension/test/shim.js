// Stands for the voice in tests, and writes down what a viewer hears: what is said when, how loud
// the tab is at the ears, where the viewer is. Asked by messages to "test".

const CHARACTERS = 15;

const heard = { spoken: [], levels: [], heads: [], contexts: [], errors: [], told: [] };
globalThis.heard = heard;

/** What the page's player, the service and we told one another, for a test that fails. */
function note(who, what) {
  heard.told.push(`${Date.now()} ${who} ${what}`);
  if (heard.told.length > 60) heard.told.shift();
}

globalThis.WebSocket = class extends WebSocket {
  constructor(...where) {
    super(...where);
    this.addEventListener("message", ({ data }) => note("service", data));
  }
  send(data) {
    if (typeof data === "string") note("extension", data);
    super.send(data);
  }
};

chrome.runtime.onConnect.addListener((port) =>
  port.onMessage.addListener((state) => note("player", JSON.stringify(state))),
);

let speaking = null;

function end(utterance, cancelled) {
  if (speaking?.utterance !== utterance) return;
  clearTimeout(speaking.timer);
  speaking.entry.end = Date.now();
  speaking.entry.cancelled = cancelled;
  speaking = null;
  if (cancelled) utterance.onerror?.({ error: "canceled" });
  else utterance.onend?.({});
}

const synthesis = {
  getVoices: () => [],
  addEventListener() {},
  speak(utterance) {
    const { text, rate, volume, lang } = utterance;
    const entry = { text, rate, volume, lang, start: Date.now(), end: null, cancelled: false };
    heard.spoken.push(entry);
    const timer = setTimeout(() => end(utterance, false), (text.length / CHARACTERS / rate) * 1000);
    speaking = { utterance, entry, timer };
    setTimeout(() => utterance.onstart?.({}), 0);
  },
  cancel() {
    if (speaking) end(speaking.utterance, true);
  },
};
Object.defineProperty(globalThis, "speechSynthesis", { value: synthesis });

// What goes to the ears goes through a meter of ours too.
const connect = AudioNode.prototype.connect;
AudioNode.prototype.connect = function (to, ...rest) {
  if (to === this.context.destination) {
    const meter = this.context.createAnalyser();
    connect.call(this, meter);
    const samples = new Float32Array(meter.fftSize);
    heard.contexts.push(this.context);
    setInterval(() => {
      meter.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, x) => sum + x * x, 0) / samples.length;
      const gain = this.gain?.value ?? 1;
      heard.levels.push({ wall: Date.now(), level: Math.sqrt(power), gain });
      if (heard.levels.length > 4000) heard.levels.shift();
    }, 100);
  }
  return connect.call(this, to, ...rest);
};

new BroadcastChannel("recorded").addEventListener("message", ({ data }) => {
  if ("heard" in data) heard.heads.push({ wall: Date.now(), ...data });
  if (heard.heads.length > 4000) heard.heads.shift();
});

addEventListener("error", (event) => heard.errors.push(String(event.message)));
addEventListener("unhandledrejection", (event) => heard.errors.push(String(event.reason)));

chrome.runtime.onMessage.addListener((message, _sender, answer) => {
  if (message.to !== "test") return false;
  if (message.set)
    for (const [key, value] of Object.entries(message.set)) localStorage[key] = value;
  answer({
    spoken: heard.spoken,
    levels: heard.levels,
    heads: heard.heads,
    errors: heard.errors,
    told: heard.told,
    contexts: heard.contexts.map(({ state }) => state),
    now: Date.now(),
  });
  return false;
});

"use strict";
// Plays an excerpt with its descriptions spoken where they stand. Without this script everything
// can be read and answered all the same.

const media = document.getElementById("media");
const state = document.getElementById("state");
const shown = performance.now();
let playing = null;

function voice() {
  // Only a voice of this computer: others send the text to a server.
  const own = speechSynthesis.getVoices().filter((one) => one.localService);
  return own.find((one) => one.lang.startsWith(document.documentElement.lang)) || own[0] || null;
}

function stop(said) {
  if (playing === null) return;
  clearInterval(playing.watch);
  speechSynthesis.cancel();
  if (media) { media.pause(); media.volume = 1; }
  for (const line of playing.lines) line.classList.remove("now");
  playing.button.textContent = playing.button.dataset.play;
  playing = null;
  state.textContent = said;
}

function speak(line, then) {
  const words = new SpeechSynthesisUtterance(line.querySelector(".text").textContent);
  words.voice = voice();
  words.lang = document.documentElement.lang;
  const done = () => { line.classList.remove("now"); then(); };
  words.onend = done;
  words.onerror = done;
  line.classList.add("now");
  speechSynthesis.speak(words);
}

function along(run) {
  // With media: each description when its time has come, the programme quieter meanwhile.
  const end = Number(media.dataset.end);
  media.currentTime = Number(media.dataset.start);
  media.play().catch(() => stop("The programme can't be played here."));
  run.watch = setInterval(() => {
    while (run.next < run.lines.length
        && Number(run.lines[run.next].dataset.start) <= media.currentTime) {
      media.volume = 0.25;
      speak(run.lines[run.next], () => { if (!speechSynthesis.pending) media.volume = 1; });
      run.next += 1;
    }
    if (media.ended || media.currentTime >= end) stop("The excerpt has ended.");
  }, 100);
}

function oneByOne(run) {
  // Without media: one description after the other.
  if (playing !== run) return;
  if (run.next >= run.lines.length) { stop("All descriptions were spoken."); return; }
  run.next += 1;
  speak(run.lines[run.next - 1], () => oneByOne(run));
}

function start(button) {
  const lines = [...document.getElementById(button.dataset.version).querySelectorAll("li.ad")];
  playing = { button, lines, next: 0, watch: 0 };
  button.textContent = "Stop";
  state.textContent = "Playing. Escape stops.";
  document.getElementById("heard").value = "1";
  if (media) along(playing); else oneByOne(playing);
}

function ready() {
  // A page that can't speak says so; all of it can be read.
  const can = voice() !== null;
  for (const button of document.querySelectorAll("button[data-play]")) button.hidden = !can;
  const silent = document.getElementById("silent");
  if (silent) silent.hidden = can;
}

if (state) {
  for (const button of document.querySelectorAll("button[data-play]")) {
    button.addEventListener("click", () => {
      const same = playing !== null && playing.button === button;
      stop("Stopped.");
      if (!same) start(button);
    });
  }
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") stop("Stopped."); });
  speechSynthesis.addEventListener("voiceschanged", ready);
  ready();
}

const form = document.getElementById("answers");
if (form) {
  form.addEventListener("submit", () => {
    stop("");
    document.getElementById("seconds").value = ((performance.now() - shown) / 1000).toFixed(1);
  });
}
const errors = document.getElementById("errors");
if (errors) errors.focus();

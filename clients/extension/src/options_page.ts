// The options: which service, when it is heard, which voice. Saved when asked to.

import { readable } from "../../web/src/keys.ts";
import { COMMAND_NAMES } from "../../web/src/phrases.ts";
import {
  COMMANDS,
  exported,
  imported,
  readSettings,
  type Settings,
  voiceFor,
  withVoice,
} from "../../web/src/settings.ts";
import { Speech } from "../../web/src/speech.ts";
import { element } from "./elements.ts";
import {
  loadOptions,
  loadSettings,
  type Options,
  saveOptions,
  saveSettings,
  serviceAddress,
} from "./options.ts";

const input = (id: string) => element(id, HTMLInputElement);
const select = (id: string) => element(id, HTMLSelectElement);

const ADDRESS = "An address begins with https://, or with http:// on this computer.";
const SAMPLE = "A man opens a red door and looks out into the rain.";

let settings: Settings;

async function begin(): Promise<void> {
  settings = await loadSettings("");
  show(loadOptions());
  speechSynthesis.addEventListener("voiceschanged", () => showVoices());
  input("language").addEventListener("change", () => showVoice());
  element("form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    void save();
  });
  element("try", HTMLButtonElement).addEventListener("click", () => {
    const tried = given();
    void new Speech((tag) => voiceFor(tried, tag)).say(
      SAMPLE,
      language(),
      voiceFor(tried, language()).rate,
    );
  });
  element("export", HTMLButtonElement).addEventListener("click", () => download());
  input("import").addEventListener("change", () => void upload());
  await showKeys();
}

function show(options: Options): void {
  input("service").value = options.service;
  input("token").value = options.token;
  input(options.delayed ? "mode-delayed" : "mode-live").checked = true;
  input("delay").value = String(options.delay);
  input("language").value = options.language;
  showSettings();
}

function showSettings(): void {
  select("speech").value = settings.speech;
  select("detail").value = settings.detail;
  select("screen-text").value = settings.screenText;
  input("duck").value = String(Math.round(settings.duck * 100));
  showVoice();
}

function showVoice(): void {
  const voice = voiceFor(settings, language());
  input("rate").value = String(voice.rate);
  input("pitch").value = String(voice.pitch);
  input("volume").value = String(Math.round(voice.volume * 100));
  showVoices();
}

function showVoices(): void {
  const list = select("voice");
  const chosen = voiceFor(settings, language()).voice ?? "";
  while (list.options.length > 1) list.remove(1);
  for (const voice of speechSynthesis.getVoices()) {
    if (!voice.lang.toLowerCase().startsWith(language())) continue;
    list.add(new Option(`${voice.name} (${voice.lang})`, voice.voiceURI));
  }
  list.value = chosen;
}

function language(): string {
  return input("language").value.trim().toLowerCase() || "en";
}

/** The settings as the form has them. */
function given(): Settings {
  const changed = readSettings({
    ...settings,
    speech: select("speech").value,
    detail: select("detail").value,
    screenText: select("screen-text").value,
    duck: Number(input("duck").value) / 100,
  });
  return withVoice(changed, language(), {
    voice: select("voice").value || null,
    rate: Number(input("rate").value),
    pitch: Number(input("pitch").value),
    volume: Number(input("volume").value) / 100,
  });
}

async function save(): Promise<void> {
  const service = serviceAddress(input("service").value);
  const error = element("service-error", HTMLElement);
  error.textContent = service === null ? ADDRESS : "";
  input("service").setAttribute("aria-invalid", String(service === null));
  if (service === null) {
    input("service").focus();
    return;
  }
  saveOptions({
    service,
    token: input("token").value.trim(),
    delayed: input("mode-delayed").checked,
    delay: Number(input("delay").value),
    language: language(),
  });
  settings = given();
  await saveSettings("", settings);
  show(loadOptions());
  said("Saved. It holds from the next start on.");
}

function said(text: string): void {
  element("saved", HTMLElement).textContent = text;
}

function download(): void {
  const link = document.createElement("a");
  const file = new Blob([exported(given())], { type: "application/json" });
  link.href = URL.createObjectURL(file);
  link.download = "strad-settings.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

async function upload(): Promise<void> {
  const file = input("import").files?.[0];
  const found = file ? imported(await file.text()) : null;
  if (found === null) {
    said("That file holds no settings of Strad.");
    return;
  }
  settings = found;
  showSettings();
  said("Imported. Save to keep it.");
}

async function showKeys(): Promise<void> {
  const kept = await chrome.commands.getAll();
  const rows = COMMANDS.map((command) => {
    const row = document.createElement("tr");
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = COMMAND_NAMES[command];
    row.append(name);
    const anywhere = kept.find((each) => each.name === command)?.shortcut || "none yet";
    for (const text of [anywhere, readable(settings.keys[command])]) {
      row.insertCell().textContent = text;
    }
    return row;
  });
  element("keys", HTMLElement).replaceChildren(...rows);
}

void begin();

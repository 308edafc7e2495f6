// The form of the viewer's settings: shows them, and changes them.

import {
  COMMAND_NAMES,
  COMMANDS,
  type Command,
  clash,
  exported,
  imported,
  language,
  readSettings,
  type Settings,
  voiceFor,
  withVoice,
} from "../../web/src/index.ts";
import type { Description } from "./describe.ts";
import { byId } from "./elements.ts";
import { showKeys } from "./playback.ts";

const CHOICES = ["speech", "detail", "screenText"] as const;
const NUMBERS = ["rate", "pitch", "volume"] as const;

export class SettingsForm {
  readonly #form = byId("settings-form", HTMLFormElement);
  readonly #keys = byId("keys", HTMLElement);
  readonly #error = byId("keys-error", HTMLElement);
  readonly #export = byId("export", HTMLAnchorElement);
  #description: Description | null = null;
  #blob = "";
  #voicesOf = "";

  constructor() {
    this.#keys.replaceChildren(...COMMANDS.map(keyField));
    this.#form.onsubmit = (event) => event.preventDefault();
    this.#form.onchange = (event) => this.#change(event.target);
    globalThis.speechSynthesis?.addEventListener("voiceschanged", () => this.#offerVoices());
  }

  open(description: Description): void {
    this.#description = description;
    this.#offerVoices();
  }

  show(settings: Settings, spoken: string): void {
    showKeys(settings.keys, settings.on);
    if (spoken !== this.#voicesOf) this.#offerVoices();
    for (const name of CHOICES) this.#input(name).value = settings[name];
    const voice = voiceFor(settings, spoken);
    for (const name of NUMBERS) this.#number(name, voice[name]);
    this.#number("duck", Math.round(settings.duck * 100));
    this.#input("voice").value = voice.voice ?? "";
    const extended = this.#input("extended");
    if (extended instanceof HTMLInputElement) extended.checked = settings.extended;
    for (const command of COMMANDS) {
      const field = this.#input(`key-${command}`);
      if (field !== document.activeElement && field.getAttribute("aria-invalid") !== "true")
        field.value = settings.keys[command];
    }
    this.#offerExport(settings);
  }

  #change(target: EventTarget | null): void {
    const description = this.#description;
    if (
      !description ||
      !(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)
    )
      return;
    if (target.id === "import") void this.#import(target as HTMLInputElement, description);
    else if (target.name.startsWith("key-")) this.#changeKey(target, description);
    else description.change(this.#changed(description, target));
  }

  #changed(
    { settings, language: spoken }: Description,
    target: HTMLInputElement | HTMLSelectElement,
  ): Settings {
    const { name, value } = target;
    if (name === "voice") return withVoice(settings, spoken, { voice: value || null });
    if ((NUMBERS as readonly string[]).includes(name))
      return withVoice(settings, spoken, { [name]: Number(value) });
    if (name === "duck") return { ...settings, duck: Number(value) / 100 };
    if (name === "extended") return { ...settings, extended: (target as HTMLInputElement).checked };
    return readSettings({ ...settings, [name]: value });
  }

  #changeKey(target: HTMLInputElement | HTMLSelectElement, description: Description): void {
    const command = target.name.slice("key-".length) as Command;
    const chord = target.value.trim();
    const { keys } = description.settings;
    const other = COMMANDS.find((each) => each !== command && chord && keys[each] === chord);
    const why = other ? `“${COMMAND_NAMES[other]}” has it` : chord ? clash(chord) : null;
    target.setAttribute("aria-invalid", String(why !== null));
    this.#error.textContent = why ? `${chord}: ${why}.` : "";
    if (why === null)
      description.change({ ...description.settings, keys: { ...keys, [command]: chord } });
  }

  async #import(target: HTMLInputElement, description: Description): Promise<void> {
    const file = target.files?.[0];
    if (!file) return;
    const settings = imported(await file.text());
    this.#error.textContent = settings ? "" : `${file.name} is no export of these settings.`;
    if (settings) description.change(settings);
    target.value = "";
  }

  #offerExport(settings: Settings): void {
    if (this.#blob) URL.revokeObjectURL(this.#blob);
    this.#blob = URL.createObjectURL(new Blob([exported(settings)], { type: "application/json" }));
    this.#export.href = this.#blob;
  }

  /** Those of the programme's language: Speech Dispatcher has thousands. Browsers tell them late. */
  #offerVoices(): void {
    const select = this.#input("voice");
    const description = this.#description;
    if (!(select instanceof HTMLSelectElement) || !description) return;
    const all = globalThis.speechSynthesis?.getVoices() ?? [];
    this.#voicesOf = description.language;
    const voices = all.filter((v) => language(v.lang) === language(description.language));
    const first = select.options[0];
    const offered = voices.map((v) => new Option(`${v.name} (${v.lang})`, v.voiceURI));
    select.replaceChildren(...(first ? [first] : []), ...offered);
    select.value = voiceFor(description.settings, description.language).voice ?? "";
  }

  #number(name: string, value: number): void {
    const input = this.#input(name);
    if (input.value !== String(value)) input.value = String(value);
  }

  #input(name: string): HTMLInputElement | HTMLSelectElement {
    return this.#form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
  }
}

function keyField(command: Command): HTMLElement {
  const label = document.createElement("label");
  label.className = "field";
  const input = document.createElement("input");
  input.type = "text";
  input.name = `key-${command}`;
  input.autocomplete = "off";
  input.spellcheck = false;
  input.maxLength = 60;
  label.append(COMMAND_NAMES[command], input);
  return label;
}

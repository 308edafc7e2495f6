// What a viewer has chosen: kept for each site, read leniently, exported as JSON.

export const COMMANDS = [
  "toggle",
  "repeat",
  "missed",
  "scene",
  "skip",
  "louder",
  "quieter",
  "faster",
  "slower",
  "more",
  "less",
  "wrong",
  "late",
] as const;
export type Command = (typeof COMMANDS)[number];

export const DETAILS = ["brief", "normal", "full"] as const;
export type Detail = (typeof DETAILS)[number];

export const SCREEN_TEXTS = ["always", "brief", "off"] as const;
export type ScreenText = (typeof SCREEN_TEXTS)[number];

export const SPEECHES = ["voice", "service", "screen-reader", "silent"] as const;
/** The browser's voice; the service's, where it has one; the screen reader, by a live region; none. */
export type SpeechMode = (typeof SPEECHES)[number];

export interface VoiceChoice {
  /** `voiceURI`; null: the best one for the language. */
  readonly voice: string | null;
  /** 0.5 to 3, as Web Speech counts. */
  readonly rate: number;
  /** 0 to 2. */
  readonly pitch: number;
  /** 0 to 1. */
  readonly volume: number;
}

export interface Settings {
  readonly on: boolean;
  readonly speech: SpeechMode;
  readonly detail: Detail;
  readonly screenText: ScreenText;
  /** Gain of the programme while something is described; 1: it isn't ducked. */
  readonly duck: number;
  /** Pause the programme for a description that needs more room. */
  readonly extended: boolean;
  /** By language, such as `en`. */
  readonly voices: Readonly<Record<string, VoiceChoice>>;
  /** By command, such as `Alt+Shift+D`; empty: none. */
  readonly keys: Readonly<Record<Command, string>>;
}

export const VOICE: VoiceChoice = { voice: null, rate: 1, pitch: 1, volume: 1 };

export const KEYS: Readonly<Record<Command, string>> = {
  toggle: "Alt+Shift+D",
  repeat: "Alt+Shift+S",
  missed: "Alt+Shift+W",
  scene: "Alt+Shift+N",
  skip: "Alt+Shift+J",
  louder: "Alt+Shift+Equal",
  quieter: "Alt+Shift+Minus",
  faster: "Alt+Shift+Period",
  slower: "Alt+Shift+Comma",
  more: "Alt+Shift+BracketRight",
  less: "Alt+Shift+BracketLeft",
  wrong: "Alt+Shift+Z",
  late: "Alt+Shift+Y",
};

export const DEFAULTS: Settings = {
  on: false,
  speech: "voice",
  detail: "normal",
  screenText: "always",
  duck: 0.39,
  extended: false,
  voices: {},
  keys: KEYS,
};

export function language(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] || "en"; // Android writes en_US
}

export function voiceFor(settings: Settings, tag: string): VoiceChoice {
  return settings.voices[language(tag)] ?? VOICE;
}

export function withVoice(settings: Settings, tag: string, change: Partial<VoiceChoice>): Settings {
  const voice = readVoice({ ...voiceFor(settings, tag), ...change });
  return { ...settings, voices: { ...settings.voices, [language(tag)]: voice } };
}

/** Settings out of whatever was kept: what is missing or wrong is as by default. */
export function readSettings(kept: unknown): Settings {
  const given = fields(kept);
  return {
    on: typeof given.on === "boolean" ? given.on : DEFAULTS.on,
    speech: one(SPEECHES, given.speech, DEFAULTS.speech),
    detail: one(DETAILS, given.detail, DEFAULTS.detail),
    screenText: one(SCREEN_TEXTS, given.screenText, DEFAULTS.screenText),
    duck: number(given.duck, 0, 1, DEFAULTS.duck),
    extended: typeof given.extended === "boolean" ? given.extended : DEFAULTS.extended,
    voices: readVoices(given.voices),
    keys: readKeys(given.keys),
  };
}

const FORMAT = "strad-viewer-settings";

export function exported(settings: Settings): string {
  return `${JSON.stringify({ format: FORMAT, version: 1, settings }, null, 2)}\n`;
}

/** Null where `text` is no export. */
export function imported(text: string): Settings | null {
  try {
    const file = fields(JSON.parse(text));
    return file.format === FORMAT && file.version === 1 ? readSettings(file.settings) : null;
  } catch {
    return null;
  }
}

/** Where settings are kept, by site. */
export interface Shelf {
  load(): Promise<Settings>;
  save(settings: Settings): Promise<void>;
}

/** `localStorage` belongs to one origin, so it is kept per site already. */
export class LocalShelf implements Shelf {
  readonly #name: string;

  constructor(name = "strad-viewer") {
    this.#name = name;
  }

  async load(): Promise<Settings> {
    try {
      return readSettings(JSON.parse(localStorage.getItem(this.#name) ?? "null"));
    } catch {
      return DEFAULTS; // storage may be forbidden
    }
  }

  async save(settings: Settings): Promise<void> {
    try {
      localStorage.setItem(this.#name, JSON.stringify(settings));
    } catch {
      // storage may be forbidden or full: what was chosen holds until the page is left
    }
  }
}

function readVoices(given: unknown): Record<string, VoiceChoice> {
  const voices = Object.entries(fields(given)).filter(([tag]) => /^[a-z]{2,8}$/.test(tag));
  return Object.fromEntries(voices.slice(0, 100).map(([tag, voice]) => [tag, readVoice(voice)]));
}

function readVoice(given: unknown): VoiceChoice {
  const { voice, rate, pitch, volume } = fields(given);
  return {
    voice: typeof voice === "string" ? voice.slice(0, 500) : null,
    rate: number(rate, 0.5, 3, VOICE.rate),
    pitch: number(pitch, 0, 2, VOICE.pitch),
    volume: number(volume, 0, 1, VOICE.volume),
  };
}

function readKeys(given: unknown): Record<Command, string> {
  const known = fields(given);
  const key = (command: Command) => {
    const chord = known[command];
    return typeof chord === "string" && chord.length <= 60 ? chord : KEYS[command];
  };
  return Object.fromEntries(COMMANDS.map((c) => [c, key(c)])) as Record<Command, string>;
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function one<T extends string>(choices: readonly T[], given: unknown, otherwise: T): T {
  return choices.find((choice) => choice === given) ?? otherwise;
}

function number(given: unknown, least: number, most: number, otherwise: number): number {
  if (typeof given !== "number" || !Number.isFinite(given)) return otherwise;
  return Math.round(Math.min(most, Math.max(least, given)) * 100) / 100;
}

// What the viewer has set for the extension, beside how it speaks: kept in the extension's own
// localStorage, which its pages and its offscreen document share.

import { LocalShelf, readSettings, type Settings } from "../../web/src/settings.ts";

export interface Options {
  /** The service's address. */
  readonly service: string;
  /** An API key or token for it; empty: it asks for none. */
  readonly token: string;
  /** Whether picture and sound are held back, so that a description lands in its gap. */
  readonly delayed: boolean;
  /** Seconds they are held back. */
  readonly delay: number;
  /** Of the descriptions and what is spoken. */
  readonly language: string;
}

export const OPTIONS: Options = {
  service: "http://127.0.0.1:8000/",
  token: "",
  delayed: false,
  delay: 12,
  language: "en",
};

const NAME = "strad-extension";
const SETTINGS = "strad-viewer";

export function loadOptions(): Options {
  const kept = read(localStorage.getItem(NAME));
  return {
    service: serviceAddress(String(kept.service ?? "")) ?? OPTIONS.service,
    token: typeof kept.token === "string" ? kept.token : "",
    delayed: kept.delayed === true,
    delay: typeof kept.delay === "number" ? Math.min(60, Math.max(4, kept.delay)) : OPTIONS.delay,
    language: /^[a-z]{2,8}$/.test(String(kept.language)) ? String(kept.language) : "en",
  };
}

export function saveOptions(options: Options): void {
  localStorage.setItem(NAME, JSON.stringify(options));
}

/** An address that media may be sent to: https, or this machine's own; null for any other. */
export function serviceAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const here = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && here)) return null;
  if (url.username || url.password) return null;
  return `${url.origin}${url.pathname.replace(/\/?$/, "/")}`;
}

/** How it speaks on a site: as was chosen there, else as everywhere. */
export async function loadSettings(site: string): Promise<Settings> {
  const here = localStorage.getItem(`${SETTINGS} ${site}`);
  return here ? readSettings(read(here)) : new LocalShelf(SETTINGS).load();
}

/** `site` empty: for everywhere. */
export async function saveSettings(site: string, settings: Settings): Promise<void> {
  await new LocalShelf(site ? `${SETTINGS} ${site}` : SETTINGS).save(settings);
}

function read(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

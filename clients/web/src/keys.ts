// Key chords: which key event is which command.

import { COMMANDS, type Command, type Settings } from "./settings.ts";

const MODIFIERS = ["Ctrl", "Alt", "Shift", "Meta"] as const;

/** A key event, as far as a chord goes. */
export interface Press {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
}

/** Such as `Alt+Shift+D`. A letter is the letter that is printed on the key, else it is its place. */
export function chordOf(press: Press): string {
  const held = [press.ctrlKey, press.altKey, press.shiftKey, press.metaKey];
  const modifiers = MODIFIERS.filter((_, n) => held[n]);
  return [...modifiers, nameOf(press)].join("+");
}

function nameOf({ key, code }: Press): string {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  return code.replace(/^(Key|Digit)/, "") || key; // Option types other letters on a Mac
}

export function commandOf(settings: Settings, press: Press): Command | null {
  const chord = chordOf(press);
  return COMMANDS.find((command) => settings.keys[command] === chord) ?? null;
}

/**
 * Why a chord can't be taken, in words; null where it can.
 *
 * Screen readers own CapsLock and Insert, VoiceOver Ctrl+Option (Ctrl+Alt), NVDA and JAWS single
 * keys in browse mode; browsers own Ctrl and Meta, and menus Alt alone; players single keys.
 */
export function clash(chord: string): string | null {
  const parts = chord.split("+");
  const has = (name: string) => parts.includes(name);
  if (MODIFIERS.includes(parts.at(-1) as (typeof MODIFIERS)[number])) return "a key is missing";
  if (has("Meta")) return "the Meta key is the system's";
  if (has("Ctrl") && has("Alt")) return "Ctrl with Alt is VoiceOver's, and types characters";
  if (has("Ctrl")) return "Ctrl is the browser's and the screen reader's";
  if (!has("Alt")) return "keys without Alt are the page's, the player's and the screen reader's";
  if (!has("Shift")) return "Alt alone opens the browser's menus";
  return TAKEN.get(parts.at(-1) ?? "") ?? null;
}

/** With Alt and Shift: Chromium's own, and Orca's lists of what is on a page. */
export const TAKEN: ReadonlyMap<string, string> = new Map([
  ...["I", "T"].map((key) => [key, "Chromium uses it"] as const),
  ...[..."ABCEFGHKLMOPQRUVX123456"].map((key) => [key, "the screen reader Orca uses it"] as const),
  ...["Tab", "Escape", "Enter", "Space"].map((key) => [key, "it moves the focus"] as const),
]);

/** As a person reads it: `Alt+Shift+]`. */
export function readable(chord: string): string {
  const signs: Record<string, string> = {
    Equal: "=",
    Minus: "-",
    Period: ".",
    Comma: ",",
    BracketLeft: "[",
    BracketRight: "]",
    Slash: "/",
    Semicolon: ";",
    Quote: "'",
    Backquote: "`",
    Backslash: "\\",
  };
  return chord
    .split("+")
    .map((part) => signs[part] ?? part)
    .join("+");
}

/** As `aria-keyshortcuts` wants it. */
export function ariaChord(chord: string): string {
  return readable(chord).replace(/^Ctrl\b/, "Control");
}

/** Whether what has the focus is typed into: its keys are its own. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  const choosing = /^(button|checkbox|radio|range|submit|reset|color|file)$/;
  return target instanceof HTMLInputElement && !choosing.test(target.type);
}

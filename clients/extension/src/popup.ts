// The popup: how it stands, in words, and a button for everything.

import { ariaChord } from "../../web/src/keys.ts";
import { COMMAND_NAMES } from "../../web/src/phrases.ts";
import { COMMANDS, type Command, KEYS } from "../../web/src/settings.ts";
import { element } from "./elements.ts";
import type { Message, Status } from "./messages.ts";

const ui = {
  line: element("line", HTMLElement),
  toggle: element("toggle", HTMLButtonElement),
  running: element("running", HTMLElement),
  last: element("last", HTMLElement),
  draft: element("draft", HTMLElement),
  commands: element("commands", HTMLElement),
  picture: element("picture", HTMLButtonElement),
  noticesSection: element("notices-section", HTMLElement),
  notices: element("notices", HTMLElement),
};

const OFF = "Audio description is off.";

let tab: number | null = null;
let shown = 0;

async function begin(): Promise<void> {
  tab = await tabHere();
  for (const command of COMMANDS) if (command !== "toggle") ui.commands.append(button(command));
  ui.toggle.addEventListener(
    "click",
    () => void tell({ to: "worker", type: "toggle", tab: tab ?? -1 }),
  );
  ui.picture.addEventListener("click", () => void tell({ to: "worker", type: "picture" }));
  chrome.runtime.onMessage.addListener((message: Message) => {
    if (message.to === "panel") show(message.status);
  });
  show((await tell({ to: "offscreen", type: "status" })) ?? null);
  ui.toggle.focus();
}

/** The tab that is looked at; where this page is a tab itself, the address names it. */
async function tabHere(): Promise<number | null> {
  const named = Number(new URLSearchParams(location.search).get("tab"));
  if (named) return named;
  const [found] = await chrome.tabs.query({ active: true, currentWindow: true });
  return found?.id ?? null;
}

function button(command: Command): HTMLLIElement {
  const item = document.createElement("li");
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = COMMAND_NAMES[command];
  made.setAttribute("aria-keyshortcuts", ariaChord(KEYS[command]));
  made.addEventListener("click", () => void tell({ to: "offscreen", type: "command", command }));
  item.append(made);
  return item;
}

/** What is answered; null where nobody listens. */
async function tell(message: Message): Promise<Status | null> {
  try {
    return ((await chrome.runtime.sendMessage(message)) as Status | undefined) ?? null;
  } catch {
    return null; // nothing runs: there is no offscreen document
  }
}

function show(status: Status | null): void {
  const on = status !== null && status.tab !== null;
  const here = on && status.tab === tab;
  put(ui.line, on && !here ? `${status.line} It describes another tab.` : (status?.line ?? OFF));
  put(ui.toggle, here ? "Stop" : on ? "Start here instead" : "Start");
  ui.running.hidden = !on;
  put(ui.last, status?.last || "Nothing yet.");
  ui.draft.hidden = !status?.draft;
  ui.picture.hidden = status?.mode !== "delayed";
  const notices = status?.notices ?? [];
  ui.noticesSection.hidden = notices.length === 0;
  if (notices.length < shown) ui.notices.replaceChildren();
  for (const { text } of notices.slice(ui.notices.childElementCount)) {
    const item = document.createElement("li");
    item.textContent = text;
    ui.notices.append(item);
  }
  shown = notices.length;
}

/** Only what differs, so that a screen reader isn't told the same twice. */
function put(into: HTMLElement, text: string): void {
  if (into.textContent !== text) into.textContent = text;
}

void begin();

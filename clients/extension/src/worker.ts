// The service worker: what a user does to the extension arrives here, and only from here may a tab
// be captured. It keeps no state, for the browser ends it when it likes: what runs, runs in the
// offscreen document.

import { COMMANDS, type Command } from "../../web/src/settings.ts";
import { discover } from "./discovery.ts";
import {
  isOurs,
  type Message,
  type StartOrder,
  type Status,
  type ToOffscreen,
} from "./messages.ts";

const OFFSCREEN = "offscreen.html";
const PICTURE = "picture.html";

/** How often a page that lets nobody in is tried again, and after how many milliseconds. */
const TRIES = 4;
const AGAIN = 150;

/** Tabs whose start is under way: a second click does not start them twice. */
const starting = new Set<number>();

chrome.action.onClicked.addListener((tab) => void toggle(tab));

chrome.commands.onCommand.addListener((command, tab) => {
  if (command === "toggle" && tab) void toggle(tab);
  else if (COMMANDS.some((each) => each === command)) void order(command as Command);
});

chrome.runtime.onMessage.addListener((message: Message, sender) => {
  if (message.to !== "worker" || !isOurs(sender)) return;
  if (message.type === "toggle") void chrome.tabs.get(message.tab).then(toggle);
  if (message.type === "picture") void showPicture();
  if (message.type === "changed") void show(message.status);
});

/** A page that was left takes its content script with it. */
chrome.tabs.onUpdated.addListener((tab, change) => {
  if (change.status !== undefined) void follow(tab, change.status === "complete");
});

async function toggle(tab: chrome.tabs.Tab): Promise<void> {
  if (tab.id === undefined || starting.has(tab.id)) return;
  starting.add(tab.id);
  try {
    const status = await ask({ to: "offscreen", type: "status" });
    if (status?.tab === tab.id) await ask({ to: "offscreen", type: "stop" });
    else await start(tab, tab.id);
  } finally {
    starting.delete(tab.id);
  }
}

async function order(command: Command): Promise<void> {
  await ask({ to: "offscreen", type: "command", command });
}

async function start(tab: chrome.tabs.Tab, id: number): Promise<void> {
  const begin = await prepared(tab, id);
  await openOffscreen();
  const status = await ask(begin);
  if (status?.tab === id) await inject(id);
}

async function prepared(tab: chrome.tabs.Tab, id: number): Promise<StartOrder> {
  const order = {
    to: "offscreen",
    type: "start",
    tab: id,
    site: siteOf(tab.url),
    title: tab.title ?? "",
    capture: null,
    offer: null,
    fault: null,
  } as const;
  try {
    const offer = await offered(id);
    if (offer !== null) return { ...order, offer };
    const capture = await chrome.tabCapture.getMediaStreamId({ targetTabId: id });
    return { ...order, capture };
  } catch (error) {
    console.warn("This tab can't be described:", String(error));
    return { ...order, fault: refusal(String(error)) };
  }
}

/** What the page offers. A user's permission may reach the page a moment after it reaches us. */
async function offered(tab: number): Promise<string | null> {
  for (let left = TRIES; ; left -= 1) {
    try {
      const [found] = await chrome.scripting.executeScript({
        target: { tabId: tab },
        func: discover,
      });
      return found?.result ?? null;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

function refusal(error: string): string {
  if (/active stream/i.test(error)) return "This tab is captured by another extension already.";
  return "The browser does not let extensions into this page, so it can't be described.";
}

function siteOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : "";
}

/** The content script, in every frame that the browser lets us into. */
async function inject(tab: number): Promise<void> {
  await chrome.scripting.executeScript({
    target: { tabId: tab, allFrames: true },
    files: ["content.js"],
  });
}

/** As soon as the site is left nothing of the tab is recorded any more, however long a page loads. */
async function follow(tab: number, complete: boolean): Promise<void> {
  const status = await ask({ to: "offscreen", type: "status" });
  if (status?.tab !== tab) return;
  try {
    const { url } = await chrome.tabs.get(tab);
    if (url === undefined) throw new Error("the user's permission was for the site that was left");
    if (!complete) return;
    if (status.offer !== null && (await offered(tab)) !== status.offer)
      throw new Error("this page offers another stream, or none");
    await inject(tab);
  } catch {
    await ask({ to: "offscreen", type: "lost", tab });
  }
}

async function hasOffscreen(): Promise<boolean> {
  const found = await chrome.runtime.getContexts({
    contextTypes: [chrome.runtime.ContextType.OFFSCREEN_DOCUMENT],
  });
  return found.length > 0;
}

/** There is one at most: a second is never made. */
async function openOffscreen(): Promise<void> {
  if (await hasOffscreen()) return;
  try {
    await chrome.offscreen.createDocument({
      url: OFFSCREEN,
      reasons: [chrome.offscreen.Reason.USER_MEDIA],
      justification: "Captures the tab that the user asked to have described, and speaks.",
    });
  } catch (error) {
    if (!(await hasOffscreen())) throw error;
  }
}

/** What the offscreen document answers; null where there is none. */
async function ask(message: ToOffscreen): Promise<Status | null> {
  if (!(await hasOffscreen())) return null;
  return (await chrome.runtime.sendMessage(message)) as Status;
}

async function showPicture(): Promise<void> {
  await chrome.tabs.create({ url: PICTURE });
}

/** On the toolbar, for those who look there. */
async function show(status: Status): Promise<void> {
  const on = status.tab !== null;
  await chrome.action.setBadgeText({ text: on ? "AD" : "" });
  await chrome.action.setTitle({ title: on ? "Audio description: on" : "Audio description: off" });
}

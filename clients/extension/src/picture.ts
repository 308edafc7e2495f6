// The picture that is held back, for those who watch along: what was recorded, played without sound
// as late as the extension's sound.

import { DelayedMedia } from "./delayed_media.ts";
import { element } from "./elements.ts";
import { loadOptions } from "./options.ts";
import { Recorder } from "./recorder.ts";

interface Recorded {
  readonly data: ArrayBuffer;
  readonly begins: number | null;
}

/** Seconds by which picture and sound may be apart. */
const APART = 0.12;

async function begin(): Promise<void> {
  const video = element("video", HTMLVideoElement);
  const media = new DelayedMedia(video, loadOptions().delay, Recorder.type);
  await media.open();
  const channel = new BroadcastChannel("recorded");
  let begun = false;
  channel.addEventListener(
    "message",
    ({ data }: MessageEvent<Recorded | { heard: number; playing: boolean }>) => {
      if ("data" in data) {
        begun ||= data.begins !== null;
        if (begun) media.take(data.data, data.begins);
        return;
      }
      const there = video.buffered.length > 0 && video.buffered.start(0) <= data.heard + APART;
      if (there && Math.abs(media.at - data.heard) > APART) media.seek(data.heard);
      media.follow(data.playing && there, true);
      element("line", HTMLElement).textContent = data.playing ? "" : "The picture waits.";
    },
  );
  channel.postMessage({ wants: true }); // a recording that begins with its header
}

void begin();

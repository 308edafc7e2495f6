// What hls.js knows and a description needs: where stream time 0 lies, and which audio is on.

import type Hls from "hls.js";
import type { Events } from "hls.js";
import type { Description } from "./describe.ts";

const CLOCK = 90_000;
const DESCRIBES_VIDEO = "public.accessibility.describes-video";

/**
 * Keeps `description` right for a video that hls.js plays. `mpegts`: the 90 kHz timestamp that the
 * video carries at stream time 0, as in docs/tracks.md; null: the video begins with the stream.
 */
export function watchHls(hls: Hls, description: Description, mpegts: number | null): void {
  const named = (event: `${Events}`) => event as Events.INIT_PTS_FOUND; // this file brings no hls.js
  hls.on(named("hlsInitPtsFound"), (_event, found) => {
    if (mpegts === null || found.id !== "main") return;
    description.offset = (mpegts - (found.initPTS / found.timescale) * CLOCK) / CLOCK;
  });
  const look = () => {
    const audio = hls.audioTracks[hls.audioTrack];
    description.describedAudio = audio?.characteristics?.includes(DESCRIBES_VIDEO) ?? false;
  };
  hls.on(named("hlsAudioTrackSwitched"), look);
  hls.on(named("hlsAudioTracksUpdated"), look);
}

// The core that all web clients share.

export { Assistant, type Listening } from "./assistant.ts";
export { type Epoch, FIRST, playerTime, StreamClock } from "./clock.ts";
export {
  Connection,
  type ConnectionState,
  type Credentials,
  type Listener,
  type Network,
  NotAnswered,
  type Request,
  type Watched,
} from "./connection.ts";
export { type Cue, cueOf } from "./cue.ts";
export { type Ducking, GainDucking, noDucking, RAMP, VolumeDucking } from "./ducking.ts";
export { type Fit, type Fitted, fitted, isWanted } from "./fitting.ts";
export {
  ariaChord,
  chordOf,
  clash,
  commandOf,
  isTyping,
  type Press,
  readable,
  TAKEN,
} from "./keys.ts";
export { LiveRegion, type Region } from "./live_region.ts";
export { AudioElement, type Loudspeaker } from "./loudspeaker.ts";
export { Narrator, type Told, type Unsaid } from "./narrator.ts";
export { Pace } from "./pace.ts";
export { COMMAND_NAMES, DRAFT, LANGUAGE, phrases } from "./phrases.ts";
export { LONGEST_UTTERANCE, pieces } from "./pieces.ts";
export type { Player, Playhead } from "./player.ts";
export type * from "./protocol/viewing.ts";
export { MOST_CUES, Schedule } from "./schedule.ts";
export { type FetchSound, ServiceVoice, type SoundWorld } from "./service_voice.ts";
export {
  COMMANDS,
  type Command,
  DEFAULTS,
  DETAILS,
  type Detail,
  exported,
  imported,
  KEYS,
  LocalShelf,
  language,
  readSettings,
  SCREEN_TEXTS,
  type ScreenText,
  type Settings,
  type Shelf,
  SPEECHES,
  type SpeechMode,
  VOICE,
  type VoiceChoice,
  voiceFor,
  withVoice,
} from "./settings.ts";
export { bestVoice, Speech, type SpeechWorld, type Synthesis } from "./speech.ts";
export { Silence, SwitchedVoice, type Voices } from "./switched_voice.ts";
export { cuesOf, DescriptionTrack, escaped } from "./text_track.ts";
export { type Cancel, realTimers, type Timers } from "./timers.ts";
export { type Media, VideoPlayer } from "./video_player.ts";
export type { Outcome, Voice } from "./voice.ts";

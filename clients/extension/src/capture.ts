// The captured tab: its picture and sound, and the way its sound goes on to the viewer's ears.

import { type Ducking, GainDucking } from "../../web/src/ducking.ts";

export interface Quality {
  readonly width: number;
  readonly height: number;
  readonly rate: number;
  /** Bits a second of picture. */
  readonly bits: number;
  /** Milliseconds until there is a picture again that needs none before it. */
  readonly whole: number;
}

/** For the service alone: it looks at a picture a second. */
export const TO_DESCRIBE: Quality = {
  width: 854,
  height: 480,
  rate: 10,
  bits: 900_000,
  whole: 10_000,
};

/** For a viewer too, who watches what is recorded: after a pause a browser waits for a whole picture. */
export const TO_WATCH: Quality = {
  width: 1280,
  height: 720,
  rate: 30,
  bits: 3_000_000,
  whole: 1_000,
};

/** A tab's stream. Without the way on to the ears, capturing would make the tab mute. */
export class Capture {
  readonly stream: MediaStream;
  readonly ducking: Ducking;
  readonly #audio: AudioContext;
  readonly #gain: GainNode;
  readonly #meter: AnalyserNode;
  #source: MediaStreamAudioSourceNode | null = null;
  readonly #samples: Float32Array<ArrayBuffer>;

  private constructor(stream: MediaStream, audio: AudioContext, live: boolean) {
    this.stream = stream;
    this.#audio = audio;
    this.#gain = audio.createGain();
    this.#gain.connect(audio.destination);
    this.ducking = new GainDucking(this.#gain.gain, () => audio.currentTime);
    this.#meter = audio.createAnalyser();
    this.#samples = new Float32Array(this.#meter.fftSize);
    if (stream.getAudioTracks().length === 0) return;
    this.#source = audio.createMediaStreamSource(stream);
    this.#source.connect(this.#meter);
    this.pass(live);
  }

  /** `live`: what is captured is heard at once; else `route` says what is heard. */
  static async open(id: string, quality: Quality, live: boolean): Promise<Capture> {
    const source = { chromeMediaSource: "tab", chromeMediaSourceId: id };
    const { width, height, rate } = quality;
    const picture = { ...source, maxWidth: width, maxHeight: height, maxFrameRate: rate };
    // Chromium takes a tab's id only in this older form of constraints, which the types don't know.
    const constraints = { audio: { mandatory: source }, video: { mandatory: picture } };
    const stream = await navigator.mediaDevices.getUserMedia(
      constraints as unknown as MediaStreamConstraints,
    );
    const audio = new AudioContext();
    await audio.resume();
    return new Capture(stream, audio, live);
  }

  /** Whether what is captured is heard at once. */
  pass(live: boolean): void {
    if (live) this.#source?.connect(this.#gain);
    else this.#source?.disconnect();
    this.#source?.connect(this.#meter);
  }

  /** Let the viewer hear this element instead of the tab. */
  route(element: HTMLMediaElement): void {
    this.#audio.createMediaElementSource(element).connect(this.#gain);
  }

  /** What the viewer's sound is multiplied with now. */
  get depth(): number {
    return this.#gain.gain.value;
  }

  /** How loud the tab is now: the root mean square of the newest samples, 0 to 1. */
  level(): number {
    this.#meter.getFloatTimeDomainData(this.#samples);
    const sum = this.#samples.reduce((all, sample) => all + sample * sample, 0);
    return Math.sqrt(sum / this.#samples.length);
  }

  /** Told when the tab is closed, or the browser takes the capture away. */
  onEnd(told: () => void): void {
    for (const track of this.stream.getTracks()) track.addEventListener("ended", told);
  }

  async close(): Promise<void> {
    for (const track of this.stream.getTracks()) track.stop();
    await this.#audio.close();
  }
}

"""Where pictures, sound and dialogue come from, and fetching them for a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from strad.cues import Cue
from strad.errors import InputError
from strad.srt import read_srt
from strad.text_file import read_text
from strad.timeline import to_seconds
from strad.webvtt import read_webvtt
from strad_engines.messages import Audio, Image
from strad_eval.asking.frames import frames_of, inside
from strad_eval.asking.shown import Shown
from strad_eval.asking.sound import sound_of
from strad_eval.asking.videos import decoded, video_of
from strad_eval.mcq.item import Item


@dataclass(frozen=True, slots=True)
class Sources:
    """Folders, as far as they are given; entries are named by the video's id."""

    frames: Path | None = None
    """A folder of pictures for each video."""
    audio: Path | None = None
    """A WAV file each."""
    videos: Path | None = None
    """A video file each, for what the other two don't bring; needs PyAV."""
    transcripts: Path | None = None
    """A WebVTT or SRT file each, where the questions bring no dialogue."""

    def check(self, ways: Sequence[Shown]) -> None:
        """Raise InputError for a way of showing that there is nothing to show for."""
        for one in ways:
            if one.sees and self.frames is None and self.videos is None:
                raise InputError(f"--show {one.way} needs --frames-from or --videos")
            if one.hears and self.audio is None and self.videos is None:
                raise InputError(f"--show {one.way} needs --audio-from or --videos")

    @property
    def said(self) -> str:
        """Where things come from: a part of every answer's key."""
        parts = (("frames", self.frames), ("audio", self.audio), ("videos", self.videos))
        return ", ".join(f"{what} {path.name}" for what, path in parts if path is not None)


@dataclass(frozen=True, slots=True)
class Media:
    """What is seen and heard of one question."""

    frames: tuple[Image, ...] = ()
    audio: Audio | None = None


def media_of(sources: Sources, item: Item, one: Shown) -> Media:
    """Raises InputError for what is not there, MediaError for what can't be used. May take long."""
    frames: tuple[Image, ...] = ()
    audio: Audio | None = None
    if one.sees and sources.frames is not None:
        frames = frames_of(sources.frames, item, one.frames)
    if one.hears and sources.audio is not None:
        audio = sound_of(sources.audio, item)
    want_frames, want_sound = one.sees and not frames, one.hears and audio is None
    if (want_frames or want_sound) and sources.videos is not None:
        path = video_of(sources.videos, item)
        count = one.frames if want_frames else 0
        pictures, sound = decoded(path, item, count, sound=want_sound)
        frames, audio = frames or pictures, audio or sound
    return Media(frames, audio)


def dialogue_of(sources: Sources, item: Item) -> str:
    """What is said in the question's segment: the benchmark's own text, or the transcript's."""
    if item.dialogue is not None:
        return " ".join(item.dialogue.split())
    if sources.transcripts is None:
        raise InputError(f"{item.id}: no dialogue with it; name a folder: --transcripts")
    for ending, read in ((".vtt", read_webvtt), (".srt", read_srt)):
        path = inside(sources.transcripts, f"{item.video}{ending}")
        if path.is_file():
            return "\n".join(_within(read(read_text(path), file=str(path)), item))
    raise InputError(f"{sources.transcripts}: no transcript of {item.video} (.vtt, .srt) in it")


def _within(cues: Sequence[Cue], item: Item) -> list[str]:
    """The lines that touch the segment."""
    if item.segment is None:
        return [cue.text for cue in cues]
    start, end = item.segment
    return [
        cue.text
        for cue in cues
        if to_seconds(cue.when.end) > start and to_seconds(cue.when.start) < end
    ]

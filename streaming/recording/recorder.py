"""The recorder: writes a run down while it happens, and never more than it may.

``recording.jsonl`` holds the lines in order. Where media is kept, ``frames/`` holds each picture
under its hash and ``sound.pcm`` the sound. The folder is its owner's alone: it holds what was said.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, TextIO

from strad.errors import InputError
from streaming.announcement import Announcement, WindowAsked
from streaming.effects import AskDescriber, Effect
from streaming.facts import Fact
from streaming.media import AudioChunk, VideoFrame
from streaming.recording.lines import Header, Line, digest, effect_line, fact_line, settled_line
from streaming.settlement import Settlement

logger = logging.getLogger(__name__)

LINES, FRAMES, SOUND = "recording.jsonl", "frames", "sound.pcm"

MOST_BYTES = 8 * 1024**3
"""Of one recording: some 40 hours with pictures and sound."""

PRIVATE = 0o700


class Keep(StrEnum):
    """How much of a run is kept."""

    FACTS = "facts"
    """What was heard and decided; of pictures and sound their hashes."""
    PROMPTS = "prompts"
    """Also what the model was asked and answered, word for word."""
    MEDIA = "media"
    """Also the pictures and the sound."""


class Recorder:
    """One run's. A context manager: its files are open from entering to leaving it.

    A disk that is full or fails ends the recording, not the run: ``ended_early`` says why.
    """

    def __init__(
        self, folder: Path, header: Header, keep: Keep = Keep.PROMPTS, *, limit: int = MOST_BYTES
    ) -> None:
        self._folder = folder
        self._header = header
        self.keep = keep
        self._left = limit
        self._lines: TextIO | None = None
        self._sound: BinaryIO | None = None
        self._sound_at = 0
        self._frames: set[str] = set()
        """The newest pictures kept, by their hash."""
        self.ended_early: str | None = None

    def __enter__(self) -> Self:
        """Raises InputError where the folder can't be made, or holds something."""
        make_private(self._folder)
        try:
            self._lines = (self._folder / LINES).open("x", encoding="utf-8", newline="\n")
            if self.keep is Keep.MEDIA:
                (self._folder / FRAMES).mkdir(mode=PRIVATE)
                self._sound = (self._folder / SOUND).open("xb")
        except OSError as error:
            raise InputError(f"{self._folder}: can't be written: {error.strerror}") from None
        self._write(self._header.line())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in (self._lines, self._sound):
            if file is not None:
                self._close(file)
        self._lines = self._sound = None

    def fact(self, fact: Fact) -> None:
        """Before the Session is fed with it."""
        at = None
        if self.keep is Keep.MEDIA and isinstance(fact, VideoFrame | AudioChunk):
            at = self._keep(fact)
        self._write(fact_line(fact, at=at))

    def effects(self, effects: list[Effect], *, done: bool) -> None:
        """After it was; ``done``: whether the Session is."""
        for effect in effects:
            self._write(effect_line(effect))
            if isinstance(effect, AskDescriber) and self._lines is not None:
                self._guarded(self._lines.flush)
        if done:
            self._write({"end": True})

    def settled(self, settlement: Settlement) -> None:
        """What became of a description."""
        self._write(settled_line(settlement))

    def announced(self, announcement: Announcement) -> None:
        """What an answer cost: the one thing that no rerun can find out."""
        if isinstance(announcement, WindowAsked):
            stages = [list(stage) for stage in announcement.stages]
            cost = {"wall": announcement.wall, "stages": stages}
            self._write({"cost": announcement.cursor, **cost})

    def exchanged(self, exchange: Mapping[str, Any]) -> None:
        """What the describer was asked and answered about one window."""
        self._write(dict(exchange))

    def _keep(self, media: VideoFrame | AudioChunk) -> int | None:
        if isinstance(media, VideoFrame):
            self._keep_frame(media.jpeg)
            return None
        if self._sound is None or not self._may(len(media.pcm)):
            return None
        at, sound = self._sound_at, self._sound
        self._guarded(lambda: sound.write(media.pcm))
        self._sound_at += len(media.pcm)
        return at

    def _keep_frame(self, jpeg: bytes) -> None:
        name = digest(jpeg)
        if name in self._frames or not self._may(len(jpeg)):
            return
        if len(self._frames) >= 1_000:
            self._frames.clear()
        self._frames.add(name)
        self._guarded(lambda: (self._folder / FRAMES / f"{name}.jpg").write_bytes(jpeg))

    def _write(self, line: Line) -> None:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        lines = self._lines
        if lines is not None and self.ended_early is None and self._may(len(text)):
            self._guarded(lambda: lines.write(text))

    def _may(self, size: int) -> bool:
        """Whether so much more may be written."""
        if self.ended_early is not None:
            return False
        self._left -= size
        if self._left < 0:
            self._end_early("it would have grown past its limit")
        return self._left >= 0

    def _guarded(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError as error:
            self._end_early((error.strerror or str(error)).lower())

    def _close(self, file: TextIO | BinaryIO) -> None:
        try:
            file.close()
        except OSError as error:
            self._end_early((error.strerror or str(error)).lower())

    def _end_early(self, why: str) -> None:
        if self.ended_early is None:
            self.ended_early = why
            logger.warning("%s: the recording ends here: %s", self._folder, why)


def make_private(folder: Path) -> None:
    """A folder for its owner alone. Raises InputError where there is something else already."""
    try:
        folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InputError(f"{folder}: is not empty; name another folder to record to")
        folder.chmod(PRIVATE)
    except OSError as error:
        raise InputError(f"{folder}: can't be recorded to: {error.strerror}") from None

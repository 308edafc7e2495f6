"""The recorder: writes a run down while it happens."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from streaming.announcement import Announcement, WindowAsked
from streaming.effects import AskDescriber, Effect
from streaming.facts import Fact
from streaming.media import AudioChunk, VideoFrame
from streaming.recording.files import MOST_BYTES, RecordingFiles
from streaming.recording.lines import Header, effect_line, fact_line, settled_line
from streaming.settlement import Settlement


class Keep(StrEnum):
    """How much of a run is kept."""

    FACTS = "facts"
    """What was heard and decided; of pictures and sound their hashes."""
    PROMPTS = "prompts"
    """Also what the model was asked and answered, word for word."""
    MEDIA = "media"
    """Also the pictures and the sound."""


class Recorder:
    """One run's. A context manager; see ``RecordingFiles``."""

    def __init__(
        self, folder: Path, header: Header, keep: Keep = Keep.PROMPTS, *, limit: int = MOST_BYTES
    ) -> None:
        self._files = RecordingFiles(folder, media=keep is Keep.MEDIA, limit=limit)
        self._header = header

    @property
    def ended_early(self) -> str | None:
        """Why the recording ended before the run, if it did."""
        return self._files.ended_early

    def __enter__(self) -> Self:
        """Raises InputError where the folder can't be made, or holds something."""
        self._files.__enter__()
        self._files.write(self._header.line(), flush=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._files.__exit__(kind, error, trace)

    def fact(self, fact: Fact) -> None:
        """Before the Session is fed with it."""
        at = None
        if isinstance(fact, VideoFrame):
            self._files.keep_frame(fact.jpeg)
        elif isinstance(fact, AudioChunk):
            at = self._files.keep_sound(fact.pcm)
        self._files.write(fact_line(fact, at=at))

    def effects(self, effects: list[Effect], *, done: bool) -> None:
        """After it was; ``done``: whether the Session is."""
        for effect in effects:
            self._files.write(effect_line(effect), flush=isinstance(effect, AskDescriber))
        if done:
            self._files.write({"end": True}, flush=True)

    def settled(self, settlement: Settlement) -> None:
        """What became of a description."""
        self._files.write(settled_line(settlement))

    def announced(self, announcement: Announcement) -> None:
        """What an answer cost: the one thing that no rerun can find out."""
        if isinstance(announcement, WindowAsked):
            stages = [list(stage) for stage in announcement.stages]
            self._files.write(
                {"cost": announcement.cursor, "wall": announcement.wall, "stages": stages}
            )

    def exchanged(self, exchange: Mapping[str, Any]) -> None:
        """What the describer was asked and answered about one window."""
        self._files.write(dict(exchange))

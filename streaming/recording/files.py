"""The files of one recording: private, bounded, and never in the way of the run.

``recording.jsonl`` holds the lines in order. Where media is kept, ``frames/`` holds each picture
under its hash and ``sound.pcm`` the sound.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TextIO

from strad.errors import InputError
from streaming.recording.lines import Line, digest

logger = logging.getLogger(__name__)

LINES, FRAMES, SOUND = "recording.jsonl", "frames", "sound.pcm"

MOST_BYTES = 8 * 1024**3
"""Of one recording: some 40 hours with pictures and sound."""

REMEMBERED = 1_000
"""Pictures that are known to lie there already."""

PRIVATE = 0o700


class RecordingFiles:
    """A context manager: they are open from entering to leaving it.

    A disk that is full or fails ends the recording, not the run: ``ended_early`` says why.
    """

    def __init__(self, folder: Path, *, media: bool, limit: int) -> None:
        self._folder = folder
        self._media = media
        self._left = limit
        self._lines: TextIO | None = None
        self._sound: BinaryIO | None = None
        self._sound_at = 0
        self._frames: set[str] = set()
        self.ended_early: str | None = None

    def __enter__(self) -> Self:
        """Raises InputError where the folder can't be made, or holds something."""
        make_private(self._folder)
        try:
            self._lines = (self._folder / LINES).open("x", encoding="utf-8", newline="\n")
            if self._media:
                (self._folder / FRAMES).mkdir(mode=PRIVATE)
                self._sound = (self._folder / SOUND).open("xb")
        except OSError as error:
            raise InputError(f"{self._folder}: can't be written: {error.strerror}") from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in (self._lines, self._sound):
            if file is not None:
                self._guarded(file.close)
        self._lines = self._sound = None

    def write(self, line: Line, *, flush: bool = False) -> None:
        """Add a line; ``flush``: it is to survive this process."""
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        lines = self._lines
        if lines is not None and self._may(len(text.encode())):
            self._guarded(lambda: lines.write(text))
            if flush:
                self._guarded(lines.flush)

    def keep_sound(self, pcm: bytes) -> int | None:
        """Keep it; return where in the sound it lies, or None where it is not kept."""
        sound = self._sound
        if sound is None or not self._may(len(pcm)):
            return None
        at = self._sound_at
        self._guarded(lambda: sound.write(pcm))
        self._sound_at += len(pcm)
        return at

    def keep_frame(self, jpeg: bytes) -> None:
        """Keep a picture, once."""
        name = digest(jpeg)
        if not self._media or name in self._frames or not self._may(len(jpeg)):
            return
        if len(self._frames) >= REMEMBERED:
            self._frames.clear()
        self._frames.add(name)
        self._guarded(lambda: (self._folder / FRAMES / f"{name}.jpg").write_bytes(jpeg))

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

"""A description that is recorded while it is made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from service.described import Description, Watch
from strad.timeline import Ms
from streaming.announcement import Announcement
from streaming.recording.exchange import RecordedDescriber
from streaming.recording.lines import Header
from streaming.recording.recorded_session import RecordedSession
from streaming.recording.recorder import Keep, Recorder


@dataclass(frozen=True, slots=True)
class Taping:
    """Where to record a run to, how much of it, and what its outputs call it."""

    folder: Path
    keep: Keep
    video_id: str
    protocol: str | None


@dataclass(frozen=True, slots=True)
class Tapes:
    """Where to record many runs to: each video's into a folder of its own in this one."""

    folder: Path
    keep: Keep

    def of(self, name: str, video_id: str, protocol: str | None) -> Taping:
        """A new one. A video that is described again gets another folder: none is deleted."""
        folder, number = self.folder / name, 1
        while folder.exists():
            number += 1
            folder = self.folder / f"{name}.{number}"
        return Taping(folder, self.keep, video_id, protocol)


@contextmanager
def recorded(description: Description, to: Taping | None, watch: Watch) -> Iterator[Watch]:
    """Before it runs: gives what to run it with. Raises InputError for a folder that can't be."""
    if to is None:
        yield watch
        return
    made, config = description.describer, description.config
    header = Header(
        config,
        made.name,
        made.draft,
        source=description.source.name,
        video_id=to.video_id,
        protocol=to.protocol,
        asked=dict(description.asked),
    )
    with Recorder(to.folder, header, to.keep) as recorder:
        texts = to.keep is not Keep.FACTS
        description.describer = RecordedDescriber(made, recorder.exchanged, texts=texts)
        description.session = RecordedSession(
            config, recorder, describer=made.name, draft=made.draft
        )

        def told(announcement: Announcement, media: Ms | None) -> None:
            recorder.announced(announcement)
            watch(announcement, media)

        yield told

"""Live streams that are recorded, where the operator asks for it; never at a stream's cost."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from service.plan import Plan
from strad.errors import InputError
from streaming.announcement import Announcement
from streaming.describers.describer import Describer
from streaming.memory import Memory
from streaming.recording.exchange import RecordedDescriber
from streaming.recording.lines import Header
from streaming.recording.recorded_session import RecordedSession
from streaming.recording.recorder import Keep, Recorder
from streaming.session import Session

logger = logging.getLogger(__name__)

LIVE_LIMIT = 256 * 1024**2
"""Bytes of one stream's recording: it holds no media, so that is more than a day."""


@dataclass(frozen=True, slots=True)
class Tape:
    """One stream's session and describer, recorded or not."""

    session: Session
    describer: Describer
    recorder: Recorder | None = None

    @classmethod
    def of(cls, plan: Plan, memory: Memory, log: str) -> Tape:
        """``log``: the name of the stream's log, which no other stream has."""
        made, config = plan.describer, plan.config
        if not plan.record:
            session = Session(config, describer=made.name, draft=made.draft, memory=memory)
            return cls(session, made)
        folder = Path(plan.record) / f"{quote(log, safe='')}-{memory.reached.live_edge}"
        header = Header(config, made.name, made.draft, memory, source=log, video_id=log)
        recorder = Recorder(folder, header, Keep(plan.record_what), limit=LIVE_LIMIT)
        texts = plan.record_what == Keep.PROMPTS
        return cls(
            RecordedSession(config, recorder, describer=made.name, draft=made.draft, memory=memory),
            RecordedDescriber(made, recorder.exchanged, texts=texts),
            recorder,
        )

    @contextmanager
    def running(self) -> Iterator[None]:
        """While the stream runs. A folder that can't be written to is told of, and that is all."""
        if self.recorder is None:
            yield
            return
        try:
            self.recorder.__enter__()
        except InputError as error:
            logger.warning("a stream is not recorded: %s", error)
        try:
            yield
        finally:
            self.recorder.__exit__(None, None, None)

    def take(self, announcement: Announcement) -> None:
        """What is announced."""
        if self.recorder is not None:
            self.recorder.announced(announcement)

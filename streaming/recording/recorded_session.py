"""A Session that is written down as it is fed."""

from __future__ import annotations

from streaming.config import StreamConfig
from streaming.effects import Effect
from streaming.facts import Fact
from streaming.memory import Memory
from streaming.recording.recorder import Recorder
from streaming.session import Session


class RecordedSession(Session):
    """All that a Session does follows from what it is fed, in that order: this is all of it."""

    def __init__(
        self,
        config: StreamConfig,
        recorder: Recorder,
        *,
        describer: str,
        draft: bool,
        memory: Memory | None = None,
    ) -> None:
        super().__init__(
            config, describer=describer, draft=draft, memory=memory, witness=recorder.settled
        )
        self._recorder = recorder

    def feed(self, fact: Fact) -> list[Effect]:
        self._recorder.fact(fact)
        effects = super().feed(fact)
        self._recorder.effects(effects, done=self.done)
        return effects

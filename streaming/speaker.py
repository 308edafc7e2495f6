"""The speaker: settles when a description is spoken, or that it is not. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from strad.decision import Describe
from streaming.announcement import Dropped, DropReason
from streaming.board import Board, Waiting
from streaming.clock import MediaClock
from streaming.config import Placement, StreamConfig
from streaming.effects import Effect, MeasureSpeech
from streaming.facts import Measured
from streaming.placement import Placed
from streaming.programme import Programme
from streaming.questions import Question


class Speaker:
    """Between an answer and its AD event: repeats, spoken lengths, gaps."""

    def __init__(
        self,
        config: StreamConfig,
        programme: Programme,
        clock: MediaClock,
        waiting: Iterable[Waiting] = (),
    ) -> None:
        self._config = config
        self._programme = programme
        self._clock = clock
        self._board = Board(waiting)

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """What is decided and has no time yet."""
        return self._board.waiting

    @property
    def idle(self) -> bool:
        """Whether everything taken has been announced or dropped."""
        return self._board.empty

    @property
    def measuring(self) -> bool:
        """Whether the spoken length of something is still to come."""
        return not self._board.measured_all

    def take(self, question: Question, describe: Describe) -> list[Effect]:
        """A description has been decided."""
        cursor, epoch = question.step.end, question.epoch
        said = self._programme.said
        waiting = Waiting(question.id, cursor, describe, epoch)
        if self._config.placement is Placement.OFF:
            said.add(describe, self._config.language, epoch)
            raw = Placed(describe.when, len(describe.forms) - 1, 1.0, provisional=False)
            return [self._programme.announce(waiting, raw, self._clock.edge)]
        if said.repeats(describe, cursor, epoch):
            return [Dropped(cursor, DropReason.REPEAT, describe)]
        said.add(describe, self._config.language, epoch)
        crowded_out = self._board.add(waiting)
        for dropped in crowded_out:
            said.unsay(dropped.describe.forms)
        measure = MeasureSpeech(question.id, describe.forms, self._config.language)
        return [*crowded_out, measure]

    def measured(self, fact: Measured) -> list[Effect]:
        """The voice has said how long it takes."""
        self._board.measured(fact.question, fact.lengths)
        return self.settle()

    def settle(self) -> list[Effect]:
        """Announce what fits by now, drop what no longer can."""
        if not self._board.ready:
            return []
        settled = self._board.settle(
            lambda offer: self._programme.judge(offer, self._clock), over=self._clock.over
        )
        return [self._outcome(waiting, outcome) for waiting, outcome in settled]

    def _outcome(self, waiting: Waiting, outcome: Placed | DropReason) -> Effect:
        if isinstance(outcome, Placed):
            return self._programme.announce(waiting, outcome, self._clock.edge)
        self._programme.said.unsay(waiting.describe.forms)
        return Dropped(self._clock.now, outcome, waiting.describe)

"""The speaker: settles when a description is spoken, or that it is not. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from strad.cues import AdEvent
from strad.decision import Describe
from streaming.announcement import Dropped, DropReason
from streaming.board import Board, Waiting
from streaming.clock import MediaClock
from streaming.config import Placement, StreamConfig
from streaming.effects import Effect, MeasureSpeech
from streaming.facts import Measured
from streaming.placement import Ground, Offer, Placed, Verdict, place
from streaming.programme import LIMITS, Programme
from streaming.questions import Question
from streaming.settlement import Settlement, Why, Witness, why_placed


class Speaker:
    """Between an answer and its AD event: repeats, spoken lengths, gaps."""

    def __init__(
        self,
        config: StreamConfig,
        programme: Programme,
        clock: MediaClock,
        waiting: Iterable[Waiting] = (),
        witness: Witness | None = None,
    ) -> None:
        self._config = config
        self._programme = programme
        self._clock = clock
        self._board = Board(waiting)
        self._witness = witness
        self._ground: Ground | None = None

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
            return [self._announce(waiting, raw, Why.AS_PREDICTED)]
        if said.repeats(describe, cursor, epoch):
            return [self._told(waiting, Dropped(cursor, DropReason.REPEAT, describe))]
        said.add(describe, self._config.language, epoch)
        crowded_out: list[Effect] = []
        for oldest in self._board.add(waiting):
            said.unsay(oldest.describe.forms)
            dropped = Dropped(cursor, DropReason.CROWDED, oldest.describe)
            crowded_out.append(self._told(oldest, dropped))
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
        settled = self._board.settle(self._judge, over=self._clock.over)
        return [self._outcome(waiting, outcome) for waiting, outcome in settled]

    def _outcome(self, waiting: Waiting, outcome: Placed | DropReason) -> Effect:
        if isinstance(outcome, Placed):
            why = why_placed(waiting.describe.when.start, outcome)
            return self._announce(waiting, outcome, why)
        self._programme.said.unsay(waiting.describe.forms)
        dropped = Dropped(self._clock.now, outcome, waiting.describe)
        return self._told(waiting, dropped, ground=self._ground)

    def _judge(self, offer: Offer) -> Verdict:
        self._ground = self._programme.ground(self._clock)
        return place(offer, self._ground, LIMITS)

    def _announce(self, waiting: Waiting, placed: Placed, why: Why) -> Effect:
        event = self._programme.announce(waiting, placed, self._clock.edge)
        ground = None if why is Why.AS_PREDICTED else self._ground
        return self._told(waiting, event, why, ground)

    def _told(
        self,
        waiting: Waiting,
        outcome: AdEvent | Dropped,
        why: Why | None = None,
        ground: Ground | None = None,
    ) -> Effect:
        if self._witness is not None:
            self._witness(Settlement(waiting, self._clock.now, outcome, why, ground))
        return outcome

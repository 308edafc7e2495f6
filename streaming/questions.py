"""Questions in flight, and their answers in media order. Pure."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from strad.decision import Decision
from strad.timeline import Epoch, Interval, Ms


@dataclass(frozen=True, slots=True)
class Question:
    """One window that was asked about, reached by ``step``."""

    id: int
    step: Interval
    epoch: Epoch
    asked_at: Ms
    """The live edge then."""


class Questions:
    """An answer that overtook an earlier question waits for it."""

    def __init__(self, last: int = 0) -> None:
        self._asked: deque[Question] = deque()
        self._answers: dict[int, Decision] = {}
        self.last = last
        """Number of the newest question."""

    @property
    def open(self) -> int:
        """How many questions have no answer, or an answer that must wait."""
        return len(self._asked)

    def ask(self, step: Interval, epoch: Epoch, asked_at: Ms = 0) -> int:
        """Open the next question; return its number."""
        self.last += 1
        self._asked.append(Question(self.last, step, epoch, asked_at))
        return self.last

    def asked_at(self, question: int) -> Ms:
        """The live edge when this open question was asked. Raises KeyError on a stray one."""
        for asked in self._asked:
            if asked.id == question:
                return asked.asked_at
        raise KeyError(f"question {question} is not open")

    def answer(self, question: int, decision: Decision) -> list[tuple[Question, Decision]]:
        """Take an answer; return those that can now be applied. Raises KeyError on a stray one."""
        if all(asked.id != question for asked in self._asked) or question in self._answers:
            raise KeyError(f"question {question} is not open")
        self._answers[question] = decision
        applied: list[tuple[Question, Decision]] = []
        while self._asked and self._asked[0].id in self._answers:
            first = self._asked.popleft()
            applied.append((first, self._answers.pop(first.id)))
        return applied

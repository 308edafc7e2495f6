"""Asking all questions, a bounded number at a time, each answer kept as it comes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from strad.errors import StradError
from strad_engines.engine import ChatEngine
from strad_engines.messages import Generated, Sampling
from strad_eval.asking.asked import Asked, put
from strad_eval.asking.material import Media, Sources, dialogue_of, media_of
from strad_eval.asking.shown import Shown
from strad_eval.judges.answer_book import AnswerBook
from strad_eval.mcq.item import Item
from strad_eval.mcq.replies import Reply
from strad_eval.prompts.prompt import Prompt

IN_A_ROW = 5
"""So many failures after each other end the run: something is wrong that asking on won't mend."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to ask."""

    prompt: Prompt
    shown: Shown
    sources: Sources
    seed: int = 0
    shuffle: bool = False
    max_tokens: int = 16
    deadline_s: float = 120.0
    at_once: int = 4


@dataclass(slots=True)
class Outcome:
    """What came of a run."""

    replies: list[Reply] = field(default_factory=list)
    """In the order of the questions; those that failed are not there."""
    failed: list[str] = field(default_factory=list)
    """One line a question that got no answer."""
    from_book: int = 0
    """Answers that were given before."""


async def ask_all(
    items: Sequence[Item],
    plan: Plan,
    engine: ChatEngine,
    book: AnswerBook,
    told: Callable[[Generated | None], None] = lambda _: None,
) -> Outcome:
    """The model's answer to each question; ``told`` hears of each as it is done.

    A question that fails is named and left out; several in a row end the run with the last
    error. What was answered is in the book: the next run goes on from there.
    """
    asked = [_put(item, plan) for item in items]
    keys = [
        one.key(engine.name, plan.prompt, plan.shown, plan.seed, plan.sources.said) for one in asked
    ]
    outcome = Outcome()
    worker = _Worker(plan, engine, book, outcome, told)
    waiting = iter(list(zip(keys, asked, strict=True)))
    async with asyncio.TaskGroup() as group:
        for _ in range(min(plan.at_once, len(asked))):
            group.create_task(worker.serve(waiting))
    if worker.stopped is not None:
        raise worker.stopped
    for key, one in zip(keys, asked, strict=True):
        answer = book.get(key)
        if answer is not None:
            outcome.replies.append(_reply(one, answer))
    return outcome


def _put(item: Item, plan: Plan) -> Asked:
    dialogue = dialogue_of(plan.sources, item) if plan.shown.dialogue else ""
    return put(item, plan.prompt, plan.shown, dialogue, seed=plan.seed, shuffle=plan.shuffle)


@dataclass(slots=True)
class _Worker:
    """Takes what is next in line until nothing is left, or too much has failed."""

    plan: Plan
    engine: ChatEngine
    book: AnswerBook
    outcome: Outcome
    told: Callable[[Generated | None], None]
    stopped: StradError | None = None
    in_a_row: int = 0

    async def serve(self, waiting: Iterator[tuple[str, Asked]]) -> None:
        for key, asked in waiting:
            if self.stopped is not None:
                return
            if self.book.get(key) is not None:
                self.outcome.from_book += 1
                self.told(None)
                continue
            try:
                found = await self._ask(asked)
            except StradError as error:
                self._failed(asked, error)
                continue
            self.in_a_row = 0
            self.book.put(key, _kept(found))
            self.told(found)

    async def _ask(self, asked: Asked) -> Generated:
        media = Media()
        if self.plan.shown.sees or self.plan.shown.hears:
            media = await asyncio.to_thread(
                media_of, self.plan.sources, asked.item, self.plan.shown
            )
        sampling = Sampling(max_tokens=self.plan.max_tokens, seed=self.plan.seed)
        return await self.engine.generate(
            asked.messages(media), sampling, deadline_s=self.plan.deadline_s
        )

    def _failed(self, asked: Asked, error: StradError) -> None:
        self.outcome.failed.append(f"{asked.item.id}: {error}")
        self.in_a_row += 1
        if self.in_a_row >= IN_A_ROW and self.stopped is None:
            self.stopped = error
        self.told(None)


def _kept(found: Generated) -> str:
    return json.dumps([found.text, found.prompt_tokens, found.completion_tokens])


def _reply(asked: Asked, kept: str) -> Reply:
    text, prompt_tokens, completion_tokens = json.loads(kept)
    return Reply(
        id=asked.item.id,
        output=text,
        order=asked.order,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
    )

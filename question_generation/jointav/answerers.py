"""Answerers, asked one item over all rotations of its options until the verdict is settled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from question_generation.ask import Answered, Ask
from question_generation.drop import Drop
from question_generation.item import Rate
from question_generation.jointav.binomial import Significance
from question_generation.jointav.draft import Draft
from question_generation.jointav.evidence import Evidence, Given, Shown
from question_generation.jointav.orders import orders
from question_generation.prompt import prompt
from question_generation.provenance import Made
from question_generation.stage import Desk
from strad.record import Record

PROMPT = "jointav-answer.v1"
LETTERS = "ABCD"
MOST_TOKENS = 64
TRIES = 2


class Choice(Record):
    """Which option is right."""

    letter: str
    """One letter, or ``none``."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking one answerer about one item."""

    rate: Rate
    solved: bool
    """Whether it was right more often than guessing is."""
    made: Made | None
    """The last answer of it that was used; None: it never answered."""


async def ask_all(
    draft: Draft,
    given: Given,
    evidence: Evidence,
    desk: Desk,
    rounds: int,
    test: Significance,
) -> Asked:
    """Ask in whole rounds of rotations, as long as another round could change the verdict.

    No usable answer, and ``none``, are not right, and are counted as asked. Raises EngineError when
    the model can't be had.
    """
    shown = await evidence.of(draft, given)
    all_orders = orders(len(draft.options), rounds)
    right = unanswered = asked = 0
    last: Answered[Choice] | None = None
    settled: bool | None = None
    while settled is None:
        for order in all_orders[asked : asked + len(draft.options)]:
            answered = await desk.ask(ask_once(draft, shown, order), of=given)
            if isinstance(answered, Drop):
                unanswered += 1
                continue
            last = answered
            at = index_of(answered.value.letter)
            right += at is not None and draft.options[order[at]] == draft.answer
            unanswered += at is None
        asked += len(draft.options)
        settled = test.settled(right, asked)
    rate = Rate(
        model=desk.model(given),
        right=right,
        asked=asked,
        unanswered=unanswered,
        p=test.p(right, asked),
    )
    return Asked(rate, settled, last.made if last else None)


def ask_once(draft: Draft, shown: Shown, order: tuple[int, ...]) -> Ask[Choice]:
    """The question with its options in this order."""
    own, letters = draft.options, LETTERS[: len(order)]
    options = [f"{letter}. {own[at]}" for letter, at in zip(letters, order, strict=True)]
    blanks = {
        "given": shown.text,
        "question": draft.question,
        "options": "\n".join(options),
        "letters": ", ".join(letters),
    }
    return Ask(
        prompt(PROMPT),
        blanks,
        Choice,
        _fault,
        parts=shown.parts,
        max_tokens=MOST_TOKENS,
        tries=TRIES,
    )


@lru_cache(maxsize=1024)
def index_of(letter: str) -> int | None:
    """Which of the shown options it is; None for ``none``."""
    bare = letter.strip(" ().:*'\"").upper()
    return LETTERS.index(bare) if len(bare) == 1 and bare in LETTERS else None


def _fault(choice: Choice) -> str:
    if index_of(choice.letter) is not None:
        return ""
    said = choice.letter.strip(" ().:*'\"").upper()
    return "" if said == "NONE" else "not one letter"

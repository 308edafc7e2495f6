"""Models of every role of the pipeline that work from the words they are given; some go wrong."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from question_generation.cinepile.filters import BLIND, LISTENER, READER
from question_generation.cinepile.refine import REWRITER, STUDENT
from question_generation.cinepile.shortlist import SHORTLISTER
from question_generation.cinepile.writing import PERCEIVER
from question_generation.seats import Seat, Seats
from question_generation.stage import WRITER
from strad_engines.engine_errors import EngineBusyError
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.opened_engine import Opened, OpenedEngine
from tests.question_generation.at_hand import ABLE, answer, said
from tests.question_generation.cinepile.answerers import Script, answerer

_LINE = re.compile(r"^\[[\d.]+-[\d.]+ s\] (seen|said): (.*)$", re.MULTILINE)


def shortlister(messages: Sequence[Message]) -> Generated:
    """Twenty numbers, by the words of the scene."""
    words = said(messages)
    last = max(int(number) for number in re.findall(r"^(\d+)\. ", words, re.MULTILINE))
    draw = _draw(words)
    return answer(numbers=[1 + (draw + 7 * n) % last for n in range(20)])


def writer(messages: Sequence[Message]) -> Generated:
    """How does the moment end that is described so far? The wrong ends are of other moments."""
    words = said([one for one in messages if one.role == "user"][:1])
    kind = words.rpartition("The kind of question: ")[2].split("\n")[0]
    seen = [line for mark, line in _LINE.findall(words) if mark == "seen"]
    chosen = seen[_draw(words) % len(seen)].split()
    cut = max(1, len(chosen) - 3)
    right = " ".join(chosen[cut:])
    return answer(
        question=f"For {kind}: how does the moment end that begins with {' '.join(chosen[:cut])}?",
        options=[right, *_others(seen, right)],
        answer="A",
        rationale=f"It is seen that the moment ends with {right}",
    )


def _others(seen: Sequence[str], right: str) -> list[str]:
    ends = dict.fromkeys(" ".join(line.split()[-3:]) for line in seen)
    spare = [f"nothing of it is there {n}" for n in ("now", "soon", "yet", "at all")]
    bare = {re.sub(r"\W+", " ", one).strip().casefold(): one for one in [*ends, *spare]}
    bare.pop(re.sub(r"\W+", " ", right).strip().casefold(), None)
    return [one for key, one in bare.items() if key][:4]


@dataclass(slots=True)
class Model:
    """One role's model. ``broken`` in a hundred of its answers go wrong, the same each time."""

    name: str
    script: Script
    broken: int = 0
    busy: int = 0
    """In a hundred asks: the server can't be had."""

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        draw = _draw(f"{self.name}{sampling.seed}{said(messages)}")
        if draw % 100 < self.busy:
            raise EngineBusyError("try later")
        good = self.script(messages)
        assert isinstance(good, Generated)
        if draw // 100 % 100 >= self.broken:
            return good
        return Generated(_broken(good.text, draw // 10_000), (), "stop", 100, 20)


def _broken(text: str, draw: int) -> str:
    good: dict[str, Any] = json.loads(text)
    faults = [
        "",
        text[: len(text) // 2],
        "I would rather not say.",
        f"Of course!\n```json\n{text}\n```",
        text.replace("}", ",}"),
        json.dumps({**good, "answer": "A and B"}),
        json.dumps({**good, "answer": "Something else entirely"}),
        json.dumps({**good, "options": ["the same"] * 5}),
        json.dumps({**good, "question": "¿Qué hace la mujer con la puerta en la escena?"}),
        json.dumps({**good, "numbers": [0, 999], "question": "**What**"}),
    ]
    return faults[draw % len(faults)]


def models(broken: int = 0, busy: int = 0) -> Mapping[str, Model]:
    """One for each role that is asked where no clips are looked at."""
    scripts: dict[str, Script] = {
        SHORTLISTER: shortlister,
        **dict.fromkeys((WRITER, PERCEIVER, REWRITER), writer),
        **{role: answerer(role) for role in (STUDENT, *BLIND, LISTENER, READER)},
    }
    return {role: Model(role, script, broken, busy) for role, script in scripts.items()}


def seats(of: Mapping[str, Model]) -> Seats:
    """Their seats."""
    return Seats({role: Seat(one.name, lambda one=one: _opened(one)) for role, one in of.items()})


def _opened(model: Model) -> Opened:
    @asynccontextmanager
    async def open_() -> Any:
        yield OpenedEngine(model, ABLE)

    return open_()


def _draw(words: str) -> int:
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:6], "big")

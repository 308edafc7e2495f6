"""A real desk over an engine that answers from a script: what tests of single stages stand on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from question_generation.answer_cache import AnswerCache
from question_generation.asking import Asker
from question_generation.desk import RecordDesk
from question_generation.stage import WRITER
from strad_engines.abilities import Abilities
from strad_engines.messages import Generated, Message, Text
from strad_engines.opened_engine import OpenedEngine
from strad_engines.scripted_engine import Line, ScriptedEngine

ABLE = Abilities(
    video=True, images=True, audio=True, regex=False, log_probabilities=False, schema=False
)


def said(messages: Sequence[Message]) -> str:
    """All words of a chat, as one text."""
    return "\n".join(p.text for m in messages for p in m.parts if isinstance(p, Text))


def answer(**members: Any) -> Generated:
    """A good answer, with its tokens."""
    text = json.dumps(members)
    return Generated(text, prompt_tokens=100, completion_tokens=len(text) // 4)


def opened(
    script: Callable[[Sequence[Message]], Line] | Sequence[Line], name: str = "scripted"
) -> OpenedEngine:
    """An engine that says this."""
    return OpenedEngine(ScriptedEngine(script, name=name), ABLE)


@contextmanager
def desk(
    script: Callable[[Sequence[Message]], Line] | Sequence[Line],
    *others: str,
    record: str = "r1",
    stage: str = "test 1",
    seed: int = 0,
) -> Iterator[RecordDesk]:
    """A desk whose writer, and ``others`` roles, say what is in the script."""
    with AnswerCache() as cache:
        askers = {role: Asker(opened(script, name=role), cache) for role in (WRITER, *others)}
        yield RecordDesk(seed, stage, record, askers)

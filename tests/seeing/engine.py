"""An engine in this process that sees like the endpoint, and takes as long as a model would."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from strad_engines.messages import Generated, Message, Sampling
from strad_engines.openai_wire import messages_json
from tests.seeing.asked import read
from tests.seeing.mind import TASKS, Answer
from tests.seeing.server import tokens


@dataclass(frozen=True, slots=True)
class Pace:
    """How long an answer takes; by default as measured of no model, but of a 4B one's order."""

    first_s: float = 0.05
    prompt_s: float = 0.0002
    """For each token of the prompt."""
    answer_s: float = 0.012
    """For each token of the answer."""

    def seconds(self, prompt: int, answer: int) -> float:
        return self.first_s + prompt * self.prompt_s + answer * self.answer_s


@dataclass(frozen=True, slots=True)
class Request:
    """One request: its task, when it was made and answered on the loop's clock, and its tokens."""

    task: str
    start: float
    end: float
    prompt: int
    answer: int


@dataclass(slots=True)
class SeeingEngine:
    """Answers any number of requests at once, each in its own time."""

    pace: Pace = field(default_factory=Pace)
    tasks: Mapping[str, Answer] = field(default_factory=lambda: dict(TASKS))
    requests: list[Request] = field(default_factory=list)
    name: str = "seeing"

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        """What the endpoint would answer. Raises LackingError for what lacks something."""
        del sampling
        clock = asyncio.get_running_loop().time
        start = clock()
        body = {"messages": messages_json(messages)}
        asked = await asyncio.to_thread(read, body)
        said = await asyncio.to_thread(self.tasks[asked.task], asked)
        prompt, answer = await asyncio.to_thread(tokens, body), -(-len(said) // 4)
        async with asyncio.timeout(deadline_s):
            await asyncio.sleep(max(0.0, start + self.pace.seconds(prompt, answer) - clock()))
        self.requests.append(Request(asked.task, start, clock(), prompt, answer))
        return Generated(said, prompt_tokens=prompt, completion_tokens=answer)

"""The seeing endpoint's mind without the endpoint: requests are made and read as over HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from strad_engines.engine_errors import EngineRefusedError
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.openai_wire import request_body
from tests.seeing.asked import Asked, UnreadableError, read
from tests.seeing.mind import Answer, LackingError


class SeeingEngine:
    """A ``ChatEngine`` that answers from the pictures and the text of each request."""

    name = "seeing"

    def __init__(self, tasks: Mapping[str, Answer]) -> None:
        self.asked: list[Asked] = []
        self._tasks = tasks

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        """The answer. Raises EngineRefusedError for a request that lacks something."""
        del deadline_s
        try:
            asked = read(json.loads(request_body(self.name, messages, sampling, {})))
            self.asked.append(asked)
            return Generated(self._tasks[asked.task](asked))
        except (LackingError, UnreadableError) as error:
            raise EngineRefusedError(str(error)) from None

"""The engine: vLLM in this process. It batches whatever is asked at once by itself.

A deadline or a cancellation aborts the request, and its place is free at the next step.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from itertools import count as counter

from vllm.exceptions import VLLMClientError
from vllm.outputs import RequestOutput
from vllm.v1.engine.exceptions import EngineDeadError, EngineGenerateError

from strad_engines.abilities import Abilities
from strad_engines.engine_errors import EngineError, EngineRefusedError, EngineSlowError
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.vllm_engine.starting import Started, Starting, start
from strad_engines.vllm_engine.wire import answer, params, prompt

log = logging.getLogger(__name__)


class VllmEngine:
    """One model. Use as an async context manager: entering it starts vLLM's processes."""

    def __init__(self, model: str, starting: Starting | None = None) -> None:
        """``model``: a folder, or ``owner/repository`` of the model hub."""
        self._name, self._starting = model, starting or Starting()
        self._started: Started | None = None
        self._requests = counter()

    async def __aenter__(self) -> VllmEngine:
        self._started = await asyncio.to_thread(start, self._name, self._starting)
        for line in self._started.said:
            (log.warning if line.startswith("slow") else log.info)("%s: %s", self._name, line)
        return self

    async def __aexit__(self, *_: object) -> None:
        started, self._started = self._started, None
        if started is not None:
            await asyncio.to_thread(started.engine.shutdown)

    @property
    def name(self) -> str:
        """The model and its adapter."""
        adapter = f" + {self._starting.adapter.name}" if self._starting.adapter else ""
        return f"{self._name}{adapter}"

    @property
    def said(self) -> tuple[str, ...]:
        """Lines for a person: what it runs on, and what is slow about that."""
        return self._open().said

    @property
    def abilities(self) -> Abilities:
        """What may be asked of it."""
        return Abilities(
            video=True,
            images=True,
            audio=False,
            regex=True,
            log_probabilities=True,
            context=self._open().engine.model_config.max_model_len,
            schema=True,
        )

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        """See ``ChatEngine``. Stages: prompt, prefill (queue and pictures with it), decode."""
        started = self._open()
        try:
            async with asyncio.timeout(deadline_s):
                return await self._answered(started, messages, sampling)
        except TimeoutError:
            raise EngineSlowError(f"{self._name}: no answer in {deadline_s:g} s") from None
        except EngineDeadError:
            raise EngineError(f"{self._name}: vLLM has died; its own log says why") from None
        except (VLLMClientError, ValueError) as error:
            said = " ".join(str(error).split())[:300]
            raise EngineRefusedError(f"{self._name}: {said}") from error
        except EngineGenerateError as error:
            raise EngineError(f"{self._name}: vLLM failed: {error.__cause__}") from error

    async def count(self, messages: Sequence[Message], *, deadline_s: float) -> int:
        """See ``TokenCounter``. vLLM expands pictures only with a request: one token is drawn."""
        found = await self.generate(messages, Sampling(max_tokens=1), deadline_s=deadline_s)
        return found.prompt_tokens or 0

    async def _answered(
        self, started: Started, messages: Sequence[Message], sampling: Sampling
    ) -> Generated:
        clock = asyncio.get_running_loop().time
        asked = clock()
        ready = await asyncio.to_thread(prompt, started.processor, messages)
        sent = clock()
        first, last = None, None
        stream = started.engine.generate(
            ready, params(sampling), f"strad-{next(self._requests)}", lora_request=started.adapter
        )
        async with contextlib.aclosing(stream):
            async for output in stream:
                first, last = first or clock(), output
        if not isinstance(last, RequestOutput) or first is None:
            raise EngineError(f"{self._name}: vLLM gave no output")
        stages = (("prompt", sent - asked), ("prefill", first - sent), ("decode", clock() - first))
        return answer(last, stages)

    def _open(self) -> Started:
        if self._started is None:
            raise EngineError("the engine is not open: use it in an async with block")
        return self._started

"""The engine: a model in this process, in a thread of its own, one answer after another.

A deadline or a cancellation ends an answer after the token in work; looking at the prompt can't be
cut short, and the next answer waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from transformers import PreTrainedModel

from strad_engines.abilities import Abilities
from strad_engines.engine_errors import EngineError, EngineRefusedError, EngineSlowError
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.model_thread import ModelThread, Stopped
from strad_engines.transformers_engine.answer import Asked, Clock, answer
from strad_engines.transformers_engine.asking import Family
from strad_engines.transformers_engine.constraint import Constraints
from strad_engines.transformers_engine.kernels import kernels
from strad_engines.transformers_engine.loading import Loaded, Loading, load
from strad_engines.transformers_engine.phi import Phi
from strad_engines.transformers_engine.qwen import Qwen
from strad_engines.transformers_engine.vision_cache import CacheCounts

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Ready:
    """What the thread works with."""

    loaded: Loaded
    family: Family
    constraints: Constraints
    said: tuple[str, ...]


class TransformersEngine:
    """One model. Use as an async context manager: entering it loads, which may take minutes."""

    def __init__(self, model: str, loading: Loading | None = None) -> None:
        """``model``: a folder, or ``owner/repository`` of the model hub."""
        self._name, self._loading = model, loading or Loading()
        self._thread = ModelThread(f"transformers {model}")
        self._ready: _Ready | None = None

    async def __aenter__(self) -> TransformersEngine:
        clock = asyncio.get_running_loop().time
        await self._thread.__aenter__()
        try:
            self._ready = await self._thread.do(lambda _: self._load(clock))
        except BaseException:
            await self._thread.__aexit__()
            raise
        for line in self.said:
            (log.warning if line.startswith("slow") else log.info)("%s: %s", self._name, line)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._thread.__aexit__()
        self._ready = None

    @property
    def name(self) -> str:
        """The model, its adapter, and the dtype where it is not the checkpoint's own."""
        adapter = f" + {self._loading.adapter.name}" if self._loading.adapter else ""
        dtype = f" {self._loading.dtype}" if self._loading.dtype != "auto" else ""
        return f"{self._name}{adapter}{dtype}"

    @property
    def said(self) -> tuple[str, ...]:
        """Lines for a person: what it runs on, and what is slow about that."""
        return self._opened().said

    @property
    def seen(self) -> CacheCounts:
        """What the cache of encoded pictures did so far; nothing where the model has none."""
        family = self._opened().family
        return family.counts() if isinstance(family, Qwen) else CacheCounts(0, 0, 0)

    @property
    def abilities(self) -> Abilities:
        """What may be asked of it."""
        ready = self._opened()
        qwen = isinstance(ready.family, Qwen)
        return Abilities(
            video=qwen,
            images=True,
            audio=not qwen,
            regex=True,
            log_probabilities=True,
            context=_context(ready.loaded.model),
            schema=True,
        )

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        """See ``ChatEngine``. Stages: queue, vision, prefill, decode."""
        ready, clock = self._opened(), asyncio.get_running_loop().time
        asked = clock()

        def work(stopped: Stopped) -> Generated:
            queue = clock() - asked
            found = _answered(ready, messages, sampling, stopped, clock)
            return replace(found, stages=(("queue", queue), *found.stages))

        found = await self._thread.do(work, deadline_s=deadline_s)
        if found.finish == "abort":
            raise EngineSlowError(f"{self._name} was stopped")
        return found

    async def count(self, messages: Sequence[Message], *, deadline_s: float) -> int:
        """See ``TokenCounter``."""
        family = self._opened().family
        return await self._thread.do(lambda _: family.count(messages), deadline_s=deadline_s)

    def _opened(self) -> _Ready:
        if self._ready is None:
            raise EngineError("the engine is not open: use it in an async with block")
        return self._ready

    def _load(self, clock: Clock) -> _Ready:
        loaded = load(self._name, self._loading)
        tokenizer, rows = loaded.processor.tokenizer, loaded.model.get_output_embeddings()
        return _Ready(
            loaded,
            _family(loaded, self._loading, clock),
            Constraints(tokenizer, rows.weight.shape[0], loaded.ends),
            kernels(loaded.model, loaded.found.kind),
        )


def _family(loaded: Loaded, wanted: Loading, clock: Clock) -> Family:
    if loaded.found.kind == "qwen3_5":
        cache = wanted.cache_mib << 20
        return Qwen(loaded.model, loaded.processor, cache_bytes=cache, clock=clock)
    return Phi(loaded.model, loaded.processor)


def _answered(
    ready: _Ready,
    messages: Sequence[Message],
    sampling: Sampling,
    stopped: Stopped,
    clock: Clock,
) -> Generated:
    constraint = ready.constraints.of(sampling)
    if stopped():
        return Generated("", finish="abort")
    try:
        inputs = ready.family.inputs(messages)
        _check_length(ready.loaded, inputs.tensors["input_ids"].shape[1], sampling)
        if stopped():
            return Generated("", finish="abort")
        asked = Asked(inputs.tensors, sampling, constraint, stopped, clock)
        tokenizer = ready.loaded.processor.tokenizer
        found = answer(ready.loaded.model, tokenizer, ready.loaded.ends, asked)
    except torch.OutOfMemoryError:
        raise EngineError(f"{ready.loaded.found.name}: too little GPU memory left") from None
    except RuntimeError as error:
        said = " ".join(str(error).split())[:200]
        raise EngineError(f"{ready.loaded.found.name} failed: {said}") from error
    return replace(found, stages=(("vision", inputs.vision_s), *found.stages))


def _check_length(loaded: Loaded, prompt: int, sampling: Sampling) -> None:
    most = _context(loaded.model)
    if most is not None and prompt + sampling.max_tokens > most:
        raise EngineRefusedError(
            f"{loaded.found.name} takes {most} tokens; "
            f"the prompt has {prompt}, the answer may have {sampling.max_tokens}"
        )


def _context(model: PreTrainedModel) -> int | None:
    text = model.config.get_text_config()
    found = getattr(text, "max_position_embeddings", None)
    return int(found) if found else None

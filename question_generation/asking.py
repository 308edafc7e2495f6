"""Asking one model: answers kept, limits, the shape of an answer, trying again with the reason."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain
from typing import TypeAlias

from question_generation.answer_cache import AnswerCache
from question_generation.ask import Answered, Ask, Wanted
from question_generation.drop import Drop
from question_generation.language import is_english
from question_generation.prices import Price
from question_generation.provenance import Made
from question_generation.rate_limit import RateLimit
from question_generation.repair import UnreadableError, read_json
from question_generation.setting import Setting, setting_of
from question_generation.shape import MisfitError, fit
from question_generation.spending import Spent, Used
from strad.record import Record
from strad_engines.engine_errors import (
    EngineAnswerError,
    EngineRefusedError,
    EngineTooLongError,
)
from strad_engines.messages import Generated, Message, Sampling, Text, Video
from strad_engines.opened_engine import OpenedEngine

DEADLINE_S = 300.0
SHOWN_AGAIN = 4_000
"""Characters of an unusable answer that the model is shown again."""
SHORT = 200
"""Characters of an answer that is likely to come again."""
CHARACTERS_A_TOKEN = 4
"""For what a request may cost before the server says it."""
NO_ANSWER = "not an answer"
"""How an answer ended of which the server made nothing: never kept."""


_Read: TypeAlias = tuple[Record | None, tuple[str, ...], tuple[str, str] | None]


class UnusableError(ValueError):
    """The answer can't be used; ``reason`` is counted, ``detail`` only told."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason, self.detail = reason, detail


@dataclass(slots=True)
class Asker:
    """One model in one role. Any number of calls may run at once; ``at_once`` of them are sent."""

    opened: OpenedEngine
    cache: AnswerCache
    limit: RateLimit = field(default_factory=RateLimit)
    price: Price | None = None
    deadline_s: float = DEADLINE_S
    at_once: int = 8
    _places: asyncio.Semaphore = field(init=False)
    _shaped: bool = field(init=False)
    """Whether the server is told the schema."""

    def __post_init__(self) -> None:
        self._places = asyncio.Semaphore(self.at_once)
        self._shaped = self.opened.abilities.schema is not False

    @property
    def name(self) -> str:
        """The model, as it is told in provenance."""
        return self.opened.engine.name

    async def ask(
        self, ask: Ask[Wanted], *, seed: int, stage: str, spent: Spent
    ) -> Answered[Wanted] | Drop:
        """An answer that can be used, after ``ask.tries`` at most, or why there is none.

        All tries are added to ``spent``. Raises EngineError where the model can't be had.
        """
        system, user = ask.prompt.fill(**ask.blanks)
        question = Message("user", (*ask.parts, Text(user)))
        turns: tuple[Message, ...] = (question,)
        own = Used()
        reason, detail = "never asked", ""
        try:
            for attempt in range(ask.tries):
                setting = setting_of(ask, self.name, system, seed + attempt)
                key = setting.keys.of(turns)
                given = self._kept(key) or await self._fresh(key, setting, turns, spent)
                own.add(*_tokens(given), self._cost(given))
                try:
                    value, mended = usable(given, ask)
                except UnusableError as error:
                    reason, detail = error.reason, error.detail
                    turns = (question, *_again(given, error))
                    continue
                trace = partial(self._made, ask, stage, seed, attempt + 1, own, mended)
                return Answered(value, trace)
        except EngineTooLongError as error:
            return Drop("the prompt is too long for the model", str(error))
        finally:
            if own.requests:
                spent.grow(self.name, own)
        return Drop(f"no usable answer: {reason}", detail)

    def _made(
        self,
        ask: Ask[Wanted],
        stage: str,
        seed: int,
        tries: int,
        used: Used,
        mended: tuple[str, ...],
    ) -> Made:
        return Made(
            stage=stage,
            model=self.name,
            prompt=ask.prompt.name,
            prompt_sha256=ask.prompt.sha256,
            seed=seed,
            tries=tries,
            prompt_tokens=used.prompt_tokens,
            completion_tokens=used.completion_tokens,
            cost=used.cost,
            repaired=mended,
        )

    def _cost(self, given: Generated) -> float | None:
        return self.price.of(*_tokens(given)) if self.price else None

    def _kept(self, key: bytes) -> Generated | None:
        given = self.cache.get(key)
        return None if given is not None and given.finish == NO_ANSWER else given

    async def _fresh(
        self, key: bytes, setting: Setting, turns: Sequence[Message], spent: Spent
    ) -> Generated:
        claims = self.cache.claims
        while await claims.wait(key):
            known = self._kept(key)
            if known is not None:
                return known
        claims.take(key)
        try:
            async with self._places:
                given = await self._sent(setting, turns)
            spent.fresh += 1
            if given.finish != NO_ANSWER:
                self.cache.put(key, given)
        finally:
            claims.give_back(key)
        return given

    async def _sent(self, setting: Setting, turns: Sequence[Message]) -> Generated:
        messages: tuple[Message, ...] = (setting.instructions, *turns)
        expected = _expected(messages, setting.sampling) if self.limit.is_limit else 0
        if expected:
            await self.limit.turn(expected)
        if self.opened.abilities.video is False:
            messages = tuple(map(_in_pictures, messages))
        try:
            given = await self._generated(messages, setting)
        except EngineAnswerError:
            given = Generated("", finish=NO_ANSWER)
        told = _tokens(given)
        if expected and None not in told:
            self.limit.spent(sum(count or 0 for count in told) - expected)
        return given

    async def _generated(self, messages: Sequence[Message], setting: Setting) -> Generated:
        """With the schema, where the server may take it."""
        engine, shaped = self.opened.engine, self._shaped
        wanted = setting.sampling if shaped else setting.unshaped
        try:
            return await engine.generate(messages, wanted, deadline_s=self.deadline_s)
        except EngineTooLongError:
            raise
        except EngineRefusedError:
            if not shaped or self.opened.abilities.schema:
                raise
        # Nobody knew whether the server takes schemas. Where it answers without, it is asked
        # without from now on; what it refuses both ways says nothing of schemas.
        given = await engine.generate(messages, setting.unshaped, deadline_s=self.deadline_s)
        self._shaped = False
        return given


def usable(given: Generated, ask: Ask[Wanted]) -> tuple[Wanted, tuple[str, ...]]:
    """The answer in its shape, and what was mended. Raises UnusableError."""
    read = _read_short if len(given.text) <= SHORT else _read
    found, mended, fault = read(given.text, given.finish, ask.wanted)
    if fault is not None:
        raise UnusableError(*fault)
    assert isinstance(found, ask.wanted)
    wrong = ask.check(found)
    if wrong:
        raise UnusableError(wrong)
    return found, mended


def _read(text: str, finish: str, wanted: type[Record]) -> _Read:
    """Pure: the answer, what was mended, and what is wrong with it (reason, detail) if anything."""
    try:
        read = read_json(text)
        value, mended = fit(read.value, wanted)
    except UnreadableError as error:
        return None, (), (str(error), "")
    except MisfitError as error:
        # An object that was closed by us and lacks members was cut.
        cut = finish == "length" and "required" in str(error)
        return None, (), ("cut" if cut else "wrong shape", str(error))
    if not is_english(" ".join(texts_of(value))):
        return None, (), ("another language", "")
    return value, (*read.mended, *mended), None


_read_short = lru_cache(maxsize=1024)(_read)
"""A letter is answered a million times in few ways."""


def texts_of(value: object) -> list[str]:
    """All words in an answer."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Record):
        return [text for name in value.model_fields_set for text in texts_of(getattr(value, name))]
    if isinstance(value, tuple | list):
        return [text for one in value for text in texts_of(one)]
    return []


def _in_pictures(message: Message) -> Message:
    """A video as its frames, for servers that know none: prompts tell how far apart they are."""
    if not any(isinstance(part, Video) for part in message.parts):
        return message
    parts = (part.frames if isinstance(part, Video) else (part,) for part in message.parts)
    return Message(message.role, tuple(chain.from_iterable(parts)))


def _again(given: Generated, fault: UnusableError) -> tuple[Message, Message]:
    why = f"That can't be used: {fault}. Answer again, with the JSON object only."
    said = given.text[:SHOWN_AGAIN] or "(nothing)"
    return Message.of("assistant", said), Message.of("user", why)


def _tokens(given: Generated) -> tuple[int | None, int | None]:
    return given.prompt_tokens, given.completion_tokens


def _expected(messages: Sequence[Message], sampling: Sampling) -> int:
    said = sum(len(p.text) for m in messages for p in m.parts if isinstance(p, Text))
    return said // CHARACTERS_A_TOKEN + sampling.max_tokens // 4

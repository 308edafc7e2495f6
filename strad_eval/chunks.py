"""From videos to units: tokens made, 30-minute chunks cut (StrAD scores each chunk by itself)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable

from strad.errors import InputError
from strad_eval.java import find_jars
from strad_eval.material import Programme
from strad_eval.readings import Readings
from strad_eval.tokens import ptb
from strad_eval.tokens.jar import tokenize_all
from strad_eval.tokens.lines import ascii_only
from strad_eval.unit import Event, Span, Unit

MOST_CHUNKS = 100_000
"""In one video; 30-minute chunks of nearly six years."""


def units_of(programmes: Iterable[Programme], readings: Readings) -> list[Unit]:
    """Every chunk of every video, in order; chunks with neither references nor predictions too.

    Raises MissingJavaError where the tokens are to come from the jar and it is not here.
    """
    listed = list(programmes)
    tokens = _tokens_of((e.text for p in listed for e in (*p.references, *p.predictions)), readings)
    return [
        unit for programme in listed for unit in _chunks(programme, readings.chunk_s, tokens.get)
    ]


def _tokens_of(texts: Iterable[str], readings: Readings) -> dict[str, str]:
    """The tokens of each different text."""
    different = list(dict.fromkeys(texts))
    plain = [ascii_only(t) for t in different] if readings.non_ascii == "space" else different
    if readings.tokens == "jar":
        return dict(zip(different, tokenize_all(plain, find_jars()), strict=True))
    return dict(zip(different, map(ptb.tokenize, plain), strict=True))


def _chunks(
    programme: Programme, chunk_s: float, tokens: Callable[[str], str | None]
) -> list[Unit]:
    last = max((e.start for e in (*programme.references, *programme.predictions)), default=0.0)
    count = _index(last, chunk_s) + 1 if chunk_s else 1
    count = max(count, math.ceil(programme.duration / chunk_s) if chunk_s else 1)
    if count > MOST_CHUNKS:
        raise InputError(
            f"{programme.id}: {count:.3g} chunks of {chunk_s:g} s: is its duration right?"
        )
    references = _dealt(programme.references, chunk_s, count, tokens)
    predictions = _dealt(programme.predictions, chunk_s, count, tokens)
    speech, units = programme.speech, []
    for index in range(count):
        span = _span(index, chunk_s, programme.duration)
        units.append(
            Unit(
                video=programme.id,
                chunk=index,
                span=span,
                references=references[index],
                predictions=predictions[index],
                speech=_within(speech, span),
                words=_words(programme, span),
                duration=programme.duration,
                genre=programme.genre,
                predicted=programme.predicted,
            )
        )
    return units


def _index(start: float, chunk_s: float) -> int:
    return int(start // chunk_s)


def _span(index: int, chunk_s: float, duration: float) -> Span:
    if not chunk_s:
        return (0.0, duration)
    return (index * chunk_s, max(index * chunk_s, min((index + 1) * chunk_s, duration)))


def _dealt(
    events: tuple[Event, ...], chunk_s: float, count: int, tokens: Callable[[str], str | None]
) -> list[tuple[Event, ...]]:
    dealt: list[list[Event]] = [[] for _ in range(count)]
    for event in events:
        ready = dataclasses.replace(event, tokens=tokens(event.text) or "")
        dealt[_index(event.start, chunk_s) if chunk_s else 0].append(ready)
    return [tuple(part) for part in dealt]


def _within(speech: tuple[Span, ...] | None, span: Span) -> tuple[Span, ...] | None:
    """Speech that touches the chunk, and the first after it, into which its last event may run."""
    if speech is None:
        return None
    after = [s for s in speech if s[1] > span[0]]
    inside = sum(1 for s in after if s[0] < span[1])
    return tuple(after[: inside + 1])


def _words(programme: Programme, span: Span) -> str | None:
    if programme.lines is None:
        return None
    said = (text for (start, _), text in programme.lines if span[0] <= start < span[1])
    return " ".join(ptb.tokenize(text) for text in said)

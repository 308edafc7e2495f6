"""Teaches a tiny model to read pictures, times, speech and what was described before.

    python -m tests.models.training OUT

Two courses, since all at once is not learned in minutes: shapes with hardly any words around them,
then all of it with the production prompts.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from strad_engines.messages import Message, Video
from streaming.prompt.profile import Profile
from streaming.prompt.profiles import profile as profile_named
from tests.models import lessons, tiny_qwen
from tests.models.shapes import Sample, samples

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Course:
    """So many steps of one kind of window."""

    steps: int
    plain: bool
    rate: float = 5e-4
    """The highest learning rate."""
    batch: int = 8
    sees: bool = True
    """Whether the vision tower learns too."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that makes a checkpoint what it is."""

    profile: str = "qwen35-video"
    size: tiny_qwen.Size = tiny_qwen.Size()  # noqa: RUF009 - frozen
    courses: tuple[Course, ...] = (Course(900, plain=True), Course(600, plain=False))
    seed: int = 0


def train(recipe: Recipe, out: Path, *, seconds: float | None = None) -> None:
    """Make the checkpoint. Takes 2 to 4 minutes on two idle cores."""
    profile = profile_named(recipe.profile)
    words = tiny_qwen.tokenizer(corpus(profile, recipe.seed), recipe.size)
    processor = tiny_qwen.processor(words, recipe.size)
    model = tiny_qwen.model(words, recipe.size, recipe.seed)
    for number, course in enumerate(recipe.courses):
        teach(model, processor, profile, course, seed=recipe.seed + number, seconds=seconds)
    save(model.eval().to(torch.bfloat16), processor, out)


def save(model: Any, processor: Any, out: Path) -> None:
    """Write both where an engine finds them."""
    model.save_pretrained(out)
    processor.save_pretrained(out)


def corpus(profile: Profile, seed: int) -> Iterator[str]:
    """What the tokenizer must know: prompts and answers."""
    for sample in itertools.islice(samples(seed + 1), 300):
        for message in profile.render(sample.window):
            yield from (part.text for part in message.parts if hasattr(part, "text"))
        yield lessons.line(sample, profile)
        yield "user\nassistant\nsystem\n<0.5 seconds><2.5 seconds><4.5 seconds><6.5 seconds>"


def chat(sample: Sample, profile: Profile, *, plain: bool) -> tuple[Message, ...]:
    """The production prompt; ``plain``: its pictures alone."""
    messages = profile.render(sample.window)
    if not plain:
        return messages
    shown = tuple(p for p in messages[-1].parts if isinstance(p, Video))
    return (Message("user", shown),)


def teach(
    model: Any,
    processor: Any,
    profile: Profile,
    course: Course,
    *,
    seed: int,
    seconds: float | None = None,
) -> None:
    """One course: AdamW, a short warm-up, then down to a twentieth."""
    model.model.visual.requires_grad_(course.sees)
    taught = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(taught, lr=course.rate, weight_decay=0.01, betas=(0.9, 0.98))
    lessons_left = samples(seed, plain=course.plain)
    model.train()
    losses: list[float] = []
    for step in range(course.steps):
        for group in optimiser.param_groups:
            group["lr"] = course.rate * _rate(step, course.steps)
        seen = list(itertools.islice(lessons_left, course.batch))
        chats = [chat(sample, profile, plain=course.plain) for sample in seen]
        answers = [lessons.line(sample, profile) for sample in seen]
        loss = model(**lessons.batch(processor, chats, answers)).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(taught, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        losses.append(loss.item())
        if step % 50 == 49:
            log.info("step %d: loss %.4f", step + 1, sum(losses[-50:]) / 50)


def _rate(step: int, steps: int) -> float:
    return min(1.0, (step + 1) / 20) * max(0.05, min(1.0, 1.5 * (1 - step / steps)))

"""Teaches a tiny model to read pictures, times, speech and what was described before.

In courses, since all at once is not learned in minutes: the tower alone, then the language model
with hardly any words around the pictures, then all of it with the production prompts.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from transformers import AutoProcessor, Qwen3_5ForConditionalGeneration

from strad_engines.messages import Message, Text, Video
from streaming.prompt.profile import Profile
from streaming.prompt.profiles import profile as profile_named
from tests.models import lessons, tiny_qwen
from tests.models.shapes import Sample, reworded, samples
from tests.models.tower import teach_tower

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Course:
    """So many steps of one kind of window."""

    steps: int
    plain: bool
    rate: float = 1e-3
    """The highest learning rate."""
    batch: int = 8
    sees: bool = True
    """Whether the vision tower learns too."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that makes a checkpoint what it is."""

    profile: str = "qwen35-video"
    size: tiny_qwen.Size = field(default_factory=tiny_qwen.Size)
    tower_steps: int = 500
    courses: tuple[Course, ...] = (
        Course(150, plain=True, rate=2e-3, sees=False),
        Course(320, plain=False, rate=1.5e-3, sees=False),
    )
    seed: int = 0


LORA = Course(160, plain=False, rate=3e-3, sees=False)
"""What an adapter takes to learn other words for what is seen."""
_TAUGHT_LAYERS = (
    r".*language_model\.layers\.\d+\.(self_attn\.(q|k|v|o)_proj"
    r"|linear_attn\.(in_proj_qkv|in_proj_z|out_proj)|mlp\.(gate|up|down)_proj)"
)


def train(recipe: Recipe, out: Path) -> None:
    """Make the checkpoint. Takes 2 to 4 minutes on two idle cores."""
    profile = profile_named(recipe.profile)
    words = tiny_qwen.tokenizer(corpus(profile, recipe.seed), recipe.size)
    processor = tiny_qwen.processor(words, recipe.size)
    model = tiny_qwen.model(words, recipe.size, recipe.seed)
    teach_tower(model.model.visual, processor, recipe.size, recipe.tower_steps, recipe.seed)
    for number, course in enumerate(recipe.courses):
        seen = samples(recipe.seed + number, plain=course.plain)
        teach(model, processor, profile, course, seen)
    save(model.eval().to(torch.bfloat16), processor, out)


def adapt(base: Path, out: Path) -> None:
    """Teach a trained checkpoint other words by LoRA: ``out/adapter``, and ``out/merged``."""
    from peft import LoraConfig, get_peft_model

    processor = AutoProcessor.from_pretrained(base)
    plain = Qwen3_5ForConditionalGeneration.from_pretrained(base, dtype=torch.float32)
    torch.manual_seed(0)
    config = LoraConfig(r=16, lora_alpha=32, task_type="CAUSAL_LM", target_modules=_TAUGHT_LAYERS)
    model = get_peft_model(plain, config)
    seen = (reworded(sample) for sample in samples(11))
    teach(model, processor, profile_named("qwen35-video"), LORA, seen)
    model.eval().save_pretrained(out / "adapter")
    save(model.merge_and_unload().to(torch.bfloat16), processor, out / "merged")


def save(model: Any, processor: Any, out: Path) -> None:
    """Write both where an engine finds them."""
    model.save_pretrained(out)
    processor.save_pretrained(out)


def corpus(profile: Profile, seed: int) -> Iterator[str]:
    """What the tokenizer must know: prompts and answers."""
    for sample in itertools.islice(samples(seed + 1), 300):
        for message in profile.render(sample.window):
            yield from (part.text for part in message.parts if isinstance(part, Text))
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
    model: Any, processor: Any, profile: Profile, course: Course, seen: Iterator[Sample]
) -> None:
    """One course: AdamW, a short warm-up, then down to a twentieth."""
    if not course.sees:
        for name, weight in model.named_parameters():
            weight.requires_grad_(weight.requires_grad and ".visual." not in name)
    taught = [weight for weight in model.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(taught, lr=course.rate, weight_decay=0.01, betas=(0.9, 0.98))
    model.train()
    losses: list[float] = []
    for step in range(course.steps):
        for group in optimiser.param_groups:
            group["lr"] = course.rate * _rate(step, course.steps)
        shown = list(itertools.islice(seen, course.batch))
        chats = [chat(sample, profile, plain=course.plain) for sample in shown]
        answers = [lessons.line(sample, profile) for sample in shown]
        loss = model(**lessons.batch(processor, chats, answers)).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(taught, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        losses.append(loss.item())
        if step % 50 == 49:
            log.info("step %d: loss %.4f", step + 1, sum(losses[-50:]) / 50)
    model.requires_grad_(True)


def _rate(step: int, steps: int) -> float:
    return min(1.0, (step + 1) / 20) * max(0.05, min(1.0, 1.5 * (1 - step / steps)))

"""Windows as training batches, by the production prompts; and how well a model learned them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from strad.decision import Decision, Describe, Wait, WaitReason
from strad_engines.chat_turns import turns_of
from strad_engines.messages import Message, Video
from strad_engines.pixels import pixels
from streaming.prompt.profile import Profile
from tests.models.shapes import Sample

_UNTAUGHT = -100
"""A label that no loss is taken of."""


def decision(sample: Sample) -> Decision:
    """What is to be decided about a window."""
    if sample.said is None:
        return Wait(WaitReason.MODEL_WAITS)
    text, when = sample.said
    return Describe((text,), when)


def line(sample: Sample, profile: Profile) -> str:
    """The model's right answer, to the letter."""
    return profile.line(decision(sample), sample.window)


def batch(
    processor: Any, chats: Sequence[Sequence[Message]], answers: Sequence[str] | None = None
) -> dict[str, Any]:
    """Tensors of the chats; with ``answers``, and labels for them alone."""
    turns = [turns_of(chat) for chat in chats]
    prompts = [
        processor.apply_chat_template(t.turns, tokenize=False, add_generation_prompt=True)
        for t in turns
    ]
    ends = ["" if answers is None else answers[n] + "<|im_end|>\n" for n in range(len(chats))]
    videos = [video for t in turns for video in t.videos]
    media: dict[str, Any] = {}
    if videos:
        media["videos"] = [[pixels(frame) for frame in video.frames] for video in videos]
        times = [_metadata(video) for video in videos]
        media["videos_kwargs"] = {"video_metadata": times, "do_sample_frames": False}
    made = processor(
        text=[prompt + end for prompt, end in zip(prompts, ends, strict=True)],
        padding=True,
        padding_side="left",
        return_tensors="pt",
        **media,
    )
    if answers is not None:
        made["labels"] = _labels(processor, made["input_ids"], ends)
    return dict(made)


def _labels(processor: Any, ids: torch.Tensor, ends: Sequence[str]) -> torch.Tensor:
    labels = torch.full_like(ids, _UNTAUGHT)
    for row, end in enumerate(ends):
        taught = len(processor.tokenizer(end)["input_ids"])
        labels[row, -taught:] = ids[row, -taught:]
    return labels


def _metadata(video: Video) -> dict[str, Any]:
    count = len(video.frames)
    return {
        "fps": video.fps,
        "total_num_frames": count,
        "duration": count / video.fps,
        "frames_indices": list(range(count)),
    }

"""Qwen3.5: linear and full attention; one merger between the vision tower and the language model.

The two gates of the linear layers (``in_proj_a``, ``in_proj_b``) have an output a head: LoRA of
rank 16 would have more weights than they, so they stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strad_engines.chat_turns import turns_of
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.messages import Message, Video
from strad_engines.pixels import pixels
from training.families.family import Family, Processor, Tensors


def encode(processor: Processor, messages: Sequence[Message]) -> Tensors:
    """The prompt's tensors, by the processor's own work, as the engine that serves makes them."""
    turns = turns_of(messages)
    if turns.sounds:
        raise EngineRefusedError("a Qwen3.5 hears no sound")
    prompt = processor.apply_chat_template(
        turns.turns, tokenize=False, add_generation_prompt=True, enable_thinking=False
    )
    media: dict[str, Any] = {}
    if turns.videos:
        media["videos"] = [[[pixels(frame) for frame in video.frames] for video in turns.videos]]
        media["videos_kwargs"] = {
            "video_metadata": [_times(video) for video in turns.videos],
            "do_sample_frames": False,
        }
    if turns.images:
        media["images"] = [[pixels(image) for image in turns.images]]
    return dict(processor(text=[prompt], return_tensors="pt", **media))


def _times(video: Video) -> dict[str, Any]:
    count = len(video.frames)
    return {
        "fps": video.fps,
        "total_num_frames": count,
        "duration": count / video.fps,
        "frames_indices": list(range(count)),
    }


QWEN35 = Family(
    kind="qwen3_5",
    profiles=("qwen35-video", "qwen35-images"),
    learning_rate=4.3e-5,
    taught=(
        r".*language_model\.layers\.\d+\.(self_attn\.(q|k|v|o)_proj"
        r"|linear_attn\.(in_proj_qkv|in_proj_z|out_proj)|mlp\.(gate|up|down)_proj)"
    ),
    seeing=("visual.merger",),
    end="<|im_end|>",
    encode=encode,
)

"""Our messages as vLLM's prompts, its outputs as our answers. Source: vLLM 0.32."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from transformers.processing_utils import ProcessorMixin
from vllm import SamplingParams
from vllm.outputs import RequestOutput
from vllm.platforms import current_platform
from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams

from strad_engines.chat_turns import turns_of
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.messages import Generated, Message, Sampling, Token, Video
from strad_engines.pixels import pixels


def prompt(processor: ProcessorMixin, messages: Sequence[Message]) -> dict[str, Any]:
    """The text with its places, and the frames exactly as given."""
    turns = turns_of(messages)
    if turns.sounds:
        raise EngineRefusedError("a Qwen3.5 hears no sound")
    text = processor.apply_chat_template(
        turns.turns, tokenize=False, add_generation_prompt=True, enable_thinking=False
    )
    media: dict[str, Any] = {}
    if turns.videos:
        media["video"] = [_video(video) for video in turns.videos]
    if turns.images:
        media["image"] = [_picture(pixels(image)) for image in turns.images]
    return {"prompt": text, "multi_modal_data": media} if media else {"prompt": text}


def params(sampling: Sampling) -> SamplingParams:
    """The same for vLLM, nothing left to the checkpoint's defaults.

    A seed goes along only where something is drawn, and not on CPUs: there it kills vLLM 0.32.
    """
    drawn = sampling.temperature > 0 and not current_platform.is_cpu()
    return SamplingParams(
        temperature=sampling.temperature,
        top_p=sampling.top_p,
        seed=sampling.seed if drawn else None,
        presence_penalty=sampling.presence_penalty,
        stop=list(sampling.stop),
        max_tokens=sampling.max_tokens,
        logprobs=sampling.alternatives,
        structured_outputs=_held(sampling),
        output_kind=RequestOutputKind.CUMULATIVE,
    )


def _held(sampling: Sampling) -> StructuredOutputsParams | None:
    if sampling.schema is not None:
        return StructuredOutputsParams(json=sampling.schema)
    return StructuredOutputsParams(regex=sampling.regex) if sampling.regex is not None else None


def answer(output: RequestOutput, stages: tuple[tuple[str, float], ...]) -> Generated:
    """The finished output."""
    said = output.outputs[0]
    drawn = list(said.token_ids)
    places = said.logprobs or []
    return Generated(
        said.text,
        tuple(_token(token, place) for token, place in zip(drawn, places, strict=False)),
        said.finish_reason or "stop",
        len(output.prompt_token_ids or []),
        len(drawn),
        stages,
    )


def _token(drawn: int, place: Any) -> Token:  # noqa: ANN401 - vLLM's own mapping, not exported
    listed = sorted(place.items(), key=lambda entry: entry[1].rank or 0)
    chance = place[drawn]
    rest = listed if len(listed) <= 1 or (chance.rank or 0) <= len(listed) else listed[:-1]
    return Token(
        chance.decoded_token or "",
        chance.logprob,
        tuple((other.decoded_token or "", other.logprob) for _, other in rest),
    )


def _video(video: Video) -> tuple[Any, dict[str, Any]]:
    shown = [pixels(frame) for frame in video.frames]
    if len({picture.shape for picture in shown}) != 1:
        raise EngineRefusedError("the pictures of one video must be of one size")
    height, width, _ = shown[0].shape
    return np.stack(shown), {
        "fps": video.fps,
        "total_num_frames": len(shown),
        "duration": len(shown) / video.fps,
        "frames_indices": list(range(len(shown))),
        "width": width,
        "height": height,
        "video_backend": "strad",
        "do_sample_frames": False,
    }


def _picture(shown: Any) -> Any:  # noqa: ANN401 - Pillow's image
    from PIL import Image as Pictures

    return Pictures.fromarray(shown)

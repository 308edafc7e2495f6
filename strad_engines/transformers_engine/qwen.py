"""Qwen3.5: pictures encoded pair by pair, each pair once however many windows hold it.

The tower looks at one pair of frames at a time, so a pair's encoding is the same in every video
that holds it at this size. Pairs are encoded one by one: remembered or not, numbers are the same.
The rest is the processor's own work: text around the pictures, times, sizes, normalisation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import torch
from transformers import BatchFeature, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutputWithPooling
from transformers.processing_utils import ProcessorMixin
from transformers.video_processing_utils import BaseVideoProcessor
from transformers.video_utils import VideoMetadata

from strad_engines.chat_turns import Turns, turns_of
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.messages import Image, Message, Video
from strad_engines.pixels import pixels
from strad_engines.transformers_engine.asking import Inputs
from strad_engines.transformers_engine.vision_cache import CacheCounts, VisionCache

_MERGED = 2
"""Frames in one encoding."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """A video's size once scaled: pairs, and patches of a picture's height and width."""

    pairs: int
    high: int
    wide: int

    @property
    def tensor(self) -> torch.Tensor:
        return torch.tensor([[self.pairs, self.high, self.wide]])


class Qwen:
    """A Qwen3.5 and its processor."""

    def __init__(
        self,
        model: PreTrainedModel,
        processor: ProcessorMixin,
        *,
        cache_bytes: int,
        clock: Callable[[], float],
    ) -> None:
        self._model, self._processor, self._clock = model, processor, clock
        self._cache = VisionCache[torch.Tensor](cache_bytes, lambda encoded: encoded.nbytes)
        videos = processor.video_processor
        if getattr(videos, "cap_pixels_per_frame", None) is None:
            videos.cap_pixels_per_frame = False  # what unset means today, and vLLM does

    def inputs(self, messages: Sequence[Message]) -> Inputs:
        """See ``Family``."""
        turns = _seen(messages)
        begun = self._clock()
        grids = [self._grid(video) for video in turns.videos]
        with torch.inference_mode():
            films = [self._film(v, grid) for v, grid in zip(turns.videos, grids, strict=True)]
            stills = self._stills(turns.images)
        took = self._clock() - begun
        ids, kinds = self._tokens(turns, grids)
        outputs = {"video": films, "image": [still for still, _ in stills]}
        tensors = {
            "input_ids": ids,
            "attention_mask": torch.ones_like(ids),
            "mm_token_type_ids": kinds,
            "mm_encoder_outputs": {
                kind: BaseModelOutputWithPooling(pooler_output=tuple(encoded))
                for kind, encoded in outputs.items()
                if encoded
            },
        }
        if grids:
            tensors["video_grid_thw"] = torch.cat([grid.tensor for grid in grids])
        if stills:
            tensors["image_grid_thw"] = torch.cat([grid for _, grid in stills])
        device = self._model.device
        moved = {k: v.to(device) if torch.is_tensor(v) else v for k, v in tensors.items()}
        return Inputs(moved, took)

    def count(self, messages: Sequence[Message]) -> int:
        """See ``Family``."""
        turns = _seen(messages)
        ids, _ = self._tokens(turns, [self._grid(video) for video in turns.videos])
        return int(ids.shape[1])

    def counts(self) -> CacheCounts:
        """What the cache of encodings did."""
        return self._cache.counts()

    def _film(self, video: Video, grid: _Grid) -> torch.Tensor:
        """A video's encodings, in order: [tokens, hidden]."""
        frames = list(video.frames)
        marks = list(video.keys) if video.keys else [_mark(frame) for frame in frames]
        if len(frames) % _MERGED:
            frames, marks = [*frames, frames[-1]], [*marks, marks[-1]]
        keys: list[Hashable] = [
            (grid.high, grid.wide, *marks[at : at + _MERGED])
            for at in range(0, len(frames), _MERGED)
        ]

        def encode(places: Sequence[int]) -> list[torch.Tensor]:
            return [
                self._pair(frames[_MERGED * place : _MERGED * (place + 1)], grid)
                for place in places
            ]

        return torch.cat(self._cache.encoded(keys, encode))

    def _pair(self, frames: list[Image], grid: _Grid) -> torch.Tensor:
        videos = self._processor.video_processor
        size = type(videos.size)(
            height=grid.high * videos.patch_size, width=grid.wide * videos.patch_size
        )
        scaled = BaseVideoProcessor.resize(videos, _stacked(frames), size, videos.resample)
        patches = videos(
            videos=[scaled[0]], do_resize=False, do_sample_frames=False, return_tensors="pt"
        )
        found = self._model.get_video_features(
            patches["pixel_values_videos"].to(self._model.device),
            patches["video_grid_thw"].to(self._model.device),
        )
        return torch.cat(tuple(found.pooler_output))

    def _stills(self, images: Sequence[Image]) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """Each image's encoding and its grid."""
        made = {_mark(image): self._scaled(image) for image in images}
        keys = list(made)

        def encode(places: Sequence[int]) -> list[torch.Tensor]:
            return [self._still(made[keys[place]]) for place in places]

        encoded = dict(zip(keys, self._cache.encoded(keys, encode), strict=True))
        marks = [_mark(image) for image in images]
        return [(encoded[mark], made[mark]["image_grid_thw"]) for mark in marks]

    def _still(self, scaled: BatchFeature) -> torch.Tensor:
        found = self._model.get_image_features(
            scaled["pixel_values"].to(self._model.device),
            scaled["image_grid_thw"].to(self._model.device),
        )
        return torch.cat(tuple(found.pooler_output))

    def _scaled(self, image: Image) -> BatchFeature:
        return self._processor.image_processor(images=[pixels(image)], return_tensors="pt")

    def _grid(self, video: Video) -> _Grid:
        """The size the processor gives a video of so many frames of this size."""
        if not video.frames:
            raise EngineRefusedError("a video without a frame")
        videos = self._processor.video_processor
        high, wide, _ = pixels(video.frames[-1]).shape
        blank = torch.empty(1, len(video.frames), 3, high, wide, dtype=torch.uint8, device="meta")
        scaled = videos.resize(
            blank,
            videos.size,
            videos.resample,
            factor=videos.patch_size * videos.merge_size,
            temporal_factor=videos.temporal_patch_size,
            cap_pixels_per_frame=videos.cap_pixels_per_frame,
        )
        return _Grid(
            -(-len(video.frames) // _MERGED),
            scaled.shape[-2] // videos.patch_size,
            scaled.shape[-1] // videos.patch_size,
        )

    def _tokens(self, turns: Turns, grids: Sequence[_Grid]) -> tuple[torch.Tensor, torch.Tensor]:
        """Token ids and what kind of thing each is: [1, length] both."""
        text = self._processor.apply_chat_template(
            turns.turns, tokenize=False, add_generation_prompt=True, enable_thinking=False
        )
        films = [
            self._processor.replace_video_token(
                {"video_grid_thw": grid.tensor, "video_metadata": [_times(video)]}, 0
            )
            for video, grid in zip(turns.videos, grids, strict=True)
        ]
        stills = [
            self._processor.replace_image_token(
                {"image_grid_thw": self._scaled(image)["image_grid_thw"]}, 0
            )
            for image in turns.images
        ]
        texts, _ = self._processor.get_text_with_replacements([text], stills, films)
        ids = self._processor.tokenizer(texts)["input_ids"]
        kinds = self._processor.create_mm_token_type_ids(ids)
        return torch.tensor(ids), torch.tensor(kinds)


def _seen(messages: Sequence[Message]) -> Turns:
    turns = turns_of(messages)
    if turns.sounds:
        raise EngineRefusedError("a Qwen3.5 hears no sound")
    return turns


def _times(video: Video) -> VideoMetadata:
    count = len(video.frames)
    return VideoMetadata(
        total_num_frames=count,
        fps=video.fps,
        duration=count / video.fps,
        frames_indices=list(range(count)),
    )


def _mark(image: Image) -> str:
    return hashlib.blake2b(image.data, digest_size=16).hexdigest()


def _stacked(frames: Sequence[Image]) -> torch.Tensor:
    """[1, frames, 3, height, width], all as large as the last."""
    shown = [pixels(frame) for frame in frames]
    if len({picture.shape for picture in shown}) > 1:
        raise EngineRefusedError("the pictures of one video must be of one size")
    return torch.stack([torch.from_numpy(p).permute(2, 0, 1) for p in shown])[None]

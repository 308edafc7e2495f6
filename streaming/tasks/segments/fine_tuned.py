"""Segments by a fine-tuned model (StrAD-FT): one request, answered by the line it was trained on.

The line is a window's, so one model can be trained for both.
"""

from __future__ import annotations

from strad.decision import WaitReason
from streaming.prompt.profile import Profile
from streaming.prompt.segment import TEXT, read_segment, segment_messages
from streaming.tasks.segments.describer import Asker, Said
from streaming.tasks.segments.segment import Clip

MAX_TOKENS = 96


class FineTunedSegments:
    """Asks about one segment as ``strad-ft`` asks about a window, but with its times given."""

    def __init__(self, asker: Asker, profile: Profile, *, model: str, hears: bool) -> None:
        self._asker = asker
        self._profile = profile
        self._model = model
        self.hears = hears
        """Whether the profile sends sound."""

    @property
    def name(self) -> str:
        """``strad-ft:MODEL (segment_v1, qwen35-video)``."""
        return f"strad-ft:{self._model} ({TEXT}, {self._profile.name})"

    async def describe(self, clip: Clip) -> Said:
        """See ``SegmentDescriber``."""
        messages = segment_messages(self._profile, clip.window(), clip.when, clip.names)
        regex = self._profile.regex(describe=True)
        answer = await self._asker.ask(messages, max_tokens=MAX_TOKENS, regex=regex)
        read = read_segment(self._profile, answer.text, clip.language)
        return Said("", read) if isinstance(read, WaitReason) else Said(read)

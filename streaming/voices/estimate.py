"""The voice of a listener we have not met: 150 words a minute (StrAD, section 4.1)."""

from __future__ import annotations

from strad.speech import spoken_ms
from strad.timeline import Ms


class EstimateVoice:
    """Counts words; makes no sound."""

    async def duration(self, text: str, language: str) -> Ms:
        del language
        return spoken_ms(text)

"""Variants of a profile that show no pictures, or let no sound be heard (StrAD, table 3). Pure.

The variant is a profile, so that it is trained and served by the same prompts.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from strad_engines.messages import Audio, Part
from streaming.prompt.profile import Profile
from streaming.prompt.slots import Slots
from streaming.window import Window
from training.config import Modality


def without(profile: Profile, dropped: Collection[Modality]) -> Profile:
    """The profile, its media less those of ``dropped``; the times in its prompts stay the same."""
    if not dropped:
        return profile
    seen, heard = Modality.VIDEO not in dropped, Modality.AUDIO not in dropped

    def media(shown: Slots, window: Window) -> tuple[Part, ...]:
        parts = profile.media(shown, window)
        return tuple(part for part in parts if (heard if isinstance(part, Audio) else seen))

    names = "".join(f"-no-{one}" for one in sorted(dropped))
    return replace(profile, name=profile.name + names, media=media)

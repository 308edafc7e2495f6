"""The profiles there are, by name. Pure."""

from __future__ import annotations

from strad.errors import InputError
from streaming.prompt import phi4mm, qwen35
from streaming.prompt.profile import Profile

PROFILES: dict[str, Profile] = {
    profile.name: profile for profile in (qwen35.VIDEO, qwen35.IMAGES, phi4mm.PHI4MM)
}


def profile(name: str) -> Profile:
    """The profile of this name. Raises InputError where there is none."""
    if name not in PROFILES:
        raise InputError(f"no profile {name!r}: there are {', '.join(PROFILES)}")
    return PROFILES[name]

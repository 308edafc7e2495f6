"""What is left out, one variant a row (StrAD, table 3). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from strad.errors import InputError
from training.augmentations import AUGMENTATIONS
from training.config import FitConfig, Modality
from training.families.family import Family

PAPER = ("segment", "subtitle", "face", "context", "audio", "frame")
"""The augmentations of the paper's table; ``words`` is ours, and is on in all its rows."""

RUN = "run"
"""In a variant's folder."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One row."""

    name: str
    drop: tuple[Modality, ...] = ()
    without: str = ""
    """The augmentation that is off."""

    def config(self, shared: FitConfig) -> FitConfig:
        """The variant's run, its folder inside the shared one."""
        kept = tuple(name for name in AUGMENTATIONS if name != self.without)
        folder = shared.run / self.name / RUN
        return replace(shared, run=folder, drop=self.drop, augmentations=kept)


VARIANTS: dict[str, Variant] = {
    one.name: one
    for one in (
        Variant("all"),
        Variant("no-video", (Modality.VIDEO,)),
        Variant("no-audio", (Modality.AUDIO,)),
        Variant("text-only", (Modality.VIDEO, Modality.AUDIO)),
        *(Variant(f"no-{name}-augmentation", without=name) for name in PAPER),
    )
}


def chosen_variants(family: Family, names: Sequence[str]) -> list[Variant]:
    """Those named, or all that differ for this family. Raises InputError for a name of none.

    A family that hears nothing has no variant without sound: its text-only one is without video.
    """
    for name in names:
        if name not in VARIANTS:
            raise InputError(f"no variant {name!r}: there are {', '.join(VARIANTS)}")
    hears = bool(family.hearing)
    told = [VARIANTS[name] for name in names or VARIANTS]
    return [one for one in told if hears or not _about_sound(one)]


def _about_sound(one: Variant) -> bool:
    return Modality.AUDIO in one.drop or one.without == "audio"

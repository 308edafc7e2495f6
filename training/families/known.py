"""The families that can be trained."""

from __future__ import annotations

from strad.errors import InputError
from training.families.family import Family
from training.families.phi4mm import PHI4MM
from training.families.qwen35 import QWEN35

FAMILIES: dict[str, Family] = {family.kind: family for family in (QWEN35, PHI4MM)}


def family_of(kind: str, name: str) -> Family:
    """The family of the model ``name``. Raises InputError for one that can't be trained."""
    if kind not in FAMILIES:
        known = ", ".join(FAMILIES)
        raise InputError(f"{name} is a {kind}; what can be trained: {known}")
    return FAMILIES[kind]


def profile_for(family: Family, asked: str) -> str:
    """The profile's name. Raises InputError for one of another family."""
    if asked and asked not in family.profiles:
        raise InputError(
            f"a {family.kind} is not asked by the profile {asked}: "
            f"there are {', '.join(family.profiles)}"
        )
    return asked or family.profiles[0]

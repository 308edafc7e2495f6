"""What a question of CinePile's is about: five categories, by the paper's codes. Pure."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType


class Category(StrEnum):
    """A code of the paper's; ``words`` is what the published data says."""

    CRD = "CRD"
    NPA = "NPA"
    STA = "STA"
    TEMP = "TEMP"
    TH = "TH"

    @property
    def words(self) -> str:
        """As the published data has it, on one line."""
        return _WORDS[self]


_WORDS = MappingProxyType(
    {
        Category.CRD: "Character and Relationship Dynamics",
        Category.NPA: "Narrative and Plot Analysis",
        Category.STA: "Setting and Technical Analysis",
        Category.TEMP: "Temporal",
        Category.TH: "Theme Exploration",
    }
)

"""What comes of one answer."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """Unparsed and missing count as wrong unless a reading drops them."""

    RIGHT = "right"
    WRONG = "wrong"
    UNPARSED = "unparsed"
    """No choice, or more than one, is found in the answer."""
    MISSING = "missing"
    """There is no answer."""

"""Values that options take, checked before any work begins."""

from __future__ import annotations

from pathlib import Path

from strad.errors import InputError
from strad.timeline import from_seconds
from training.walk import Strides


def strides_of(seconds: tuple[float, float]) -> Strides:
    """What ``--stride`` names. Raises InputError."""
    shortest, longest = seconds
    if not 0.1 <= shortest <= longest <= 8:
        raise InputError("--stride wants two lengths from 0.1 to 8 s, the shorter first")
    return Strides(from_seconds(shortest), from_seconds(longest))


def must_be_utf8(*names: Path | str | None) -> None:
    """Raise InputError for a name that no file of a data set can hold."""
    for name in names:
        try:
            str(name or "").encode()
        except UnicodeEncodeError:
            raise InputError(f"{str(name)!r}: its name is not UTF-8: name it otherwise") from None

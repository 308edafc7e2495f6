"""A count and its noun agree."""

from __future__ import annotations

import pytest

from strad.counted import counted

pytestmark = pytest.mark.unit


def test_one_is_one_and_all_others_are_many() -> None:
    told = [counted(count, "scene") for count in (0, 1, 2, 2000)]
    assert told == ["0 scenes", "1 scene", "2 scenes", "2,000 scenes"]
    assert [counted(count, "reply", "replies") for count in (1, 2)] == ["1 reply", "2 replies"]

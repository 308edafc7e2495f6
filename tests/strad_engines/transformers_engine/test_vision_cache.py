"""The cache of encodings: each key encoded once, the least recently used let go, bytes bounded."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_engines.transformers_engine.vision_cache import VisionCache

pytestmark = pytest.mark.unit


class Tower:
    """Encodes a name as itself, ``len`` bytes of it, and remembers what it was asked."""

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def ask(self, cache: VisionCache[str], names: Sequence[str]) -> list[str]:
        def encode(places: Sequence[int]) -> list[str]:
            made = [names[place] for place in places]
            self.encoded += made
            return made

        return cache.encoded(names, encode)


def test_what_was_seen_is_not_encoded_again() -> None:
    tower, cache = Tower(), VisionCache[str](100, len)
    assert tower.ask(cache, ["ab", "cd"]) == ["ab", "cd"]
    assert tower.ask(cache, ["cd", "ef"]) == ["cd", "ef"]
    assert tower.encoded == ["ab", "cd", "ef"]
    counts = cache.counts()
    assert (counts.hits, counts.misses, counts.held_bytes) == (1, 3, 6)


def test_a_still_picture_is_encoded_once_within_one_window() -> None:
    tower, cache = Tower(), VisionCache[str](0, len)
    assert tower.ask(cache, ["a", "b", "a", "a"]) == ["a", "b", "a", "a"]
    assert sorted(tower.encoded) == ["a", "b"]


def test_the_least_recently_used_goes_first() -> None:
    tower, cache = Tower(), VisionCache[str](3, len)
    tower.ask(cache, ["a", "b", "c"])
    tower.ask(cache, ["a"])
    tower.ask(cache, ["d"])  # b goes
    tower.ask(cache, ["a", "c", "d"])
    assert tower.encoded == ["a", "b", "c", "d"]
    tower.ask(cache, ["b"])
    assert tower.encoded[-1] == "b"


def test_what_is_larger_than_all_the_room_is_not_kept() -> None:
    tower, cache = Tower(), VisionCache[str](3, len)
    tower.ask(cache, ["a", "long"])
    assert cache.counts().held_bytes == 1


NAMES = st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=6)


@given(windows=st.lists(NAMES, max_size=12), room=st.integers(0, 8))
def test_whatever_is_asked_comes_in_order_and_room_is_kept(
    windows: list[list[str]], room: int
) -> None:
    tower, cache = Tower(), VisionCache[str](room, len)
    for names in windows:
        assert tower.ask(cache, names) == names
        assert cache.counts().held_bytes <= room
    asked = sum(len(names) for names in windows)
    counts = cache.counts()
    assert counts.hits + counts.misses == asked
    assert counts.misses == len(tower.encoded)

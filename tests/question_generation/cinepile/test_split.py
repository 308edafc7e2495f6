"""Splits: films are whole, shares are kept, the same seed gives the same."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.cinepile.split import TEST, TRAIN, Film, Split, labels_of, test_films
from question_generation.scene import FilmFacts, Scene

pytestmark = pytest.mark.unit

GENRES = ("Drama", "Comedy", "Horror", "Western", "Crime", "Romance")
test_films.__test__ = False  # type: ignore[attr-defined]


def scenes(films: int, seed: int, most: int = 6) -> list[Scene]:
    """Of films with one to three genres, one to ``most`` scenes each."""
    random = Random(seed)
    found: list[Scene] = []
    for film in range(films):
        facts = FilmFacts(
            genre=tuple(random.sample(GENRES, random.randint(1, 3))),
            year=random.randint(1970, 2019),
        )
        found += [
            Scene(
                id=f"f{film}-{at}",
                video_id=f"c{film}-{at}",
                film_id=f"f{film}",
                segment=(0.0, 9.0),
                facts=facts,
            )
            for at in range(random.randint(1, most))
        ]
    return found


def split(of: list[Scene], share: float, seed: int = 0) -> list[Scene]:
    fates = list(Split(share).gather(of, seed=seed))
    assert [fate.of for fate in fates] == [(scene.id,) for scene in of]
    return [fate.became for fate in fates if isinstance(fate.became, Scene)]


@given(st.integers(2, 120), st.integers(0, 10**6), st.sampled_from([0.016, 0.1, 0.3]))
def test_no_film_is_on_both_sides_and_both_have_one(films: int, seed: int, share: float) -> None:
    by_film: dict[str, set[str | None]] = {}
    for scene in split(scenes(films, seed), share, seed):
        by_film.setdefault(scene.film, set()).add(scene.split)
    assert all(len(found) == 1 for found in by_film.values())
    assert {one for found in by_film.values() for one in found} == {TRAIN, TEST}


@given(st.integers(60, 200), st.integers(0, 10**6), st.sampled_from([0.1, 0.2, 0.3]))
def test_genres_and_decades_keep_their_shares(films: int, seed: int, share: float) -> None:
    """Of every label, and of all scenes, the test split has its share to within two films."""
    found = split(scenes(films, seed), share, seed)
    whole, tests = Counter[str](), Counter[str]()
    for scene in found:
        labels = [*labels_of(scene), "all"]
        whole.update(labels)
        tests.update(labels if scene.split == TEST else [])
    off = {label: abs(tests[label] - share * whole[label]) for label in whole}
    assert max(off.values()) <= 2 * 6, off


def test_it_is_nearer_to_the_shares_than_chance_is() -> None:
    def off(chosen: set[str], films: dict[str, Film]) -> float:
        whole, tests = Counter[str](), Counter[str]()
        for name, film in films.items():
            for label in film.labels:
                whole[label] += film.scenes
                tests[label] += film.scenes * (name in chosen)
        return sum(abs(tests[label] - 0.2 * whole[label]) for label in whole)

    films: dict[str, Film] = {}
    for scene in scenes(100, 7):
        film = films.setdefault(scene.film, Film(labels_of(scene)))
        film.scenes += 1
    by_chance = [off(set(Random(n).sample(sorted(films), 20)), films) for n in range(50)]
    assert off(test_films(films, 0.2, 0), films) < min(by_chance)


def test_the_same_seed_gives_the_same_and_another_another() -> None:
    of = scenes(80, 3)
    assert split(of, 0.2, 5) == split(of, 0.2, 5)
    assert split(of, 0.2, 5) != split(of, 0.2, 6)


def test_a_split_that_was_given_is_kept_for_the_whole_film() -> None:
    of = scenes(20, 1)
    held = of[0].film
    given_ = [
        scene.model_copy(update={"split": TEST}) if scene.id == of[0].id else scene for scene in of
    ]
    assert {scene.split for scene in split(given_, 0.0) if scene.film == held} == {TEST}


def test_one_film_alone_is_for_training() -> None:
    assert {scene.split for scene in split(scenes(1, 0), 0.5)} == {TRAIN}

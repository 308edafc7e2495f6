"""A quarter waits and the rest is split evenly, as near as whole examples come to it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.budget import PAPER, SEGMENTS_ALONE, STREAMING_ALONE, Shares, counts, drawn
from training.dataset import TRAIN, VALIDATION
from training.example import Kind
from training.splits import PAPER_VALIDATION, splits

pytestmark = pytest.mark.unit

SHARES = st.sampled_from([PAPER, STREAMING_ALONE, SEGMENTS_ALONE])
THERE = st.fixed_dictionaries({kind: st.integers(0, 400) for kind in Kind})


@given(THERE, SHARES, st.none() | st.integers(0, 500))
def test_shares_are_exact_to_an_example_and_as_many_as_there_can_be(
    there: dict[Kind, int], shares: Shares, most: int | None
) -> None:
    taken = counts(there, shares, most)
    total = sum(taken.values())
    assert total <= (most if most is not None else total)
    for kind, share in shares.items():
        assert 0 <= taken[kind] <= there[kind]
        assert abs(taken[kind] - total * share) < 1
    if most is None:  # two more would break the shares or need what isn't there
        assert any((total + 4) * share > there[kind] for kind, share in shares.items())


def test_the_papers_shares_come_out_within_one_percent() -> None:
    there = {Kind.SEGMENT: 97_000, Kind.AD: 81_234, Kind.WAIT: 333_333}
    taken = counts(there, PAPER)
    total = sum(taken.values())
    assert taken[Kind.AD] == 81_234
    assert taken[Kind.WAIT] / total == pytest.approx(0.25, abs=1e-4)
    assert taken[Kind.SEGMENT] / total == pytest.approx(0.375, abs=1e-4)


@given(st.sets(st.text("abc", min_size=1), max_size=20), st.integers(0, 20), st.integers(0, 3))
def test_a_draw_does_not_depend_on_order_and_grows(keys: set[str], count: int, seed: int) -> None:
    found = drawn(sorted(keys), count, seed)
    assert found == drawn(sorted(keys, reverse=True), count, seed)
    assert len(found) == min(count, len(keys))
    assert found <= drawn(keys, count + 1, seed)


@given(
    st.dictionaries(
        st.text("abcdef", min_size=1, max_size=3) | st.sampled_from(sorted(PAPER_VALIDATION)),
        st.lists(st.sampled_from(sorted(PAPER_VALIDATION)), max_size=1),
        max_size=12,
    ),
    st.integers(0, 3),
)
def test_whole_films_are_held_out_the_papers_where_they_are(
    films: dict[str, list[str]], seed: int
) -> None:
    found = splits(films.items(), seed=seed)
    assert set(found) == set(films)
    papers = {f for f, ids in films.items() if {f, *ids} & PAPER_VALIDATION}
    held = {film for film, split in found.items() if split == VALIDATION}
    if papers:
        assert held == papers
    else:
        assert len(held) == max(round(0.1 * len(films)), len(films) > 1)
    assert found == splits(reversed(films.items()), seed=seed)


def test_the_papers_films_are_twenty_five() -> None:
    assert len(PAPER_VALIDATION) == 25
    assert all(film.startswith("tt") and len(film) == 9 for film in PAPER_VALIDATION)


def test_films_can_be_named_and_so_can_their_share() -> None:
    films = [(name, ()) for name in ("a", "b", "c", "d")]
    assert splits(films, seed=0, validation={"c"})["c"] == VALIDATION
    assert list(splits(films, seed=0, share=0.0).values()) == [TRAIN] * 4
    halves = [
        {f for f, split in splits(films, seed=s, share=0.5).items() if split == VALIDATION}
        for s in range(8)
    ]
    assert {len(half) for half in halves} == {2}
    assert any(one != other for one, other in itertools.pairwise(halves))


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefgh"), max_size=2)),
        max_size=10,
    ),
    st.integers(0, 5),
)
def test_films_that_share_an_id_are_in_one_split(
    films: list[tuple[str, list[str]]], seed: int
) -> None:
    found = splits(films, seed=seed, share=0.5)
    assert set(found) == {film for film, _ in films}
    for (one, ids), (other, others) in itertools.combinations(films, 2):
        if {one, *ids} & {other, *others}:
            assert found[one] == found[other]
    assert found == splits(reversed(films), seed=seed, share=0.5)


def test_all_ids_of_a_films_files_count() -> None:
    files = [("X", ("clip1", "tt0020629")), ("X", ("clip2", "")), ("Y", ("",))]
    assert splits(files, seed=0) == {"X": VALIDATION, "Y": TRAIN}
    assert splits(files, seed=0, validation={"clip1"})["X"] == VALIDATION

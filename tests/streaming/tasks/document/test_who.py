"""Names count as the programme gives them, and one person is one person."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.passes import NameGuess, PersonGuess
from streaming.tasks.document.early import FirstGiven, names_in
from streaming.tasks.document.who import Book, givens
from tests.streaming.tasks.document.people import said, seen

pytestmark = pytest.mark.unit

LINES = givens(
    [
        said("s1", 5, 6, "Who is there?"),
        said("s2", 20, 22, "Anna, come here."),
        said("s3", 30, 32, "Annie! Bo is waiting."),
        said("s4", 40, 42, "Hello, anna."),
    ],
    [seen("v1", 8, 12, "A sign.").model_copy(update={"read": ("BO KELLER",)})],
)


def guess(look: str, *names: tuple[str, str], id: str = "") -> PersonGuess:
    return PersonGuess(
        id=id,
        looks=(look,),
        description=f"the {look}",
        names=tuple(NameGuess(name=name, source=source) for name, source in names),
    )


def test_a_name_is_learned_when_its_line_has_been_spoken() -> None:
    book = Book(LINES)
    book.take([guess("woman in red", ("Anna", "s4"))])
    (anna,) = book.people()
    assert (anna.name, anna.learned, anna.source) == ("Anna", 42.0, "dialogue")
    book.take([guess("woman in red", ("Anna", "s2"), id="p1")])
    assert book.people()[0].learned == 22.0


def test_a_line_that_does_not_hold_the_name_is_not_believed() -> None:
    book = Book(LINES)
    book.take([guess("woman in red", ("Anna", "s1")), guess("man in black", ("Carl", "s1"))])
    anna, carl = book.people()
    assert (anna.name, anna.learned) == ("Anna", 22.0)
    assert (carl.name, carl.learned, carl.unproven) == (None, None, ("Carl",))


def test_the_first_name_is_the_one_and_others_are_aliases() -> None:
    book = Book(LINES)
    book.take([guess("woman in red", ("Annie", "s3"), ("Anna", "s2"))])
    (anna,) = book.people()
    assert (anna.name, anna.aliases) == ("Anna", ("Annie",))


def test_who_has_the_same_name_or_look_is_the_same() -> None:
    book = Book(LINES)
    book.take([guess("woman in red", ("Anna", "s2")), guess("man in black", ("Bo", "v1"))])
    book.take([guess("woman in a coat", ("Anna", "s4")), guess("man in black")])
    anna, bo = book.people()
    assert anna.looks == ("woman in red", "woman in a coat")
    assert (bo.name, bo.learned, bo.source) == ("Bo", 12.0, "on-screen")


def test_two_with_names_of_their_own_may_look_alike() -> None:
    book = Book(LINES)
    book.take([guess("man in black", ("Anna", "s2")), guess("man in black", ("Bo", "s3"))])
    assert [p.name for p in book.people()] == ["Anna", "Bo"]


NAMES = st.sampled_from(["Anna", "Annie", "Bo", "Carl"])
SOURCES = st.sampled_from(["s1", "s2", "s3", "s4", "v1", "x", ""])
GUESSES = st.builds(
    lambda look, names, id: guess(look, *names, id=id),
    st.sampled_from(["red coat", "black hat", "old man", "girl"]),
    st.lists(st.tuples(NAMES, SOURCES), max_size=3),
    st.sampled_from(["", "p1", "p2", "p9"]),
)


@given(st.lists(st.lists(GUESSES, max_size=4), max_size=4))
def test_no_two_people_share_a_name_nor_two_without_one_a_look(
    batches: list[list[PersonGuess]],
) -> None:
    book = Book(LINES)
    for batch in batches:
        book.take(batch)
    people = book.people()
    names = [name for p in people for name in (p.name, *p.aliases) if name]
    unnamed = [look for p in people if p.name is None for look in p.looks]
    assert len(set(names)) == len(names)
    assert len(set(unnamed)) == len(unnamed)
    assert "Carl" not in names
    for p in people:
        if p.name is not None and p.learned is not None:
            told = [line for line in LINES if line.end <= round(p.learned * 1000)]
            assert any(line.holds(p.name) for line in told)


def test_a_name_that_nobody_was_found_for_is_not_said_early_either() -> None:
    first = FirstGiven(LINES, "en")
    assert first.too_early("Bo waits.", 11_999) == []  # "Bo" opens a sentence there: no telling
    lines = givens(
        [said("s1", 5, 6, "Is it Bo?"), said("s2", 8, 9, "Bo left. The dust stays.")], []
    )
    first = FirstGiven(lines, "en")
    assert first.too_early("Bo and Carl wait.", 5_999) == ["Bo"]
    assert first.too_early("Bo and Carl wait. The dust.", 6_000) == []
    assert FirstGiven(lines, "de").too_early("Bo waits.", 0) == []
    assert names_in("Is it Bo? Yes, Bo Keller. Come, Anna.") == ["Bo", "Bo", "Keller", "Anna"]

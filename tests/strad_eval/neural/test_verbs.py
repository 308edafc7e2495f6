"""Verb phrases from a parsed sentence."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from strad_eval.neural.verbs import verb_phrases

pytestmark = pytest.mark.eval


@dataclass
class Token:
    """A token as spaCy has them."""

    i: int
    text: str
    lemma_: str
    pos_: str
    dep_: str
    children: list[Token] = field(default_factory=list)

    @property
    def subtree(self) -> list[Token]:
        parts = [self, *(t for child in self.children for t in child.subtree)]
        return sorted(parts, key=lambda token: token.i)


def test_a_phrase_ends_where_another_verb_is_joined() -> None:
    # "She sits down slowly and picks up a cup."
    she = Token(0, "She", "she", "PRON", "nsubj")
    down = Token(2, "down", "down", "ADP", "prt")
    slowly = Token(3, "slowly", "slowly", "ADV", "advmod")
    conjunction = Token(4, "and", "and", "CCONJ", "cc")
    cup = Token(8, "cup", "cup", "NOUN", "dobj", [Token(7, "a", "a", "DET", "det")])
    up = Token(6, "up", "up", "ADP", "prt")
    picks = Token(5, "picks", "pick", "VERB", "conj", [up, cup])
    sits = Token(1, "sits", "sit", "VERB", "ROOT", [she, down, slowly, conjunction, picks])
    found = verb_phrases(sits.subtree)
    assert [(p.text, p.verb) for p in found] == [
        ("She sits down slowly", "sit down"),
        ("picks up a cup", "pick up"),
    ]


def test_things_joined_by_and_stay_together() -> None:
    bread = Token(3, "bread", "bread", "NOUN", "conj")
    and_ = Token(2, "and", "and", "CCONJ", "cc")
    cheese = Token(1, "cheese", "cheese", "NOUN", "dobj", [and_, bread])
    eats = Token(0, "Eats", "eat", "VERB", "ROOT", [cheese])
    assert [p.text for p in verb_phrases(eats.subtree)] == ["Eats cheese and bread"]


def test_a_sentence_without_a_verb_has_none() -> None:
    assert verb_phrases([Token(0, "Night", "night", "NOUN", "ROOT")]) == ()

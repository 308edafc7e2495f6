"""Verb phrases by spaCy: a verb with what hangs on it, cut where another verb is joined to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Protocol

from strad.errors import MissingModelError
from strad_eval.metrics.action_score import VerbPhrase
from strad_eval.neural.foreign import Foreign

MODEL = "en_core_web_lg"


class ParsedToken(Protocol):
    """What is asked of spaCy's tokens."""

    @property
    def i(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def lemma_(self) -> str: ...
    @property
    def pos_(self) -> str: ...
    @property
    def dep_(self) -> str: ...
    @property
    def children(self) -> Iterable[ParsedToken]: ...
    @property
    def subtree(self) -> Iterable[ParsedToken]: ...


class SpacyVerbs:
    """A loaded spaCy pipeline, each sentence parsed once."""

    def __init__(self, pipeline: Foreign) -> None:
        self._pipeline = pipeline
        self._known: dict[str, tuple[VerbPhrase, ...]] = {}

    @property
    def said(self) -> str:
        """What reports print of it."""
        meta = self._pipeline.meta
        return f"{meta.get('lang')}_{meta.get('name')} {meta.get('version')}"

    def phrases(self, sentence: str) -> Sequence[VerbPhrase]:
        """One phrase a verb, in the sentence's order."""
        if sentence not in self._known:
            self._known[sentence] = verb_phrases(self._pipeline(sentence))
        return self._known[sentence]


def verb_phrases(parsed: Iterable[ParsedToken]) -> tuple[VerbPhrase, ...]:
    """The phrases of a parsed sentence: spaCy's Doc, or anything with such tokens."""
    return tuple(_phrase(token) for token in parsed if token.pos_ == "VERB")


def _phrase(verb: ParsedToken) -> VerbPhrase:
    particles = [child.lemma_.lower() for child in verb.children if child.dep_ == "prt"]
    joined = [c for c in verb.children if c.dep_ == "conj" and c.pos_ == "VERB"]
    left_out = {token.i for other in joined for token in other.subtree}
    left_out |= {child.i for child in verb.children if child.dep_ == "cc" and joined}
    words = [token.text for token in verb.subtree if token.i not in left_out]
    return VerbPhrase(" ".join(words), " ".join([verb.lemma_.lower(), *particles]))


def load_verbs(name: str = MODEL) -> SpacyVerbs:
    """The pipeline called ``name``, a package or a folder. Raises MissingModelError."""
    if find_spec("spacy") is None:
        raise MissingModelError("spacy is not here: pip install spacy")
    import spacy

    try:
        return SpacyVerbs(spacy.load(name))
    except OSError as error:
        why = str(error).strip().splitlines()[0]
        raise MissingModelError(f"the spaCy model {name} can't be had: {why}") from None

"""Answers are read leniently, near misses repaired; what can't be spoken does not get through."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.decision import Kind, WaitReason
from strad.speech import count_words
from strad_engines.gbnf import grammar_of
from streaming.describers.strad_zero import answers
from streaming.describers.strad_zero.answers import Forms, Watched
from streaming.prompt.soundness import unfit

pytestmark = pytest.mark.unit

SHORT, MEDIUM, LONG = (
    "A man sits down.",
    "A man in a coat sits down wearily.",
    "A man in a wet coat sits down wearily on the bench by the door.",
)
THREE = {"kind": "action", "short": SHORT, "medium": MEDIUM, "long": LONG}
RIGHT = json.dumps(THREE)
WORDS = st.sampled_from(["a", "man", "sits", "down", "opens", "the", "red", "door", "away"])
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)


@given(
    st.sampled_from(list(Kind)),
    st.lists(TEXTS, min_size=3, max_size=3),
    st.text(alphabet="abc .:\n", max_size=20),
    st.text(alphabet="abc .:\n", max_size=20),
    st.sampled_from([None, 0, 2]),
)
def test_json_is_read_whatever_stands_around_it(
    kind: Kind, texts: list[str], before: str, after: str, indent: int | None
) -> None:
    listed = dict(zip(("kind", "short", "medium", "long"), (kind.value, *texts), strict=True))
    found = answers.read_forms(before + json.dumps(listed, indent=indent) + after, "en")
    fit = {text for text in texts if unfit(text, "en") is None}
    if isinstance(found, Forms):
        assert found.kind is kind
        assert set(found.texts) <= fit
        assert list(found.texts) == sorted(found.texts, key=count_words)
    else:
        assert found is WaitReason.REPEATED  # each of the three stammers


@given(st.text(max_size=300))
def test_nothing_raises_and_what_is_offered_can_be_spoken(answer: str) -> None:
    answers.read_caption(answer, "en")
    answers.read_decision(answer, "en")
    for found in (answers.read_forms(answer, "en"), answers.read_watched(answer, "de").forms):
        for text in found.texts if isinstance(found, Forms) else ():
            assert unfit(text, "en") is None


@given(st.text(alphabet="{}\":,\\' \nshortlongmedium", max_size=200), st.integers(0, 200))
def test_broken_json_is_no_error(noise: str, cut: int) -> None:
    for answer in (noise, RIGHT[:cut] + noise, noise + RIGHT[cut:]):
        assert isinstance(answers.read_forms(answer, "en"), Forms | WaitReason)
        assert isinstance(answers.read_watched(answer, "en"), Watched)


@pytest.mark.parametrize(
    "answer",
    [
        RIGHT,
        f"```json\n{RIGHT}\n```",
        f"<think>{{short?}}</think>\n{RIGHT}",
        f"Here you are: {RIGHT} I hope it helps.",
        RIGHT.replace('"kind"', '"Kind"').replace("short", "Short"),
        RIGHT.replace("}", ",}"),
        f"kind: action\nshort: {SHORT}\nmedium: {MEDIUM}\nlong: {LONG}",
        f"**kind**: action\n**short**: {SHORT}\n**medium**: {MEDIUM}\n**long**: {LONG}",
        f"{{'kind': 'action', 'short': '{SHORT}', 'medium': '{MEDIUM}', 'long': '{LONG}'}}",
        json.dumps({"forms": [LONG, SHORT, MEDIUM]}),
    ],
)
def test_near_misses_are_repaired(answer: str) -> None:
    assert answers.read_forms(answer, "en") == Forms((SHORT, MEDIUM, LONG), Kind.ACTION)


def test_of_a_cut_answer_the_whole_forms_are_kept() -> None:
    cut = RIGHT[: RIGHT.index("by the door")]
    assert answers.read_forms(cut, "en") == Forms((SHORT, MEDIUM), Kind.ACTION)


def test_a_bare_sentence_is_one_form() -> None:
    assert answers.read_forms(SHORT, "en") == Forms((SHORT,), Kind.ACTION)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", WaitReason.EMPTY),
        ("{}", WaitReason.EMPTY),
        ("I can't describe this.", WaitReason.REFUSED),
        ("I'm sorry: no.\nReally.", WaitReason.REFUSED),
        ('{"kind": "action"}', WaitReason.UNPARSABLE),
        ("one\ntwo\nthree", WaitReason.UNPARSABLE),
        ('{"short": "The video shows a man."}', WaitReason.META_TALK),
        ('{"short": "<b>A man</b> sits."}', WaitReason.MARKUP),
        ('{"short": "..."}', WaitReason.EMPTY),
        ('{"short": "a b a b a b a b"}', WaitReason.REPEATED),
    ],
)
def test_what_can_not_be_spoken_is_a_reason(answer: str, reason: WaitReason) -> None:
    assert answers.read_forms(answer, "en") is reason


@pytest.mark.parametrize(
    ("answer", "meaning"),
    [
        ("NOTHING", WaitReason.NOTHING_NEW),
        ("Nothing.", WaitReason.NOTHING_NEW),
        ("**Nothing new is seen.**", WaitReason.NOTHING_NEW),
        (
            "Nothing moves but a man who opens a red door.",
            "Nothing moves but a man who opens a red",
        ),
        ("", WaitReason.EMPTY),
        ("...", WaitReason.EMPTY),
        ("I cannot see the picture.", WaitReason.REFUSED),
        ("<think>What is it?</think>A man\nopens a door.", "A man opens a door."),
        ("A man <b>opens</b> it.", "A man b opens /b it."),
    ],
)
def test_a_caption_is_one_line_or_a_reason(answer: str, meaning: str | WaitReason) -> None:
    found = answers.read_caption(answer, "en")
    if isinstance(meaning, WaitReason):
        assert found is meaning
    else:
        assert found.startswith(meaning)


@pytest.mark.parametrize(
    ("answer", "meaning"),
    [
        ("AD", True),
        ("WAIT", False),
        ('"AD"', True),
        ("**wait**", False),
        ("Decision: AD.", True),
        ("I would WAIT here.", False),
        ("AD or WAIT?", WaitReason.UNPARSABLE),
        ("ADD", WaitReason.UNPARSABLE),
        ("I can't decide.", WaitReason.REFUSED),
        ("", WaitReason.EMPTY),
    ],
)
def test_a_decision_is_one_word_or_a_reason(answer: str, meaning: object) -> None:
    assert answers.read_decision(answer, "en") is meaning


def test_of_three_stages_in_one_each_is_read() -> None:
    seen = "A man sits down on a bench."
    both = answers.read_watched(json.dumps({"seen": seen, "decision": "AD", **THREE}), "en")
    assert both == Watched(seen, True, Forms((SHORT, MEDIUM, LONG), Kind.ACTION))
    wait = answers.read_watched(json.dumps({"seen": seen, "decision": "WAIT"}), "en")
    assert wait == Watched(seen, False, None)
    nothing = answers.read_watched('{"seen": "NOTHING", "decision": "AD", "short": "x"}', "en")
    assert nothing.seen is WaitReason.NOTHING_NEW


@pytest.mark.parametrize(
    ("regex", "right", "wrong"),
    [
        (answers.caption_regex(), ["NOTHING", "A man sits."], ["", "<b>"]),
        (answers.decision_regex(), ["AD", "WAIT"], ["", "AD WAIT"]),
        (answers.forms_regex(), [RIGHT], ["{}", RIGHT.replace("action", "fun")]),
        (
            answers.watch_regex(),
            [
                '{"seen": "NOTHING", "decision": "WAIT"}',
                RIGHT.replace("{", '{"seen": "A man.", "decision": "AD", '),
            ],
            ['{"seen": "A man.", "decision": "AD"}'],
        ),
    ],
)
def test_the_expressions_allow_what_is_read_and_every_server_knows_them(
    regex: str, right: list[str], wrong: list[str]
) -> None:
    assert all(re.fullmatch(regex, answer) for answer in right)
    assert not any(re.fullmatch(regex, answer) for answer in wrong)
    assert grammar_of(regex)

"""What a viewer may ask: requests survive the trip, and what is wrong or too much is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.decision import Kind
from strad.errors import ProtocolError, UnknownMessageError
from strad.wire.asking import (
    ASK,
    MAX_ASKED,
    MOST_MISSED,
    AskMissed,
    AskScene,
    Extra,
    FormChoice,
    Prefer,
    parse_from_viewer,
)
from strad.wire.viewing import Ad, Missed, OnScreen, Scene, Words, parse_for_viewer, parse_logged

pytestmark = pytest.mark.unit

TIMES = st.none() | st.floats(0, 1e8)
NAMES = st.none() | st.text(st.characters(codec="utf-8"), max_size=60)


@given(
    st.builds(
        Prefer,
        id=NAMES,
        kinds=st.none() | st.lists(st.sampled_from(Kind), max_size=4).map(tuple),
        form=st.sampled_from(FormChoice),
        extras=st.lists(st.sampled_from(Extra), max_size=2).map(tuple),
    )
    | st.builds(
        AskMissed,
        id=NAMES,
        after=st.integers(0, 2**50),
        since=TIMES,
        until=TIMES,
        most=st.integers(1, MOST_MISSED),
    )
    | st.builds(AskScene, id=NAMES, at=TIMES)
)
def test_what_a_viewer_asks_survives_the_trip(ask: Any) -> None:
    assert parse_from_viewer(ask.to_json()) == ask


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"type": "missed"}, "say since when"),
        ({"type": "missed", "after": -1}, r"missed\.after"),
        ({"type": "missed", "after": 1, "most": 0}, r"missed\.most"),
        ({"type": "missed", "since": 1.0, "most": 101}, r"missed\.most"),
        ({"type": "scene", "at": "now"}, r"scene\.at"),
        ({"type": "prefer", "kinds": ["gossip"]}, r"prefer\.kinds"),
        ({"type": "prefer", "form": "longest"}, r"prefer\.form"),
        ({"type": "prefer", "extras": ["transcript"] * 3}, r"prefer\.extras"),
        ({"type": "scene", "id": "x" * 101}, r"scene\.id"),
        ({"type": "scene", "more": "x" * MAX_ASKED}, "longer than 4096"),
    ],
)
def test_what_can_not_be_answered_is_refused(fields: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ProtocolError, match=complaint):
        parse_from_viewer(json.dumps(fields))


def test_a_request_of_a_later_version_is_told_from_a_broken_one() -> None:
    with pytest.raises(UnknownMessageError):
        parse_from_viewer('{"type": "applause"}')


def test_every_request_has_one_type() -> None:
    schema = ASK.json_schema()
    assert sorted(schema["discriminator"]["mapping"]) == ["flag", "missed", "prefer", "scene"]


def test_a_log_holds_what_has_a_number_and_nothing_else() -> None:
    aside = Words.model_validate(
        {"words": ({"start": 0.0, "end": 1.0, "text": "yes"},), "until": 1.0}
    ).to_json()
    scene = Scene(answers="s", at=1.0, draft=True, things=()).to_json()
    for text in (aside, scene):
        assert parse_for_viewer(text).to_json() == text
        with pytest.raises(UnknownMessageError):
            parse_logged(text)


def test_answers_hold_ad_as_they_were_told() -> None:
    thing = OnScreen(kind=Kind.NAME, text="Ada.", start=1.0, end=2.0, age=0.0, spoken=False)
    scene = Scene(answers="s1", at=2.0, draft=False, things=(thing,))
    ad = Ad.model_validate_json(
        '{"seq": 4, "id": "ad-1", "number": 1, "start": 1.0, "end": 2.5, "text": "A door opens.",'
        '"language": "en", "kind": "action", "forms": ["A door opens."], "rate": 1.0,'
        '"provisional": false, "window_end": 4.0, "lag_cursor": 1.0, "lag_emit": 2.0,'
        '"late": false, "draft": true, "describer": "facts"}'
    )
    missed = Missed(answers="m1", ads=(ad,), more=False)
    assert parse_for_viewer(scene.to_json()) == scene
    assert parse_for_viewer(missed.to_json()) == missed

"""The wire: messages survive the trip, strangers are ignored, and what is wrong is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.cues import AdEvent, Cue
from strad.decision import MAX_FORMS, Kind
from strad.errors import (
    DecoderError,
    MediaError,
    NoVideoError,
    OverloadedError,
    ProtocolError,
    StradError,
    UnknownMessageError,
    WorkError,
)
from strad.timeline import Epoch, Interval
from strad.wire import publishing
from strad.wire.answering import ANSWER, Error, parse_answer
from strad.wire.message import MAX_CONTROL, MAX_SECONDS, MAX_TEXT, name_of
from strad.wire.publishing import (
    MAX_CAPTIONS,
    PUBLISHER_MESSAGE,
    Captions,
    Container,
    Finish,
    Hello,
    KeepAlive,
    parse_from_publisher,
)
from strad.wire.viewing import VIEWER_MESSAGE, Ad, Withdraw, parse_for_viewer

pytestmark = pytest.mark.unit

MOST_MS = int(MAX_SECONDS * 1000)
TIMES = st.integers(0, MOST_MS)
LAGS = st.integers(-MOST_MS, MOST_MS)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=200)
NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60)
RATES = st.floats(0.01, 16)


@st.composite
def spans(draw: st.DrawFn) -> Interval:
    start, end = sorted((draw(TIMES), draw(TIMES)))
    return Interval(start, end)


@st.composite
def events(draw: st.DrawFn) -> AdEvent:
    return AdEvent(
        id=draw(NAMES),
        seq=draw(st.integers(0, 2**50)),
        cue=Cue(draw(spans()), draw(TEXTS), draw(st.sampled_from(["en", "pt-BR", "zh-Hans-CN"]))),
        kind=draw(st.sampled_from(Kind)),
        forms=tuple(draw(st.lists(TEXTS, max_size=MAX_FORMS))),
        rate=draw(RATES),
        provisional=draw(st.booleans()),
        window_end=draw(TIMES),
        lag_cursor=draw(LAGS),
        lag_emit=draw(LAGS),
        late=draw(st.booleans()),
        draft=draw(st.booleans()),
        describer=draw(NAMES),
        epoch=Epoch(draw(TIMES), draw(TIMES), draw(RATES)),
    )


@given(events(), st.integers(1, 2**50))
def test_an_event_survives_the_trip_to_the_millisecond(event: AdEvent, seq: int) -> None:
    message = parse_for_viewer(Ad.of(event, seq).to_json())
    assert isinstance(message, Ad)
    assert (message.event(), message.seq) == (event, seq)


def test_a_form_too_long_for_the_wire_is_cut_not_fatal() -> None:
    cue = Cue(Interval(0, 1_000), "A word.")
    forms = ("A word.", "word " * 10_000)
    epoch = Epoch(0, 0)
    event = AdEvent(
        *("a", 1, cue, Kind.SCENE, forms, 1.0, False, 0, 0, 0, False, True, "facts", epoch)
    )
    message = Ad.of(event, 1)
    assert message.text == "A word."
    assert len(message.forms[1]) == MAX_TEXT


@given(
    st.builds(Hello, container=st.sampled_from(Container), id=st.none() | NAMES)
    | st.builds(KeepAlive, sent=st.none() | st.floats(0, MAX_SECONDS))
    | st.builds(publishing.Epoch, player=st.floats(0, MAX_SECONDS), rate=RATES)
    | st.builds(Finish)
)
def test_what_a_publisher_says_survives_the_trip(message: Any) -> None:
    assert parse_from_publisher(message.to_json()) == message


@given(st.dictionaries(NAMES.filter(lambda n: n not in Captions.model_fields), st.integers()))
def test_fields_of_later_versions_are_ignored(more: dict[str, int]) -> None:
    message = {"type": "captions", "until": 4.5, "cues": []} | more
    assert parse_from_publisher(json.dumps(message)) == Captions(until=4.5)


@given(st.text(max_size=100) | st.binary(max_size=100))
def test_noise_is_refused_and_never_more_than_that(noise: str | bytes) -> None:
    for parse in (parse_from_publisher, parse_answer, parse_for_viewer):
        with pytest.raises(ProtocolError):
            parse(noise)
    if isinstance(noise, str):
        name_of(noise)


ANY_TEXT = st.text(st.characters(), max_size=120)
"""Lone surrogates too, which JSON can spell."""


@given(ANY_TEXT, ANY_TEXT)
def test_what_a_peer_says_never_breaks_the_answer_to_it(kind: str, name: str) -> None:
    text = json.dumps({"type": kind, "id": name})
    for said in (text, kind):
        with pytest.raises(ProtocolError) as refused:
            parse_from_publisher(said)
        for answers in (name_of(said), name):
            answer = Error.of(refused.value, answers=answers, fatal=False)
            assert parse_answer(answer.to_json()) == answer
    answer = Error.of(ProtocolError(kind))
    assert parse_answer(answer.to_json()) == answer


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
        max_leaves=20,
    ),
    st.sampled_from(["hello", "captions", "epoch", "keepalive", "finish", "zap"]),
)
def test_any_json_is_a_message_or_is_refused(value: Any, kind: str) -> None:
    fields = value if isinstance(value, dict) else {"until": value, "cues": value, "player": value}
    text = json.dumps(fields | {"type": kind})
    complaint = "fine"
    try:
        parse_from_publisher(text)
    except ProtocolError as error:
        complaint = str(error)
    assert len(complaint.splitlines()) == 1
    assert len(complaint) < 500


@pytest.mark.parametrize(
    "number", ["NaN", "Infinity", "-Infinity", "1e400", "-0.001", "1e9", '"3"']
)
def test_a_time_that_is_none_is_refused(number: str) -> None:
    with pytest.raises(ProtocolError, match=r"captions\.until"):
        parse_from_publisher(f'{{"type": "captions", "until": {number}}}')


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "zap"}',
        '{"type": 5}',
        '{"type": null}',
        '{"type": "' + "z" * 10_000 + '"}',
    ],
)
def test_an_unknown_type_is_told_from_a_broken_message(text: str) -> None:
    with pytest.raises(UnknownMessageError) as refused:
        parse_from_publisher(text)
    assert len(str(refused.value)) < 100


def test_a_caption_that_ends_before_it_starts_is_refused() -> None:
    cue = {"start": 3.0, "end": 1.0, "text": "x"}
    with pytest.raises(ProtocolError, match="ends before it starts"):
        parse_from_publisher(json.dumps({"type": "captions", "until": 9.0, "cues": [cue]}))


def test_too_much_of_anything_is_refused() -> None:
    cues = [{"start": 0.0, "end": 1.0, "text": "x"}] * (MAX_CAPTIONS + 1)
    for text in (
        json.dumps({"type": "captions", "until": 9.0, "cues": cues}),
        json.dumps({"type": "finish", "id": "x" * 101}),
        '{"type": "finish", "more": "' + "x" * MAX_CONTROL + '"}',
        "[" * 100_000,
    ):
        with pytest.raises(ProtocolError):
            parse_from_publisher(text)


def test_messages_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Withdraw(seq=1, id="a", at=0.0, reason="speech").seq = 2


@pytest.mark.parametrize(
    "kind", [MediaError, NoVideoError, DecoderError, OverloadedError, ProtocolError, WorkError]
)
def test_an_error_arrives_as_it_was_raised(kind: type[StradError]) -> None:
    sent = Error.of(kind("what went wrong"), answers="m1", fatal=False)
    got = parse_answer(sent.to_json())
    assert got == sent
    assert isinstance(got, Error)
    error = got.as_exception()
    assert type(error) is kind
    assert str(error) == "what went wrong"
    assert got.retryable is kind.retryable


class HugeMediaError(MediaError):
    """A narrower one that has no code of its own, as parts of ours define them."""

    def __init__(self, what: str, pixels: int) -> None:
        super().__init__(what)
        self.pixels = pixels


def test_an_error_without_a_code_of_its_own_arrives_as_the_one_whose_code_it_has() -> None:
    sent = Error.of(HugeMediaError("too large", 1_000_000))
    error = sent.as_exception()
    assert (type(error), str(error)) == (MediaError, "too large")


def test_an_error_of_a_later_version_is_a_failure_at_work() -> None:
    assert type(Error(code="quota", message="no more").as_exception()) is WorkError


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"id": "m1", "type": "zap"}', "m1"),
        ('{"id": 7, "type": "zap"}', "zap"),
        (r'{"type": "\ud800"}', "?"),
        ('{"id": ""}', None),
        ("[1]", None),
        ("{", None),
        ("[" * 100_000, None),
    ],
)
def test_a_refused_message_is_named_as_far_as_it_can_be_read(text: str, name: str | None) -> None:
    assert name_of(text) == name


def test_every_type_belongs_to_one_message_of_its_direction() -> None:
    for adapter in (PUBLISHER_MESSAGE, ANSWER, VIEWER_MESSAGE):
        schema = adapter.json_schema()
        mapping = schema["discriminator"]["mapping"]
        assert len(mapping) == len(schema["oneOf"])

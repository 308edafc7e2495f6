"""JSONL files: a header that may be there, records that are checked line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

import pytest

from strad.errors import FormatError
from strad.line_file import LineFile
from strad.record import Record

pytestmark = pytest.mark.unit


class Header(Record):
    """The header of a format made for these tests."""

    strad: Literal["test"]
    version: Literal[1]


class Point(Record):
    """Its record."""

    x: int
    y: float = 0.0


POINTS = LineFile(Header, Point)


def test_header_and_records_are_told_apart() -> None:
    lines = ['{"strad": "test", "version": 1, "more": [1]}\n', "\n", '{"x": 1}\n', '{"x": 2}']
    header, records = POINTS.read(lines)
    assert header is not None
    assert header.model_extra == {"more": [1]}
    assert records == [Point(x=1), Point(x=2)]
    assert list(POINTS.each(lines)) == records
    assert POINTS.read(lines[2:]) == (None, records)
    assert POINTS.read([]) == (None, [])


def test_lines_come_as_bytes_or_text_with_any_line_end_and_bom() -> None:
    text = '\ufeff{"strad": "test", "version": 1}\r\n{"x": 1}\r\n'
    for lines in (text.split("\n"), text.encode().splitlines(keepends=True)):
        assert POINTS.read(lines)[1] == [Point(x=1)]


def test_records_are_read_as_the_lines_come() -> None:
    def lines() -> Iterator[str]:
        yield '{"x": 1}'
        raise AssertionError("read ahead")

    assert next(POINTS.each(lines())) == Point(x=1)


def test_a_file_can_be_written_piece_by_piece() -> None:
    header, records = Header(strad="test", version=1), [Point(x=1), Point(x=2, y=0.5)]
    whole = POINTS.write(records, header)
    assert whole == "".join(f"{record.line()}\n" for record in (header, *records))
    assert whole.splitlines()[1:] == ['{"x":1}', '{"x":2,"y":0.5}']
    assert POINTS.write(records) == "".join(whole.splitlines(keepends=True)[1:])


def test_unknown_fields_survive() -> None:
    line = '{"x":1,"note":"é\u2028","deep":{"a":[1,null,2.5]}}'
    (record,) = POINTS.each([line])
    assert json.loads(POINTS.write([record])) == json.loads(line)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b'{"x": "\xff"}', "not UTF-8: byte 0xff at 7"),
        ("{", "not JSON"),
        ('{"x": 1} {"x": 2}', "not JSON"),
        ("[]", "valid dictionary or instance|object"),
        ("1", "valid dictionary or instance|object"),
        ('{"y": 1}', "x: Field required"),
        ('{"x": "1"}', "x: Input should be a valid integer"),
        ('{"x": true}', "x: Input should be a valid integer"),
        ('{"x": 1, "y": NaN}', "not a finite number: NaN"),
        ('{"x": 1, "more": [-Infinity]}', "not a finite number: -Infinity"),
        ('{"x": 1, "more": 1e999}', "not a finite number: 1e999"),
        ('{"x": 1' + "0" * 5000 + "}", "not a finite number: 10000000000000000000"),
        ('{"x": 1, "x": 2}', "the key 'x' stands twice"),
        ('{"x": 1, "more": [{"a": {}, "b": [], "a": 0}]}', "the key 'a' stands twice"),
        ('{"x": 1, "more": ' + "[" * 100_000, "nested too deeply"),
        ('{"x": 1, "more": "\\ud800"}', "Invalid JSON: .* hex escape"),
        ('{"strad": "test", "version": 1}', "only be the first line"),
    ],
)
def test_a_bad_line_is_refused_by_its_number(line: str | bytes, what: str) -> None:
    with pytest.raises(FormatError, match=what) as refusal:
        POINTS.read(['{"x": 0}\n', "\n", line], file="points.jsonl")
    assert (refusal.value.file, refusal.value.line) == ("points.jsonl", 3)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"strad": "test", "version": 2}', "version: Input should be 1"),
        (
            '{"strad": "other", "version": 1}',
            "it says it holds other, wanted are test: lines",
        ),
        ('{"strad": "test"}', "version: Field required"),
    ],
)
def test_another_formats_header_is_refused(line: str, what: str) -> None:
    with pytest.raises(FormatError, match=what) as refusal:
        POINTS.read(["", line])
    assert refusal.value.line == 2

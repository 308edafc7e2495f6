"""The error tree: every error is told apart on the wire and ends a process in its own way."""

from __future__ import annotations

import inspect

import pytest

import strad.errors
from strad.errors import FormatError, InputError, StradError, WorkError

pytestmark = pytest.mark.unit

TREE = [
    value
    for value in vars(strad.errors).values()
    if inspect.isclass(value) and issubclass(value, StradError)
]


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [error.code for error in TREE]
    assert len(set(codes)) == len(codes)
    assert all(error.code in vars(error).values() for error in TREE)


def test_close_codes_are_ones_that_may_be_sent() -> None:
    sendable = {*range(1000, 1004), *range(1007, 1015), *range(3000, 5000)}
    assert {error.close_code for error in TREE} <= sendable


def test_input_errors_exit_with_2_and_failures_with_1() -> None:
    for error in TREE:
        assert error.exit_code == (2 if issubclass(error, InputError) else 1)
        if error is not StradError:
            assert issubclass(error, InputError) != issubclass(error, WorkError)


def test_wrong_input_is_never_worth_trying_again() -> None:
    assert not any(error.retryable for error in TREE if issubclass(error, InputError))


def test_the_docstring_draws_the_whole_tree() -> None:
    drawn = strad.errors.__doc__ or ""
    assert all(error.__name__ in drawn for error in TREE)


@pytest.mark.parametrize(
    ("file", "line", "text"),
    [
        ("a.vtt", 3, "a.vtt:3: bad"),
        ("a.vtt", None, "a.vtt: bad"),
        ("", 3, "3: bad"),
        ("", None, "bad"),
    ],
)
def test_a_format_error_says_where(file: str, line: int | None, text: str) -> None:
    error = FormatError("bad", file=file, line=line)
    assert str(error) == text
    assert (error.what, error.file, error.line) == ("bad", file, line)

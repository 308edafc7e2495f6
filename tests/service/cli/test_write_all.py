"""What a command leaves behind: each part in turn, and an account of what is missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from service.cli.write_all import write_all
from strad.errors import InputError, WorkError

pytestmark = pytest.mark.unit


def fail(error: Exception) -> Callable[[], None]:
    def write() -> None:
        raise error

    return write


FULL = fail(WorkError("a.vtt: no space left on device"))
BROKEN = fail(BrokenPipeError())


@pytest.mark.parametrize(
    ("writes", "told"),
    [
        ([FULL], "a.vtt: no space left on device"),
        ([FULL, print], "a.vtt: no space left on device; all else is written"),
        ([BROKEN, FULL], "a.vtt: no space left on device"),
        (
            [FULL, fail(InputError("b: exists already")), print],
            "a.vtt: no space left on device; b: exists already; all else is written",
        ),
        ([fail(IsADirectoryError(21, "Is a directory", "c")), FULL], "c: is a directory; a.vtt"),
    ],
)
def test_what_is_missing_is_told_and_only_what_is_there_is_said_to_be(
    writes: list[Callable[[], None]], told: str
) -> None:
    with pytest.raises(WorkError) as failed:
        write_all(*writes)
    assert str(failed.value).startswith(told)
    assert ("all else" in str(failed.value)) == ("all else" in told)


def test_a_reader_that_went_away_costs_no_file(tmp_path: Path) -> None:
    file = tmp_path / "summary.json"
    with pytest.raises(BrokenPipeError):
        write_all(BROKEN, file.touch)
    assert file.exists()

"""A program's end: one line and a code for each kind of error."""

from __future__ import annotations

import errno
import os

import pytest

from strad.errors import InputError, WorkError
from strad.program import run_program

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("error", "line", "code"),
    [
        (InputError("film.mp4: no video"), "film.mp4: no video", 2),
        (WorkError("the model is gone"), "the model is gone", 1),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "output: no space left on device", 1),
        (FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "a.txt"), "a.txt: no such", 1),
    ],
)
def test_an_error_is_one_line_and_a_code(
    error: Exception, line: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise error

    with pytest.raises(SystemExit) as ended:
        run_program("strad-x", fails)
    told = capsys.readouterr().err
    assert ended.value.code == code
    assert told.startswith(f"strad-x: {line}")
    assert told.count("\n") == 1


def test_a_program_that_ends_well_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    done: list[str] = []
    run_program("strad-x", lambda: done.append("done"))
    assert (done, capsys.readouterr().err) == (["done"], "")

"""What commands print is what was to be said, whatever it looks like."""

from __future__ import annotations

import logging

import pytest

from service.cli.describe_progress import DescribeProgress
from service.cli.terminal import console
from strad.timeline import Interval
from streaming.announcement import DescriberState

pytestmark = pytest.mark.unit

NAMED = "strad-ft:m: no answer [in] 5 s :fire:"


def test_a_models_name_is_no_emoji_and_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    console.print(NAMED, markup=False, soft_wrap=True)
    with DescribeProgress("film", aloud=False) as progress:
        progress.take(DescriberState(False, 4_000, NAMED, Interval(0, 4_000)), None)
    assert capsys.readouterr().err.count(NAMED) == 2


def test_an_engine_that_is_asked_again_and_again_is_told_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Only meanwhile: a service has a log for it."""
    log = logging.getLogger("strad_engines.openai_engine")
    with DescribeProgress("film", aloud=False):
        log.warning("no answer yet, asking again: %s", "HTTP 500")
    assert capsys.readouterr().err == "no answer yet, asking again: HTTP 500\n"
    assert not log.handlers

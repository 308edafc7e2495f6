"""The demo's closing table: every figure has a line that says what it is."""

from __future__ import annotations

import pytest
from rich.console import Console

from service.cli.demo_figures import MEANINGS, figures
from service.demo.ground_truth import Verdict
from service.demo.script import Title
from strad.wire.answering import Spread, Summary

pytestmark = pytest.mark.unit

SPREAD = Spread(p50=0.2, p95=0.5, max=0.6)
SUMMARY = Summary(
    live_edge=75.0,
    windows=36,
    events=9,
    withdrawn=1,
    skipped=2,
    no_gap=4,
    waits={"nothing-new": 24},
    drops={"too-long": 1},
    load=SPREAD,
    rtf=0.3,
    lag_cursor=SPREAD,
    lag_emit=None,
)
MISSED = Title(start=12.0, end=15.0, lines=("The", "End"), place="card")


def test_figures_come_with_what_they_are_and_what_was_missed() -> None:
    verdict = Verdict(overlap=0, described=(), missed=(MISSED,), unsupported=())
    table = figures(SUMMARY, verdict)
    assert table.row_count == len(MEANINGS)
    console = Console(width=200, record=True, file=None, quiet=False)
    with console.capture() as shown:
        console.print(table)
    text = shown.get()
    assert '"The End" at 12.0 s' in text
    assert "0 of 1 scripted facts" in text
    assert "nothing measured" in text
    assert all(meaning in text for meaning in MEANINGS.values())


def test_a_film_of_ones_own_has_no_script_to_be_held_against() -> None:
    assert figures(SUMMARY, None).row_count == 9

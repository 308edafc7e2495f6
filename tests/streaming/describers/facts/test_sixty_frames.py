"""Sixty frames of real clips, labelled before the describer was tuned: it must be right."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from strad.cues import Cue
from strad.decision import Describe
from strad.timeline import Ms
from strad_engines.weights import Weights
from streaming.describers.facts.claim import Claim
from streaming.describers.facts.look import Look
from streaming.describers.facts.models import FactsModels, missing_detectors
from streaming.describers.facts.narrator import Narrator
from streaming.ingest import Ingest, IngestOptions
from streaming.media import VideoFrame
from streaming.sources import FileSource
from tests.streaming.describers.facts.labelled import Labelled, labelled_frames
from tests.streaming.describers.facts.scenes import window

MEDIA = Path(__file__).parents[5] / "shared" / "media"
WEIGHTS = Weights(hub=False)

pytestmark = [
    pytest.mark.media,
    pytest.mark.slow,
    pytest.mark.skipif(not MEDIA.is_dir(), reason="../shared/media is not here"),
    pytest.mark.skipif(
        bool(missing_detectors(WEIGHTS)), reason=f"not here: {missing_detectors(WEIGHTS)}"
    ),
]

STRIDE: Ms = 2000


async def _frames(clip: str) -> list[VideoFrame]:
    async with Ingest(FileSource(MEDIA / clip), IngestOptions()) as media:
        return [one async for one in media if isinstance(one, VideoFrame)]


async def _looks() -> dict[str, list[Look]]:
    """Every frame of every clip, looked at once, in order."""
    models = FactsModels.load(WEIGHTS)
    try:
        clips = sorted({frame.clip for frame in labelled_frames()})
        return {clip: (await models.look(await _frames(clip), None))[0] for clip in clips}
    finally:
        models.close()


@pytest.fixture(scope="module")
def looks() -> dict[str, list[Look]]:
    return asyncio.run(_looks())


def _stated(frame: Labelled, looks: list[Look]) -> list[Claim]:
    """What a describer that has said nothing yet states of this frame, one stride later."""
    end = min(frame.t + STRIDE, looks[-1].t)
    narrator = Narrator()
    narrator.add([look for look in looks if look.t <= end])
    narrator.decide(window(end))
    claims = [claim for evidence in narrator.evidence for claim in evidence.claims]
    return [claim for claim in claims if frame.t in claim.seen]


def test_of_sixty_frames_it_speaks_of_fifteen_and_is_right(looks: dict[str, list[Look]]) -> None:
    stated = {(f.clip, f.t): (f, _stated(f, looks[f.clip])) for f in labelled_frames()}
    spoken_of = [frame for frame, claims in stated.values() if claims]
    verdicts = [frame.bears_out(claim) for frame, claims in stated.values() for claim in claims]
    assert len(stated) == 60
    assert len(spoken_of) >= 15
    assert sum(verdicts) >= 0.9 * len(verdicts)


def test_over_whole_clips_what_it_says_is_right(looks: dict[str, list[Look]]) -> None:
    frames = labelled_frames()
    verdicts: list[bool] = []
    for clip, seen in looks.items():
        for claim in _said(seen):
            at = [frame for frame in frames if frame.clip == clip and frame.t in claim.seen]
            verdicts += [frame.bears_out(claim) for frame in at]
    assert len(verdicts) >= 5
    assert sum(verdicts) >= 0.9 * len(verdicts)


def _said(looks: list[Look]) -> list[Claim]:
    narrator, history = Narrator(), list[Cue]()
    for end in range(0, looks[-1].t + 1, STRIDE):
        narrator.add([look for look in looks if end - STRIDE < look.t <= end])
        answer = narrator.decide(window(end, history=history))
        if isinstance(answer, Describe):
            history.append(Cue(answer.when, answer.forms[-1]))
    return [claim for evidence in narrator.evidence for claim in evidence.claims]

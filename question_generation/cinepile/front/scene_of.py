"""A located clip as a scene: what the describer says of it is seen, what is left of it is said.

A film line that the clip has too is dialogue, for the clip has no describer; it stands with the
clip's own words and times. Of the others the classifier decides, sentence by sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from question_generation.cinepile.front.classifier import Classifier, kinds
from question_generation.cinepile.front.labelled import VISUAL
from question_generation.cinepile.front.locate import Located
from question_generation.cinepile.front.sentences import sentences
from question_generation.embeddings.embedder import Embedder
from question_generation.jointav.video import Video
from question_generation.scene import Scene
from strad.record import TimedText

HEARD = 0.55
"""A likeness from which a line of the film is one of the clip's."""
NEAR = 4.0
"""Seconds between them, at most."""


def scene_of(
    video: Video,
    clip: Sequence[TimedText],
    film: Sequence[TimedText],
    place: Located,
    by: Classifier,
    embedder: Embedder,
    *,
    duration: float,
) -> Scene:
    """The clip from its start to its end, in its own seconds. Call it off the event loop."""
    told = _unheard(clip, _within(film, place, duration), embedder)
    decided = kinds([line.text for line in told], by)
    both = list(zip(told, decided, strict=True))
    spoken = [*clip, *(line for line, kind in both if kind != VISUAL)]
    return Scene(
        id=video.id,
        video_id=video.id,
        film_id=video.film_id,
        segment=(0.0, duration),
        visuals=tuple(line for line, kind in both if kind == VISUAL),
        dialogue=tuple(sorted(spoken, key=lambda line: (line.start, line.end))),
        facts=video.facts,
        clip=video.clip,
        split=video.split,
        provenance=video.provenance,
    )


def _within(film: Sequence[TimedText], place: Located, duration: float) -> list[TimedText]:
    """Sentences of the film whose middle lies in the clip, in the clip's time."""
    return [
        TimedText(
            start=place.clip_time(line.start, duration),
            end=place.clip_time(line.end, duration),
            text=line.text,
        )
        for line in sentences(film)
        if place.start <= (line.start + line.end) / 2 <= place.end
    ]


def _unheard(
    clip: Sequence[TimedText], film: list[TimedText], embedder: Embedder
) -> list[TimedText]:
    """Those of the film that the clip has not."""
    heard = [*clip, *(_joined(a, b) for a, b in pairwise(clip))]
    if not heard or not film:
        return film
    vectors = embedder.embed([line.text for line in [*film, *heard]])
    alike = vectors[: len(film)] @ vectors[len(film) :].T
    return [
        line
        for line, row in zip(film, alike, strict=True)
        if not any(
            likeness >= HEARD and other.start - NEAR <= line.end and line.start <= other.end + NEAR
            for other, likeness in zip(heard, row, strict=True)
        )
    ]


def _joined(first: TimedText, second: TimedText) -> TimedText:
    end = max(first.end, second.end)
    return TimedText(start=first.start, end=end, text=f"{first.text} {second.text}")

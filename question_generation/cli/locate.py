"""``strad-qa locate``: where clips lie in a described film."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from question_generation.cinepile.front.embedding import EMBEDDERS, LETTERS, embedder_of
from question_generation.cinepile.front.locate import Matching, locate
from question_generation.cinepile.front.sentence_files import SUBTITLES
from question_generation.cinepile.front.transcripts import duration_of, require, transcript
from question_generation.drop import Drop
from question_generation.embeddings.embedder import Embedder
from question_generation.jointav.speech_lines import Recogniser
from strad.counted import counted
from strad.errors import MediaError
from strad.record import Record, TimedText


class Whereabouts(Record):
    """One clip's line."""

    clip: str
    start: float | None = None
    """Seconds of the film."""
    end: float | None = None
    score: float | None = None
    dropped: str | None = None
    detail: str | None = None


def locate_clips(
    film: Annotated[
        Path, typer.Argument(metavar="FILM", help="The described film: media, .vtt or .srt.")
    ],
    clips: Annotated[list[Path], typer.Argument(metavar="CLIP...", help="Media, .vtt or .srt.")],
    embedding: Annotated[
        str,
        typer.Option(
            help=f"{', '.join(EMBEDDERS)}: letters needs nothing, words scikit-learn, minilm its"
            " packages (docs/question-generation-cinepile.md)."
        ),
    ] = LETTERS,
    least: Annotated[
        float, typer.Option(min=0, max=1, help="The score under which a match is dropped.")
    ] = Matching().least,
    asr: Annotated[str, typer.Option(help="Whisper's model, for media.")] = Recogniser().asr,
    language: Annotated[str, typer.Option(help="Of the speech.")] = "en",
) -> None:
    """Find each CLIP in FILM by what is said in both, and tell where, a line of JSON each.

    {"clip": "a.mp4", "start": 1312.4, "end": 1450.1, "score": 0.83}

    The first and the last three lines of the clip are looked for among all lines of the film,
    descriptions between them. What is not found is told with "dropped" and why. Subtitles are
    taken as they are; speech in media is recognised by Whisper (strad[serve,offline-models]).
    """
    by = embedder_of(embedding)
    for path in (film, *clips):
        require(path)
    told = asyncio.run(_all(film, clips, by, Matching(least=least), Recogniser(asr, language)))
    many = Counter(one.dropped is None for one in told)
    sys.stderr.write(f"{many[True]} of {counted(len(told), 'clip')} found in {film}\n")


async def _all(
    film: Path, clips: list[Path], by: Embedder, how: Matching, recogniser: Recogniser
) -> list[Whereabouts]:
    heard = await transcript(film, recogniser)
    found: list[Whereabouts] = []
    for clip in clips:
        said = await transcript(clip, recogniser)
        told = await _one(clip, said, heard, by, how)
        sys.stdout.write(f"{told.line()}\n")
        sys.stdout.flush()
        found.append(told)
    return found


async def _one(
    clip: Path,
    said: tuple[TimedText, ...],
    heard: tuple[TimedText, ...],
    by: Embedder,
    how: Matching,
) -> Whereabouts:
    duration = None if clip.suffix.lower() in SUBTITLES else await _duration(clip)
    place = await asyncio.to_thread(locate, said, heard, by, duration=duration, matching=how)
    if isinstance(place, Drop):
        return Whereabouts(clip=clip.name, dropped=place.reason, detail=place.detail)
    return Whereabouts(
        clip=clip.name,
        start=max(0.0, round(place.start, 3)),
        end=max(0.0, round(place.end, 3)),
        score=round(place.score, 4),
    )


async def _duration(clip: Path) -> float | None:
    try:
        return await duration_of(clip)
    except MediaError:
        return None

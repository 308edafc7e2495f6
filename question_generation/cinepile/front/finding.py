"""The step from clips to scenes: each is found in its described film, whose text is taken."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from question_generation.cinepile.front.classifier import Classifier
from question_generation.cinepile.front.described_films import DescribedFilms
from question_generation.cinepile.front.letters import Letters
from question_generation.cinepile.front.locate import Matching, locate
from question_generation.cinepile.front.scene_of import scene_of
from question_generation.cinepile.front.sentence_model import own_model
from question_generation.cinepile.front.transcripts import by_time, duration_of, require, transcript
from question_generation.drop import Drop
from question_generation.embeddings.embedder import Embedder
from question_generation.jointav.speech_lines import Recogniser, from_subtitles
from question_generation.jointav.video import Video
from question_generation.scene import Scene
from question_generation.stage import Desk
from strad.errors import FormatError, InputError, MediaError
from strad.record import TimedText
from strad_eval.asking.frames import inside


@dataclass(frozen=True, slots=True)
class Find:
    """A clip to the one scene that it is. One that is not found is dropped with its scores."""

    films: DescribedFilms
    clips: Path
    """Their folder, of subtitles too."""
    classifier: Classifier = field(default_factory=own_model)
    embedder: Embedder = field(default_factory=Letters)
    matching: Matching = field(default_factory=Matching)
    recogniser: Recogniser = field(default_factory=Recogniser)
    name: str = "find"
    version: str = "1"
    roles: tuple[str, ...] = ()
    reads: type[Video] = Video
    writes: type[Scene] = Scene

    @property
    def settings(self) -> Mapping[str, Any]:
        return {
            "films": self.films.digest(),
            "classifier": self.classifier.name,
            "embedder": self.embedder.name,
            "asr": self.recogniser.asr,
            "language": self.recogniser.language,
            **self.matching.settings,
        }

    async def work(self, record: Video, desk: Desk) -> Sequence[Scene] | Drop:
        """The scene, from the clip's first second to its last.

        Raises InputError for a file that is not there: it is looked for again the next time.
        """
        film = self.films.lines(record.film_id)
        if film is None:
            return Drop("its film is not here", f"film_id {record.film_id!r}")
        try:
            source = self._source(record)
        except InputError as error:
            return Drop("the clip or its subtitles can't be read", str(error))
        require(source)
        try:
            said = await self._said(record, source)
            duration = await self._duration(record, said)
        except MediaError as error:
            return Drop("the clip can't be decoded", str(error))
        except (FormatError, InputError) as error:
            return Drop("the clip or its subtitles can't be read", str(error))
        return await asyncio.to_thread(self._scene, record, said, film, duration)

    def _scene(
        self,
        video: Video,
        said: Sequence[TimedText],
        film: Sequence[TimedText],
        duration: float,
    ) -> Sequence[Scene] | Drop:
        place = locate(said, film, self.embedder, duration=duration, matching=self.matching)
        if isinstance(place, Drop):
            return place
        by, near = self.classifier, self.embedder
        return [scene_of(video, said, film, place, by, near, duration=duration)]

    def _source(self, video: Video) -> Path:
        """The file that tells what is said."""
        return inside(self.clips, video.clip if video.subtitles is None else video.subtitles)

    async def _said(self, video: Video, source: Path) -> tuple[TimedText, ...]:
        if video.subtitles is None:
            return await transcript(source, self.recogniser)
        return by_time(from_subtitles(source))

    async def _duration(self, video: Video, said: Sequence[TimedText]) -> float:
        """The media's own; of subtitles alone, their end."""
        last = max((line.end for line in said), default=0.0)
        path = inside(self.clips, video.clip)
        told = await duration_of(path) if path.is_file() else None
        return max(told or 0.0, last)

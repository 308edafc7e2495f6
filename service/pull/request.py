"""What a caller asks for who has a URL described, and what it is told about that."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from service.refusals import Refusal
from strad.speech import GapSource, Protect
from strad.wire.message import STREAM_NAME, Language, Name
from strad.wire.publishing import Container, Hello, WordSource
from streaming.sources import MAX_URL


class Asked(BaseModel):
    """How media is to be described, as in a publisher's hello."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: Language = "en"
    delay: Annotated[float | None, Field(ge=0, le=120)] = None
    stride: Annotated[float | None, Field(ge=0.25, le=60)] = None
    describer: Name | None = None
    gaps: GapSource = GapSource.UNION
    transcript: Literal["listen", "off"] = "listen"
    protect: Protect = Protect.SPEECH

    def hello(self, container: Container) -> Hello:
        """The hello of a publisher that asks for the same."""
        return Hello(
            container=container,
            language=self.language,
            delay=self.delay,
            stride=self.stride,
            describer=self.describer,
            gaps=self.gaps,
            transcript=WordSource(self.transcript),
            protect=self.protect,
        )


class PullRequest(Asked):
    """Describe what is behind a URL, live, under a stream's name."""

    stream: Annotated[str, Field(pattern=STREAM_NAME)]
    url: Annotated[str, Field(min_length=1, max_length=MAX_URL, repr=False)]
    """http or https: media, or an HLS playlist."""
    container: (
        Literal[
            Container.WEBM,
            Container.MATROSKA,
            Container.MP4,
            Container.MPEGTS,
            Container.FLV,
            Container.OGG,
        ]
        | None
    ) = None
    """What the media is in, where its server and name don't say. HLS says."""


class PullState(StrEnum):
    """How far a pull has come."""

    OPENING = "opening"
    LIVE = "live"
    ENDING = "ending"
    """The source has ended or was stopped; the rest is being said."""
    ENDED = "ended"


class PullReport(BaseModel):
    """One pull."""

    stream: str
    source: str
    """The URL without user, password and query."""
    state: PullState
    error: Refusal | None = None
    """What ended it, where that wasn't its end or a stop."""

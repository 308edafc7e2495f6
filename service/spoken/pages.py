"""``GET /v1/streams/{stream}/descriptions/{event}.wav``: one description as sound."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from service.refusals import Refusal
from service.spoken.sounds import Sounds
from service.track_pages import FOR_GOOD, FRESH, Found
from strad.decision import MAX_FORMS
from strad.errors import NotFoundError
from strad.wire.message import well_formed
from strad.wire.viewing import Ad

ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A WAV file, at the voice's own rate.",
        "content": {"audio/wav": {"schema": {"type": "string", "format": "binary"}}},
    },
    404: {
        "model": Refusal,
        "description": "No such description, it was withdrawn, or no voice for its language.",
    },
    500: {"model": Refusal, "description": "The program that speaks failed."},
    503: {"model": Refusal, "description": "Too many wait to be spoken, or the log is away."},
}


class SoundQuery(BaseModel):
    """Which words of it."""

    form: Annotated[int | None, Field(ge=0, lt=MAX_FORMS)] = None
    """Which of the description's ``forms``, from 0; else its ``text``."""
    log: Annotated[str | None, Field(max_length=200)] = None
    """The log it was told in: then the answer may be cached for good."""


def spoken_routes(sounds: Sounds) -> APIRouter:
    """The route."""
    router = APIRouter(prefix="/v1/streams/{stream}", tags=["tracks"])

    @router.get("/descriptions/{event}.wav", response_class=Response, responses=ANSWERS)
    async def spoken(
        track: Found,
        event: Annotated[str, Path(min_length=1, max_length=200)],
        query: Annotated[SoundQuery, Query()],
    ) -> Response:
        """One description as the service's own voice says it, where the service offers that."""
        ad = track.told.find(event)
        another = query.log not in (None, track.told.log.name)
        if ad is None or another or track.told.withdrawn(event) is not None:
            raise NotFoundError(f"no description {well_formed(event)[:80]} stands here")
        sound = await sounds.sound(_words(ad, query.form), ad.language)
        caching = f"{track.audience}, {FOR_GOOD}" if query.log else FRESH
        return Response(sound, media_type="audio/wav", headers={"Cache-Control": caching})

    return router


def _words(ad: Ad, form: int | None) -> str:
    if form is None:
        return ad.text
    if form >= len(ad.forms):
        raise NotFoundError(f"this description has {len(ad.forms)} forms")
    return ad.forms[form]

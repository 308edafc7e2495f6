"""Health: whether the process lives, whether it takes streams, and all its metrics."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from service.station import Station
from service.streams import fullness
from strad.errors import StradError

LOG_WAIT = 2.0
"""Wall seconds the event log has to answer."""


class Health(BaseModel):
    """The event loop turns: that is all this says."""

    status: Literal["ok", "draining"] = "ok"
    """``draining`` once the service takes no more streams."""


class Readiness(BaseModel):
    """Whether what was asked about would be taken on now."""

    ready: bool
    reasons: list[str]
    """Why not, a line each."""


def health_routes(station: Station) -> APIRouter:
    """The routes."""
    router = APIRouter(tags=["operations"])

    @router.get("/healthz")
    async def healthz() -> Health:
        """Whether the process works at all."""
        return Health(status="draining" if station.streams.closed else "ok")

    @router.get("/readyz", responses={503: {"model": Readiness}})
    async def readyz(
        response: Response, what: Annotated[Literal["streams", "viewers"], Query()] = "streams"
    ) -> Readiness:
        """Whether a stream more would be taken on; or a viewer more, who needs less."""
        reasons = [reason async for reason in _reasons(station, what)]
        response.status_code = 503 if reasons else 200
        return Readiness(ready=not reasons, reasons=reasons)

    @router.get(
        "/metrics",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    async def metrics() -> Response:
        """For Prometheus."""
        return Response(station.metrics.text(), headers={"content-type": CONTENT_TYPE_LATEST})

    return router


async def _reasons(station: Station, what: str) -> AsyncIterator[str]:
    if station.streams.closed:
        yield "draining: the service is going away"
    try:
        async with asyncio.timeout(LOG_WAIT):
            await station.log.find("readyz")
            trouble = await station.log.writes.trouble() if what == "streams" else None
    except (StradError, TimeoutError) as error:
        trouble = str(error) or f"no answer within {LOG_WAIT:g} s"
    if trouble is not None:
        yield f"log: {trouble}"
    if what == "streams":
        if station.streams.live >= station.settings.limits.streams:
            yield f"full: {fullness(station.streams)}"
        for shortage in station.load.shortages if station.settings.admission.on else ():
            yield f"overloaded: {shortage}"

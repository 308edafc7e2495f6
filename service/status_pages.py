"""The pages that say how the service and a stream stand, for people and the control room."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Path

from service.refusals import Refusal
from service.station import Station
from service.status import ServiceStatus, StreamStatus, service_status, stream_status
from strad.errors import NotFoundError
from strad.wire.message import STREAM_NAME

StreamName: TypeAlias = Annotated[str, Path(pattern=STREAM_NAME)]


def status_routes(station: Station) -> APIRouter:
    """The routes."""
    router = APIRouter(tags=["operations"])

    @router.get("/v1/status")
    async def service() -> ServiceStatus:
        """How this process stands: what it does, and what more it would take."""
        return service_status(station)

    @router.get(
        "/v1/streams/{stream}/status",
        responses={404: {"model": Refusal}, 503: {"model": Refusal}},
    )
    async def of_stream(stream: StreamName) -> StreamStatus:
        """How a stream stands; its figures and happenings where this process describes it."""
        found = await stream_status(station, stream)
        if found is None:
            raise NotFoundError(f"no stream {stream} here")
        return found

    return router

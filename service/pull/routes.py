"""``POST /v1/streams`` has a URL described, ``DELETE`` stops it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request

from service.pull.pulls import Pulls
from service.pull.request import PullReport, PullRequest
from service.refusals import Refusal
from service.security.rules import caller_of
from strad.wire.message import STREAM_NAME

StreamName = Annotated[str, Path(pattern=STREAM_NAME)]


def pull_routes(pulls: Pulls) -> APIRouter:
    """The routes, over ``pulls``."""
    router = APIRouter(tags=["pull"])
    missing: dict[int | str, dict[str, Any]] = {
        404: {"model": Refusal, "description": "It is not pulled by this process."}
    }

    @router.post(
        "/v1/streams",
        status_code=201,
        responses={
            400: {"model": Refusal, "description": "It is not opened, or can't be described."},
            409: {"model": Refusal, "description": "The stream has a publisher already."},
            503: {"model": Refusal, "description": "It can't be reached, or there is no room."},
        },
    )
    async def pull(request: Request, wanted: PullRequest) -> PullReport:
        """Describe what is behind a URL, at the speed it plays. Answers once it is live."""
        return await pulls.start(wanted, caller_of(request))

    @router.get("/v1/streams/{stream}/source", responses=missing)
    async def source(stream: StreamName) -> PullReport:
        """Where a pulled stream comes from and how it fares."""
        return pulls.report(stream)

    @router.delete("/v1/streams/{stream}", status_code=202, responses=missing)
    async def stop(stream: StreamName) -> PullReport:
        """Fetch no more. What has come is still described; then the stream ends."""
        return pulls.stop(stream)

    return router

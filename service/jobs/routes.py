"""``/v1/jobs``: files described in the background, with progress, cancel and result."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect

from service.connections import keep_open
from service.jobs.description import JSONL, WEBVTT
from service.jobs.jobs import Jobs
from service.jobs.record import JobRecord, JobRequest
from service.jobs.store import ID
from service.pull.request import Asked
from service.refusals import Refusal
from service.security.rules import caller_of
from strad.errors import InputError, PeerGoneError

JobId = Annotated[str, Path(pattern=ID)]
MOST_JSON = 64 * 1024
"""Bytes of a request that names a URL."""

MISSING: dict[int | str, dict[str, Any]] = {404: {"model": Refusal}}

BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": JobRequest.model_json_schema()},
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


class JobList(BaseModel):
    """The caller's jobs, newest first."""

    jobs: list[JobRecord]


def job_routes(jobs: Jobs) -> APIRouter:
    """The routes, over ``jobs``."""
    router = APIRouter(tags=["jobs"])
    _add_jobs(router, jobs)
    _add_results(router, jobs)
    return router


def _add_jobs(router: APIRouter, jobs: Jobs) -> None:
    @router.post(
        "/v1/jobs",
        status_code=202,
        openapi_extra=BODY,
        responses={400: {"model": Refusal}, 503: {"model": Refusal}},
    )
    async def start(request: Request, asked: Annotated[Asked, Query()]) -> JobRecord:
        """Describe a file: its bytes as the body, options in the query; or JSON with its URL."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "application/json":
            return jobs.fetch(caller_of(request), await _wanted(request))
        keep_open(request.scope)
        return await jobs.upload(caller_of(request), asked, _body(request))

    @router.get("/v1/jobs")
    async def listing(request: Request) -> JobList:
        """The caller's jobs; an admin's are all."""
        return JobList(jobs=jobs.listing(caller_of(request)))

    @router.get("/v1/jobs/{job}", responses=MISSING)
    async def find(request: Request, job: JobId) -> JobRecord:
        """How far a job has come."""
        return jobs.find(caller_of(request), job)

    @router.delete("/v1/jobs/{job}", responses=MISSING)
    async def cancel(request: Request, job: JobId) -> JobRecord:
        """Cancel a job that is under way; forget one that is over, and its result."""
        return await jobs.cancel(caller_of(request), job)


def _add_results(router: APIRouter, jobs: Jobs) -> None:
    @router.get(f"/v1/jobs/{{job}}/{WEBVTT}", response_class=PlainTextResponse, responses=MISSING)
    async def webvtt(request: Request, job: JobId) -> Response:
        """The description, when done."""
        return Response(jobs.result(caller_of(request), job, WEBVTT), media_type="text/vtt")

    @router.get(f"/v1/jobs/{{job}}/{JSONL}", response_class=PlainTextResponse, responses=MISSING)
    async def jsonl(request: Request, job: JobId) -> Response:
        """The description, one prediction a line, when done."""
        text = jobs.result(caller_of(request), job, JSONL)
        return Response(text, media_type="application/jsonl")


async def _wanted(request: Request) -> JobRequest:
    body = b""
    async for chunk in _body(request):
        body += chunk
        if len(body) > MOST_JSON:
            raise InputError(f"a request that names a URL may have {MOST_JSON} bytes")
    try:
        return JobRequest.model_validate_json(body)
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False)) from None


async def _body(request: Request) -> AsyncIterator[bytes]:
    try:
        async for chunk in request.stream():
            if chunk:
                yield chunk
    except ClientDisconnect:
        raise PeerGoneError("the sender went away before its file was here") from None

"""Refusals over HTTP: every one of our errors as a status and the same three fields."""

from __future__ import annotations

import math
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from strad.errors import (
    ForbiddenError,
    InputError,
    OverloadedError,
    PeerGoneError,
    RateLimitError,
    StradError,
    UnauthorizedError,
    UnknownLogError,
)

LATER = 5.0
"""Seconds after which a service that is full or leaving may be asked again."""


class Refusal(BaseModel):
    """Why a request was refused, or its work failed."""

    code: str
    message: str
    retryable: bool


STATUS: tuple[tuple[type[StradError], HTTPStatus], ...] = (
    (ForbiddenError, HTTPStatus.FORBIDDEN),
    (UnauthorizedError, HTTPStatus.UNAUTHORIZED),
    (UnknownLogError, HTTPStatus.NOT_FOUND),
    (InputError, HTTPStatus.BAD_REQUEST),
    (RateLimitError, HTTPStatus.TOO_MANY_REQUESTS),
    (OverloadedError, HTTPStatus.SERVICE_UNAVAILABLE),
    (PeerGoneError, HTTPStatus.SERVICE_UNAVAILABLE),
    (StradError, HTTPStatus.INTERNAL_SERVER_ERROR),
)
"""The first that fits."""


def answer_for(error: StradError) -> JSONResponse:
    """The response that says ``error``."""
    status = next(status for kind, status in STATUS if isinstance(error, kind))
    headers: dict[str, str] = {}
    if status is HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="strad"'
    if isinstance(error, RateLimitError):
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
    elif status is HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = str(math.ceil(LATER))
    refusal = Refusal(code=error.code, message=str(error), retryable=error.retryable)
    return JSONResponse(refusal.model_dump(), status, headers)


def answer_refusals(app: FastAPI) -> None:
    """Have ``app`` answer so wherever a StradError is raised."""

    @app.exception_handler(StradError)
    async def refuse(request: Request, error: Exception) -> JSONResponse:
        del request
        assert isinstance(error, StradError)
        return answer_for(error)

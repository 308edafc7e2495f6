"""Refusals over HTTP: every one of our errors as a status and the same three fields."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from strad.errors import (
    ForbiddenError,
    InputError,
    LogError,
    NotAcceptableError,
    NotFoundError,
    OverloadedError,
    PeerGoneError,
    RateLimitError,
    StradError,
    TakenError,
    UnauthorizedError,
    UnknownLogError,
)
from strad.wire.message import well_formed

LATER = 5.0
"""Seconds after which a service that is full or leaving may be asked again."""


class Refusal(BaseModel):
    """Why a request was refused, or its work failed."""

    code: str
    message: str
    retryable: bool

    @classmethod
    def of(cls, error: StradError) -> Refusal:
        """What is told of ``error``."""
        return cls(code=error.code, message=str(error), retryable=error.retryable)


STATUS: tuple[tuple[type[StradError], HTTPStatus], ...] = (
    (ForbiddenError, HTTPStatus.FORBIDDEN),
    (UnauthorizedError, HTTPStatus.UNAUTHORIZED),
    (UnknownLogError, HTTPStatus.NOT_FOUND),
    (NotFoundError, HTTPStatus.NOT_FOUND),
    (TakenError, HTTPStatus.CONFLICT),
    (NotAcceptableError, HTTPStatus.NOT_ACCEPTABLE),
    (InputError, HTTPStatus.BAD_REQUEST),
    (RateLimitError, HTTPStatus.TOO_MANY_REQUESTS),
    (OverloadedError, HTTPStatus.SERVICE_UNAVAILABLE),
    (PeerGoneError, HTTPStatus.SERVICE_UNAVAILABLE),
    (LogError, HTTPStatus.SERVICE_UNAVAILABLE),
    (StradError, HTTPStatus.INTERNAL_SERVER_ERROR),
)
"""The first that fits."""


def answer_for(error: StradError) -> JSONResponse:
    """The response that says ``error``."""
    status = next(status for kind, status in STATUS if isinstance(error, kind))
    headers: dict[str, str] = {}
    if status is HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="strad"'
    known = error.retry_after if isinstance(error, OverloadedError) else None
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        headers["Retry-After"] = str(max(1, math.ceil(LATER if known is None else known)))
    return JSONResponse(Refusal.of(error).model_dump(), status, headers)


def answer_refusals(app: FastAPI, refused: Callable[[str], object]) -> None:
    """Have ``app`` answer so wherever a StradError is raised, and for what FastAPI refuses.

    ``refused`` is told the code of each.
    """

    @app.exception_handler(StradError)
    async def refuse(request: Request, error: Exception) -> JSONResponse:
        del request
        assert isinstance(error, StradError)
        refused(error.code)
        return answer_for(error)

    @app.exception_handler(HTTPException)
    async def refuse_route(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        code = _CODES.get(error.status_code, "bad-input")
        refused(code)
        refusal = Refusal(code=code, message=str(error.detail).lower(), retryable=False)
        headers = dict(error.headers or {})
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            headers["Allow"] = ", ".join(sorted(allowed(request)))
        return JSONResponse(refusal.model_dump(), error.status_code, headers)

    @app.exception_handler(RequestValidationError)
    async def refuse_request(request: Request, error: Exception) -> JSONResponse:
        del request
        assert isinstance(error, RequestValidationError)
        refused(InputError.code)
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])[:100]
        message = well_formed(f"{where}: {first['msg']}"[:400])
        refusal = Refusal(code=InputError.code, message=message, retryable=False)
        return JSONResponse(refusal.model_dump(), HTTPStatus.UNPROCESSABLE_ENTITY)


def allowed(request: Request) -> set[str]:
    """The methods that the address takes, by all its routes (RFC 9110, 15.5.6)."""
    here = [path for path in request.app.openapi()["paths"] if _fits(path, request.url.path)]
    return {method.upper() for path in here for method in request.app.openapi()["paths"][path]}


def _fits(route: str, path: str) -> bool:
    pieces, wanted = route.split("/"), path.split("/")
    pattern = "/".join(re.sub(r"\\{.*?\\}", "[^/]+", re.escape(piece)) for piece in pieces)
    return len(pieces) == len(wanted) and re.fullmatch(pattern, path) is not None


_CODES = {404: NotFoundError.code, 405: "not-allowed", 500: "internal"}
"""How a refusal without an error of ours is called."""

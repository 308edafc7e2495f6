"""The body limit: no request is read further than its route takes."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

UPLOADS = frozenset({("POST", "/v1/jobs")})
"""Routes that count for themselves what they take."""


class BodyLimit:
    """Answers 413 to a request whose body is longer than ``most`` bytes."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or (scope["method"], scope["path"]) in UPLOADS:
            await self._app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "0")
        taken = 0

        async def count() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most:
                raise HTTPException(413, self._refusal(), {"connection": "close"})
            return message

        if announced.isdecimal() and int(announced) <= self._most:
            await self._app(scope, count, send)
        else:
            answer = JSONResponse({"detail": self._refusal()}, 413, {"connection": "close"})
            await answer(scope, receive, send)

    def _refusal(self) -> str:
        return f"a request's body may have {self._most} bytes"

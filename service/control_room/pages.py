"""The control room's files: plain ones in the package, sent as they are. No build, no framework.

They show nothing by themselves: what the page tells, it asks the service for, with the visitor's
own key where one is needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Annotated

from fastapi import APIRouter, Header, Path
from fastapi.responses import Response

from strad.errors import NotFoundError

INDEX = "index.html"

TYPES: Mapping[str, str] = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",
}
"""Nothing inline, nothing from elsewhere, in no other site's frame."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file as it is sent."""

    data: bytes
    media_type: str
    tag: str


def page_files() -> dict[str, PageFile]:
    """All of them, by name."""
    found: dict[str, PageFile] = {}
    for file in resources.files("service.control_room").joinpath("page").iterdir():
        kind = TYPES.get(file.name.rpartition(".")[2])
        if kind is not None:
            data = file.read_bytes()
            found[file.name] = PageFile(data, kind, f'"{hashlib.sha256(data).hexdigest()[:20]}"')
    return found


def control_room_routes() -> APIRouter:
    """``/`` and what it is made of."""
    router = APIRouter(include_in_schema=False)
    files = page_files()

    @router.api_route("/", methods=["GET", "HEAD"])
    async def index(if_none_match: Annotated[str | None, Header()] = None) -> Response:
        return _answer(files[INDEX], if_none_match)

    @router.api_route("/control-room/{name}", methods=["GET", "HEAD"])
    async def part(
        name: Annotated[str, Path(max_length=100)],
        if_none_match: Annotated[str | None, Header()] = None,
    ) -> Response:
        if name == INDEX or name not in files:
            raise NotFoundError("no such file")
        return _answer(files[name], if_none_match)

    return router


def _answer(file: PageFile, if_none_match: str | None) -> Response:
    headers = {**HEADERS, "ETag": file.tag}
    if if_none_match is not None and file.tag in if_none_match:
        return Response(status_code=304, headers=headers)
    return Response(file.data, media_type=file.media_type, headers=headers)

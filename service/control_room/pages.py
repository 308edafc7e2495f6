"""The control room's files: plain ones in the package, sent as they are. No build, no framework.

They show nothing by themselves: what the page tells, it asks the service for, with the visitor's
own key where one is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Annotated

from fastapi import APIRouter, Header, Path
from fastapi.responses import Response

from service.page_files import INDEX, PageFile, answer, files_in
from strad.errors import NotFoundError

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


def page_files() -> dict[str, PageFile]:
    """All of them, by name."""
    return files_in(resources.files("service.control_room").joinpath("page"))


def control_room_routes() -> APIRouter:
    """``/`` and what it is made of."""
    router = APIRouter(include_in_schema=False)
    files = page_files()

    @router.api_route("/", methods=["GET", "HEAD"])
    async def index(if_none_match: Annotated[str | None, Header()] = None) -> Response:
        return answer(files[INDEX], HEADERS, if_none_match)

    @router.api_route("/control-room/{name}", methods=["GET", "HEAD"])
    async def part(
        name: Annotated[str, Path(max_length=100)],
        if_none_match: Annotated[str | None, Header()] = None,
    ) -> Response:
        if name == INDEX or name not in files:
            raise NotFoundError("no such file")
        return answer(files[name], HEADERS, if_none_match)

    return router

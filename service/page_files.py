"""Plain files of a package, sent as they are: what pages for people are made of."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
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


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file as it is sent."""

    data: bytes
    media_type: str
    tag: str


def files_in(folder: Traversable) -> dict[str, PageFile]:
    """All of a folder, by name."""
    found: dict[str, PageFile] = {}
    for file in folder.iterdir():
        kind = TYPES.get(file.name.rpartition(".")[2])
        if kind is not None:
            data = file.read_bytes()
            found[file.name] = PageFile(data, kind, f'"{hashlib.sha256(data).hexdigest()[:20]}"')
    return found


def page_routes(
    at: str,
    parts: str,
    files: Mapping[str, PageFile],
    *,
    page: Mapping[str, str],
    part_of: Mapping[str, str],
) -> APIRouter:
    """The page at ``at``, and what it is made of under ``parts``; each with its headers."""
    router = APIRouter(include_in_schema=False)

    @router.api_route(at, methods=["GET", "HEAD"])
    async def index(if_none_match: Annotated[str | None, Header()] = None) -> Response:
        return _answer(files[INDEX], page, if_none_match)

    @router.api_route(parts + "{name}", methods=["GET", "HEAD"])
    async def part(
        name: Annotated[str, Path(max_length=100)],
        if_none_match: Annotated[str | None, Header()] = None,
    ) -> Response:
        if name == INDEX or name not in files:
            raise NotFoundError("no such file")
        return _answer(files[name], part_of, if_none_match)

    return router


def _answer(file: PageFile, headers: Mapping[str, str], if_none_match: str | None) -> Response:
    """The file, or 304 where the browser has it already."""
    headers = {**headers, "ETag": file.tag}
    if if_none_match is not None and file.tag in if_none_match:
        return Response(status_code=304, headers=headers)
    return Response(file.data, media_type=file.media_type, headers=headers)

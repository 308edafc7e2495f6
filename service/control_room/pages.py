"""The control room's files: plain ones in the package, sent as they are. No build, no framework.

They show nothing by themselves: what the page tells, it asks the service for, with the visitor's
own key where one is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from fastapi import APIRouter

from service.page_files import PageFile, files_in, page_routes

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
    return page_routes("/", "/control-room/", page_files(), page=HEADERS, part_of=HEADERS)

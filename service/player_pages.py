"""The web player's files, as ``make clients`` built them. They hold no secret and show no stream.

The page may play video of this service's own origin, of the origins that the settings name, and,
where nobody needs to say who they are, of this machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from fastapi import APIRouter

from service.page_files import files_in, page_routes
from service.settings import Settings

THIS_MACHINE = ("http://127.0.0.1:*", "http://localhost:*")

HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",
}
"""Scripts may be loaded by the pages that embed them."""


def page_policy(settings: Settings) -> str:
    """The Content-Security-Policy: nothing inline, video only of whom the settings name."""
    here = () if settings.auth.on else THIS_MACHINE
    media = " ".join(["'self'", *settings.player.media, *here])
    frames = " ".join(["'self'", *settings.auth.origins])
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        f"media-src blob: {media}; connect-src {media}; base-uri 'none'; form-action 'none'; "
        f"frame-ancestors {frames}; require-trusted-types-for 'script'"
    )


def player_routes(settings: Settings) -> APIRouter:
    """``/player/`` and what it is made of."""
    files = files_in(resources.files("clients.player").joinpath("dist"))
    page = {**HEADERS, "Content-Security-Policy": page_policy(settings)}
    part_of = {**HEADERS, "Access-Control-Allow-Origin": "*"}
    return page_routes("/player/", "/player/", files, page=page, part_of=part_of)

"""Cross-origin reading (CORS): the pages that may connect may read answers too, and no others."""

from __future__ import annotations

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from service.security.origins import Origins


class CrossOrigin(CORSMiddleware):
    """Lets a page read where its Origin is welcome, by the rule that WebSockets go by."""

    def __init__(self, app: ASGIApp, origins: Origins) -> None:
        super().__init__(
            app,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Last-Event-ID"],
            allow_credentials=True,
            max_age=600,
        )
        self._origins = origins

    def is_allowed_origin(self, origin: str) -> bool:
        return self._origins.welcome(origin)

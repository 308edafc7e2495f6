"""Serves a site of forms on the loopback address: to this computer and nobody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from typing import Protocol

from strad_eval.study.loopback import NUMBER, LoopbackPage, LoopbackServer
from strad_eval.study.media import part_of


@dataclass(frozen=True, slots=True)
class Reply:
    """A page, or where to go instead."""

    page: str = ""
    status: HTTPStatus = HTTPStatus.OK
    to: str = ""
    """Another address of the site."""


class Site(Protocol):
    """What is served. Several threads may ask at once."""

    @property
    def media(self) -> Sequence[Path]:
        """Files, each at ``/media/`` and its place in this list."""
        ...

    def get(self, path: str) -> Reply | None:
        """The page there; None: there is none."""
        ...

    def post(self, path: str, form: Mapping[str, str]) -> Reply | None:
        """What comes of a form that was sent there."""
        ...


class PageServer(LoopbackServer):
    """One site. Use as a context manager."""

    def __init__(self, site: Site, port: int = 0) -> None:
        """``port`` 0 takes any that is free. Raises InputError where it is taken."""
        self.site = site
        super().__init__(_Request, port)


class _Request(LoopbackPage):
    """One request."""

    server: PageServer

    def complaint(self, title: str, why: str) -> str:
        return f"<p>{why}</p>"

    def show(self, path: str) -> None:
        if path == "/style.css":
            css = resources.files("strad_eval.study.page").joinpath("style.css").read_bytes()
            self.send_data(HTTPStatus.OK, "text/css", css)
        elif path.startswith("/media/"):
            self._media(path.removeprefix("/media/"))
        else:
            self._reply(self.server.site.get(path))

    def take(self, path: str, sent: Mapping[str, str]) -> None:
        self._reply(self.server.site.post(path, sent))

    def _reply(self, reply: Reply | None) -> None:
        if reply is None:
            self.html("<p>There is no such page.</p>", HTTPStatus.NOT_FOUND)
        elif reply.to:
            self.redirect(reply.to)
        else:
            self.html(reply.page, reply.status)

    def _media(self, name: str) -> None:
        files, asked = self.server.site.media, self.headers.get("Range")
        known = NUMBER.fullmatch(name) and int(name) < len(files)
        part = part_of(files[int(name)], asked) if known else None
        if part is None:
            self.html("<p>There is no such part.</p>", HTTPStatus.NOT_FOUND)
            return
        self.send_part(part, whole=not asked)

"""Serves a site of forms on the loopback address: to this computer and nobody else."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Protocol
from urllib.parse import parse_qsl, urlsplit

from strad.errors import InputError
from strad_eval.study.media import TYPES, part_of
from strad_eval.study.server import HEADERS, HOST

LONGEST_FORM, MOST_DRAINED = 65_536, 1 << 20
"""Bytes."""
PATIENCE_S = 30.0
_NUMBER = re.compile(r"[0-9]{1,9}")


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


class PageServer(ThreadingHTTPServer):
    """One site. Use as a context manager."""

    daemon_threads = True

    def __init__(self, site: Site, port: int = 0) -> None:
        """``port`` 0 takes any that is free. Raises InputError where it is taken."""
        self.site = site
        try:
            super().__init__((HOST, port), _Request)
        except OSError as error:
            raise InputError(f"port {port}: {(error.strerror or str(error)).lower()}") from None

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that leaves in the middle is nothing to report."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Request(BaseHTTPRequestHandler):
    """One request."""

    server: PageServer
    timeout = PATIENCE_S
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if not self._from_here():
            return
        path = urlsplit(self.path).path
        if path == "/style.css":
            css = resources.files("strad_eval.study.page").joinpath("style.css").read_bytes()
            self._send(HTTPStatus.OK, "text/css", css)
        elif path.startswith("/media/"):
            self._media(path.removeprefix("/media/"))
        else:
            self._reply(self.server.site.get(path))

    def do_POST(self) -> None:
        if not self._from_here():
            return
        length = self.headers.get("Content-Length", "")
        if not _NUMBER.fullmatch(length) or int(length) > LONGEST_FORM:
            self._refuse(HTTPStatus.BAD_REQUEST, "That was no form of this page.")
            return
        text = self.rfile.read(int(length)).decode("utf-8", errors="replace")
        form = dict(parse_qsl(text, keep_blank_values=True))
        self._reply(self.server.site.post(urlsplit(self.path).path, form))

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: a log would tell who answered what and when."""

    def _from_here(self) -> bool:
        """Refuse pages of other sites that point a name of theirs, or a form, at this server."""
        own = {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}
        origin = self.headers.get("Origin")
        known = origin in (None, *(f"http://{name}" for name in own))
        if self.headers.get("Host") in own and known:
            return True
        self._refuse(HTTPStatus.FORBIDDEN, "This page is for this computer only.")
        return False

    def _reply(self, reply: Reply | None) -> None:
        if reply is None:
            self._send(HTTPStatus.NOT_FOUND, "text/html", b"<p>There is no such page.</p>")
        elif reply.to:
            self.send_response(HTTPStatus.SEE_OTHER)
            self.send_header("Location", reply.to)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._send(reply.status, "text/html", reply.page.encode())

    def _media(self, name: str) -> None:
        files = self.server.site.media
        asked = self.headers.get("Range")
        known = _NUMBER.fullmatch(name) and int(name) < len(files)
        part = part_of(files[int(name)], asked) if known else None
        if part is None:
            self._send(HTTPStatus.NOT_FOUND, "text/html", b"<p>There is no such part.</p>")
            return
        self.send_response(HTTPStatus.PARTIAL_CONTENT if asked else HTTPStatus.OK)
        self.send_header("Content-Type", TYPES[part.path.suffix])
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(part.length))
        if asked:
            self.send_header("Content-Range", f"bytes {part.first}-{part.last}/{part.size}")
        self.end_headers()
        try:
            for block in part.blocks():
                self.wfile.write(block)
        except (ConnectionError, TimeoutError):
            self.close_connection = True  # players leave as soon as they have enough

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        """Say so and hang up. What was sent is read first: an answer to unread bytes gets lost."""
        length = self.headers.get("Content-Length", "")
        if _NUMBER.fullmatch(length):
            self.rfile.read(min(int(length), MOST_DRAINED))
        self.close_connection = True
        self._send(status, "text/html", f"<p>{why}</p>".encode())

    def _send(self, status: HTTPStatus, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

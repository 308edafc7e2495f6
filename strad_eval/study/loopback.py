"""Pages on the loopback address: for this computer and nobody else."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from strad.errors import InputError
from strad_eval.study.media import TYPES, Part

HOST = "127.0.0.1"
LONGEST_FORM = 65_536
MOST_DRAINED = 1 << 20
"""Bytes."""
PATIENCE_S = 30.0
"""For a request to arrive, and for a block of the answer to be taken."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "media-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with no-referrer, browsers send forms with Origin: null
    "Cache-Control": "no-store",
}
NUMBER = re.compile(r"[0-9]{1,9}")


class LoopbackServer(ThreadingHTTPServer):
    """Answers each request by a ``LoopbackPage``. Use as a context manager."""

    daemon_threads = True

    def __init__(self, page: type[LoopbackPage], port: int = 0) -> None:
        """``port`` 0 takes any that is free. Raises InputError where it is taken."""
        try:
            super().__init__((HOST, port), page)
        except OSError as error:
            raise InputError(f"port {port}: {(error.strerror or str(error)).lower()}") from None

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that leaves in the middle is nothing to report."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class LoopbackPage(BaseHTTPRequestHandler):
    """One request, and the ways to answer it."""

    server: LoopbackServer
    timeout = PATIENCE_S
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if _from_here(self):
            self.show(urlsplit(self.path).path)

    def do_POST(self) -> None:
        if _from_here(self) and (sent := self._form()) is not None:
            self.take(urlsplit(self.path).path, sent)

    def show(self, path: str) -> None:
        """Answer with what is there."""
        raise NotImplementedError

    def take(self, path: str, sent: Mapping[str, str]) -> None:
        """Answer a form that was sent there."""
        raise NotImplementedError

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: a log would tell who answered what and when."""

    def complaint(self, title: str, why: str) -> str:
        """The page that says what is wrong."""
        raise NotImplementedError

    def _form(self) -> dict[str, str] | None:
        """What was sent; None where it was refused."""
        length = self.headers.get("Content-Length", "")
        if not NUMBER.fullmatch(length) or int(length) > LONGEST_FORM:
            self.refuse(HTTPStatus.BAD_REQUEST, "That was no form of this page.")
            return None
        text = self.rfile.read(int(length)).decode("utf-8", errors="replace")
        return dict(parse_qsl(text, keep_blank_values=True))

    def send_part(self, part: Part, *, whole: bool) -> None:
        """A file's part; ``whole``: all of it, as nobody asked for less."""
        self.send_response(HTTPStatus.OK if whole else HTTPStatus.PARTIAL_CONTENT)
        self.send_header("Content-Type", TYPES[part.path.suffix])
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(part.length))
        if not whole:
            self.send_header("Content-Range", f"bytes {part.first}-{part.last}/{part.size}")
        self.end_headers()
        try:
            for block in part.blocks():
                self.wfile.write(block)
        except (ConnectionError, TimeoutError):
            self.close_connection = True  # players leave as soon as they have enough

    def redirect(self, to: str) -> None:
        self.send_response(HTTPStatus.SEE_OTHER)
        self.send_header("Location", to)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def refuse(self, status: HTTPStatus, why: str) -> None:
        """Say so and hang up. What was sent is read first: an answer to unread bytes gets lost."""
        length = self.headers.get("Content-Length", "")
        if NUMBER.fullmatch(length):
            self.rfile.read(min(int(length), MOST_DRAINED))
        self.close_connection = True
        self.html(self.complaint("Refused", why), status)

    def html(self, page: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_data(status, "text/html", page.encode())

    def send_data(self, status: HTTPStatus, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)


def _from_here(page: LoopbackPage) -> bool:
    """Refuse pages of other sites that point a name of theirs, or a form, at this server."""
    own = {f"{name}:{page.server.server_port}" for name in (HOST, "localhost")}
    origin = page.headers.get("Origin")
    known = origin in (None, *(f"http://{name}" for name in own))
    if page.headers.get("Host") in own and known:
        return True
    page.refuse(HTTPStatus.FORBIDDEN, "This page is for this computer only.")
    return False

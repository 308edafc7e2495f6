"""The study's server: this computer only, one page after the other, every answer kept at once."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from strad.errors import InputError
from strad_eval.study.answer import missing, rating_of
from strad_eval.study.media import TYPES, part_of
from strad_eval.study.pages import consent_page, error_page, thanks_page, trial_page
from strad_eval.study.plan import Study
from strad_eval.study.ratings import RatingsFile
from strad_eval.study.trial import Trial, trials_of

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
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_CODE = re.compile(r"/p/([0-9a-f]{8})")
_NUMBER = re.compile(r"[0-9]{1,9}")
_FILES = {"/style.css": "text/css", "/player.js": "text/javascript"}


@dataclass(slots=True)
class Sitting:
    """A study that is being answered."""

    study: Study
    ratings: RatingsFile
    media: Mapping[str, Path]
    """The file of each video that has one."""
    issued: set[str] = field(default_factory=set)
    """Codes of those who agreed and may not have answered yet."""

    def known(self, code: str) -> bool:
        """Whether somebody with this code has agreed to take part."""
        return code in self.issued or bool(self.ratings.done(code))

    def trials(self, code: str) -> tuple[list[Trial], Trial | None, int]:
        """All of a participant's, the next, and which page that is."""
        trials = trials_of(self.study, code)
        done = self.ratings.done(code)
        left = [trial for trial in trials if trial.id not in done]
        return trials, left[0] if left else None, len(trials) - len(left) + 1


class StudyServer(ThreadingHTTPServer):
    """Serves a sitting on the loopback address. Use as a context manager."""

    daemon_threads = True

    def __init__(self, sitting: Sitting, port: int = 0) -> None:
        """``port`` 0 takes any that is free. Raises InputError where it is taken."""
        self.sitting = sitting
        try:
            super().__init__((HOST, port), _Page)
        except OSError as error:
            raise InputError(f"port {port}: {(error.strerror or str(error)).lower()}") from None

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that leaves in the middle is nothing to report."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Page(BaseHTTPRequestHandler):
    """One request."""

    server: StudyServer
    timeout = PATIENCE_S
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if not self._from_here():
            return
        sitting, path = self.server.sitting, urlsplit(self.path).path
        if path == "/":
            self.html(consent_page(sitting.study))
        elif path in _FILES:
            data = resources.files("strad_eval.study.page").joinpath(path[1:]).read_bytes()
            self._send(HTTPStatus.OK, _FILES[path], data)
        elif path.startswith("/media/"):
            self._media(path.removeprefix("/media/"))
        elif match := _CODE.fullmatch(path):
            self._trial(match.group(1))
        else:
            self.html(error_page("Not here", "There is no such page."), HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        if not self._from_here():
            return
        sent = self._form()
        if sent is None:
            return
        path = urlsplit(self.path).path
        if path == "/consent":
            self._consent(sent)
        elif path == "/again":
            code = sent.get("code", "").strip().lower()
            if self.server.sitting.known(code):
                self._redirect(f"/p/{code}")
            else:
                said = consent_page(self.server.sitting.study, "This code is not known here")
                self.html(said, HTTPStatus.UNPROCESSABLE_ENTITY)
        elif match := _CODE.fullmatch(path):
            self._answer(match.group(1), sent)
        else:
            self.html(error_page("Not here", "There is no such page."), HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: a log would tell who answered what and when."""

    def _from_here(self) -> bool:
        """Refuse pages of other sites that point a name of theirs, or a form, at this server."""
        own = {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}
        origin = self.headers.get("Origin")
        fits = self.headers.get("Host") in own
        if fits and origin not in (None, *(f"http://{name}" for name in own)):
            fits = False
        if not fits:
            _refuse(self, HTTPStatus.FORBIDDEN, "This page is for this computer only.")
        return fits

    def _consent(self, sent: Mapping[str, str]) -> None:
        sitting = self.server.sitting
        if sent.get("agree") != "yes":
            said = consent_page(sitting.study, "To begin, please agree")
            self.html(said, HTTPStatus.UNPROCESSABLE_ENTITY)
            return
        code = secrets.token_hex(4)
        sitting.issued.add(code)
        self._redirect(f"/p/{code}")

    def _trial(
        self,
        code: str,
        sent: Mapping[str, str] | None = None,
        lacking: list[str] | None = None,
    ) -> None:
        sitting = self.server.sitting
        if not sitting.known(code):
            self._redirect("/")
            return
        trials, trial, place = sitting.trials(code)
        if trial is None:
            self.html(thanks_page(code, len(trials)))
            return
        video = trial.excerpt.video
        media = None
        if video in sitting.media:
            # An address that names no system and no file, only a place in a list.
            media = f"/media/{list(sitting.media).index(video)}"
        said = trial_page(
            sitting.study, trial, code, (place, len(trials)), media, sent or {}, lacking or ()
        )
        self.html(said, HTTPStatus.UNPROCESSABLE_ENTITY if lacking else HTTPStatus.OK)

    def _answer(self, code: str, sent: Mapping[str, str]) -> None:
        sitting = self.server.sitting
        _, trial, place = sitting.trials(code)
        # A page sent twice, or from a stale tab, is not the next trial's answer.
        if sitting.known(code) and trial is not None and sent.get("trial") == trial.token(code):
            lacking = missing(sitting.study, trial, sent)
            if lacking:
                self._trial(code, sent, lacking)
                return
            sitting.ratings.add(rating_of(sitting.study, trial, code, place, sent))
        self._redirect(f"/p/{code}")

    def _form(self) -> dict[str, str] | None:
        length = self.headers.get("Content-Length", "")
        if not _NUMBER.fullmatch(length) or int(length) > LONGEST_FORM:
            _refuse(self, HTTPStatus.BAD_REQUEST, "That was no form of this page.")
            return None
        text = self.rfile.read(int(length)).decode("utf-8", errors="replace")
        return dict(parse_qsl(text[:LONGEST_FORM], keep_blank_values=True))

    def _media(self, name: str) -> None:
        files = list(self.server.sitting.media.values())
        if not _NUMBER.fullmatch(name) or int(name) >= len(files):
            self.html(error_page("Not here", "There is no such file."), HTTPStatus.NOT_FOUND)
            return
        path, asked = files[int(name)], self.headers.get("Range")
        part = part_of(path, asked)
        if part is None:
            self.html(
                error_page("Not here", "Past the end."), HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
            )
            return
        self.send_response(HTTPStatus.PARTIAL_CONTENT if asked else HTTPStatus.OK)
        self.send_header("Content-Type", TYPES[path.suffix])
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

    def _redirect(self, to: str) -> None:
        self.send_response(HTTPStatus.SEE_OTHER)
        self.send_header("Location", to)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def html(self, page: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._send(status, "text/html", page.encode())

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


def _refuse(page: _Page, status: HTTPStatus, why: str) -> None:
    """Say so and hang up. What was sent is read first: an answer to unread bytes gets lost."""
    length = page.headers.get("Content-Length", "")
    if _NUMBER.fullmatch(length):
        page.rfile.read(min(int(length), MOST_DRAINED))
    page.close_connection = True
    page.html(error_page("Refused", why), status)

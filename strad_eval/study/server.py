"""The study's server: this computer only, one page after the other, every answer kept at once."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib import resources
from pathlib import Path

from strad_eval.study.answer import missing, rating_of
from strad_eval.study.loopback import NUMBER, LoopbackPage, LoopbackServer
from strad_eval.study.media import part_of
from strad_eval.study.pages import consent_page, error_page, thanks_page, trial_page
from strad_eval.study.plan import Study
from strad_eval.study.ratings import RatingsFile
from strad_eval.study.trial import Trial, trials_of

_CODE = re.compile(r"/p/([0-9a-f]{8})")
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


class StudyServer(LoopbackServer):
    """Serves a sitting on the loopback address. Use as a context manager."""

    def __init__(self, sitting: Sitting, port: int = 0) -> None:
        """``port`` 0 takes any that is free. Raises InputError where it is taken."""
        self.sitting = sitting
        super().__init__(_Page, port)


class _Page(LoopbackPage):
    """One request."""

    server: StudyServer

    def complaint(self, title: str, why: str) -> str:
        return error_page(title, why)

    def show(self, path: str) -> None:
        sitting = self.server.sitting
        if path == "/":
            self.html(consent_page(sitting.study))
        elif path in _FILES:
            data = resources.files("strad_eval.study.page").joinpath(path[1:]).read_bytes()
            self.send_data(HTTPStatus.OK, _FILES[path], data)
        elif path.startswith("/media/"):
            self._media(path.removeprefix("/media/"))
        elif match := _CODE.fullmatch(path):
            self._trial(match.group(1))
        else:
            self.html(error_page("Not here", "There is no such page."), HTTPStatus.NOT_FOUND)

    def take(self, path: str, sent: Mapping[str, str]) -> None:
        if path == "/consent":
            self._consent(sent)
        elif path == "/again":
            code = sent.get("code", "").strip().lower()
            if self.server.sitting.known(code):
                self.redirect(f"/p/{code}")
            else:
                said = consent_page(self.server.sitting.study, "This code is not known here")
                self.html(said, HTTPStatus.UNPROCESSABLE_ENTITY)
        elif match := _CODE.fullmatch(path):
            self._answer(match.group(1), sent)
        else:
            self.html(error_page("Not here", "There is no such page."), HTTPStatus.NOT_FOUND)

    def _consent(self, sent: Mapping[str, str]) -> None:
        sitting = self.server.sitting
        if sent.get("agree") != "yes":
            said = consent_page(sitting.study, "To begin, please agree")
            self.html(said, HTTPStatus.UNPROCESSABLE_ENTITY)
            return
        code = secrets.token_hex(4)
        sitting.issued.add(code)
        self.redirect(f"/p/{code}")

    def _trial(
        self,
        code: str,
        sent: Mapping[str, str] | None = None,
        lacking: list[str] | None = None,
    ) -> None:
        sitting = self.server.sitting
        if not sitting.known(code):
            self.redirect("/")
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
        self.redirect(f"/p/{code}")

    def _media(self, name: str) -> None:
        files = list(self.server.sitting.media.values())
        if not NUMBER.fullmatch(name) or int(name) >= len(files):
            self.html(error_page("Not here", "There is no such file."), HTTPStatus.NOT_FOUND)
            return
        asked = self.headers.get("Range")
        part = part_of(files[int(name)], asked)
        if part is None:
            self.html(
                error_page("Not here", "Past the end."), HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
            )
            return
        self.send_part(part, whole=not asked)

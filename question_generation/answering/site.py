"""The study's pages: consent, then a clip and a question at a time, and thanks."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus
from pathlib import Path

from question_generation.answering.answers import AnswersFile, Given, drawn
from question_generation.item import Item
from question_generation.options import LETTERS
from question_generation.pages.html import Fields, alert, choice, clip, form, listed, page
from question_generation.pages.server import Reply

CONSENT = (
    "You will watch two short clips of films and answer ten questions about them, each by choosing"
    " one of several options.",
    "It takes as long as you like. You may stop at any time and need no reason; what you answered"
    " until then is kept. The clips may show what such films show: violence, strong language.",
    "Your answers are stored on this computer under a random code. No name, address or other mark"
    " of yours is recorded. Answers may be published under that code.",
)
_PAGE = re.compile(r"/p/([0-9a-f]{8})")


@dataclass(frozen=True, slots=True)
class StudySite:
    """A ``Site`` over items that are held in memory."""

    items: Sequence[Item]
    answers: AnswersFile
    seed: int = 0
    clips: Mapping[str, Path] = field(default_factory=dict)
    issued: set[str] = field(default_factory=set)
    """Codes of those who agreed and may not have answered yet."""

    @property
    def media(self) -> Sequence[Path]:
        return list(self.clips.values())

    def get(self, path: str) -> Reply | None:
        """See ``Site``."""
        if path == "/":
            return Reply(_consent({}))
        match = _PAGE.fullmatch(path)
        if match is None:
            return None
        if not self._known(match.group(1)):
            return Reply(to="/")
        return Reply(self._next(match.group(1), {}))

    def post(self, path: str, form: Fields) -> Reply | None:
        """See ``Site``."""
        if path == "/consent":
            if form.get("agree") != "yes":
                fault = {"agree": "To begin, please agree"}
                return Reply(_consent(fault), HTTPStatus.UNPROCESSABLE_ENTITY)
            code = secrets.token_hex(4)
            self.issued.add(code)
            return Reply(to=f"/p/{code}")
        match = _PAGE.fullmatch(path)
        if match is None or not self._known(match.group(1)):
            return None
        return self._answer(match.group(1), form)

    def _known(self, code: str) -> bool:
        return code in self.issued or bool(self.answers.done(code))

    def _left(self, code: str) -> tuple[list[Item], list[Item]]:
        mine = drawn(self.items, code, self.seed)
        done = self.answers.done(code)
        return mine, [item for item in mine if item.id not in done]

    def _answer(self, code: str, sent: Fields) -> Reply:
        _, left = self._left(code)
        # A page sent twice, or from a stale tab, is not the next question's answer.
        if not left or sent.get("item") != left[0].id:
            return Reply(to=f"/p/{code}")
        chosen = sent.get("chosen", "")
        places = {str(at) for at in range(len(left[0].options))}
        if chosen not in places:
            fault = {"chosen": "Please choose one option"}
            return Reply(self._next(code, fault), HTTPStatus.UNPROCESSABLE_ENTITY)
        self.answers.add(Given(participant=code, item=left[0].id, chosen=int(chosen)))
        return Reply(to=f"/p/{code}")

    def _next(self, code: str, faults: Mapping[str, str]) -> str:
        mine, left = self._left(code)
        if not left:
            told = f"All {len(mine)} questions are answered and saved. You can close this page."
            return page("Thank you", listed([told, f"Your code: {code}"]))
        item = left[0]
        where = None
        if item.video_id in self.clips:
            where = f"/media/{list(self.clips).index(item.video_id)}"
        options = {str(at): f"{LETTERS[at]}) {text}" for at, text in enumerate(item.options)}
        fields = f'<input type="hidden" name="item" value="{escape(item.id)}">' + choice(
            "chosen", item.question, options, {}, faults
        )
        body = (
            alert(faults)
            + clip(where, None)
            + '<h2 id="question" tabindex="-1">The question</h2>'
            + form(f"/p/{code}", fields, "Save and go on")
            + f'<p class="soft">You can stop at any time. To go on later, open this address again:'
            f" /p/{code}</p>"
        )
        title = f"Question {len(mine) - len(left) + 1} of {len(mine)}"
        return page(title, body, error=bool(faults), skip="question")


def _consent(faults: Mapping[str, str]) -> str:
    agree = (
        '<p id="q-agree" tabindex="-1"><label class="choice"><input type="checkbox" name="agree"'
        ' value="yes"> I have read this and want to take part.</label></p>'
    )
    body = alert(faults) + listed(CONSENT) + form("/consent", agree, "Begin")
    return page("Questions about two clips", body, error=bool(faults))

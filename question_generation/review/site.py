"""The review page: one item after the other, with its clip, to rate and to keep, mend or reject."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus
from pathlib import Path

from pydantic import ValidationError

from question_generation.item import Item
from question_generation.options import LETTERS
from question_generation.pages.html import (
    Fields,
    alert,
    choice,
    clip,
    form,
    listed,
    options_list,
    page,
    text_field,
)
from question_generation.pages.server import Reply
from question_generation.review.reviews import Review, ReviewsFile

YES_NO = {"yes": "Yes", "no": "No", "unsure": "Can't tell"}
ASKED: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "answer": ("Is the answer right, and no other option?", YES_NO),
    "information": ("Does the clip tell all that is needed to answer?", YES_NO),
    "av_dependency": ("Does it take both seeing and hearing to answer?", YES_NO),
    "difficulty": (
        "How difficult is it?",
        {
            "1": "1: very easy",
            "2": "2: easy",
            "3": "3: medium",
            "4": "4: hard",
            "5": "5: very hard",
        },
    ),
    "verdict": (
        "What should become of it?",
        {"keep": "Keep it as it is", "fix": "Keep it as I mend it below", "reject": "Reject it"},
    ),
}
_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
_PAGE = re.compile(r"/r/([A-Za-z0-9_-]{1,32})/([0-9]{1,9})")
LONGEST = 2000
"""Characters of a field."""


@dataclass(frozen=True, slots=True)
class ReviewSite:
    """A ``Site`` over items that are held in memory."""

    items: Sequence[Item]
    reviews: ReviewsFile
    clips: Mapping[str, Path] = field(default_factory=dict)
    """The file of each video that has one."""

    @property
    def media(self) -> Sequence[Path]:
        return list(self.clips.values())

    def get(self, path: str) -> Reply | None:
        """See ``Site``."""
        if path == "/":
            return Reply(self._begin())
        match = _PAGE.fullmatch(path)
        if match is None:
            return None
        rater, at = match.group(1), int(match.group(2))
        if at >= len(self.items):
            return Reply(self._end(rater))
        return Reply(self._item(rater, at, {}, {}))

    def post(self, path: str, form: Fields) -> Reply | None:
        """See ``Site``."""
        if path == "/begin":
            name = form.get("name", "").strip()
            if not _NAME.fullmatch(name):
                return Reply(self._begin(wrong=True), HTTPStatus.UNPROCESSABLE_ENTITY)
            return Reply(to=f"/r/{name}/{self._next(name, 0)}")
        match = _PAGE.fullmatch(path)
        if match is None or int(match.group(2)) >= len(self.items):
            return None
        rater, at = match.group(1), int(match.group(2))
        said = _review(rater, self.items[at], form)
        if isinstance(said, Review):
            self.reviews.add(said)
            return Reply(to=f"/r/{rater}/{self._next(rater, at + 1)}")
        return Reply(self._item(rater, at, form, said), HTTPStatus.UNPROCESSABLE_ENTITY)

    def _next(self, rater: str, start: int) -> int:
        """The first item from ``start`` on that this person has not reviewed; else the end."""
        done = self.reviews.done(rater)
        places = range(start, len(self.items))
        return next((at for at in places if self.items[at].id not in done), len(self.items))

    def _begin(self, *, wrong: bool = False) -> str:
        fault = {"name": "Letters, digits, - and _ only"} if wrong else {}
        body = (
            alert(fault)
            + listed([f"{len(self.items)} questions are waiting to be looked at."])
            + '<div id="q-name">'
            + form(
                "/begin",
                text_field("name", "A short name for your reviews, always the same one", ""),
                "Begin",
            )
            + "</div>"
        )
        return page("Review of questions", body, error=wrong)

    def _end(self, rater: str) -> str:
        left = len(self.items) - len(self.reviews.done(rater) & {one.id for one in self.items})
        told = f"{left} you have passed over." if left else "You have seen all of them."
        again = f'<p><a href="/r/{rater}/{self._next(rater, 0)}">To the first that is left</a></p>'
        return page("That was the last question", listed([told]) + (again if left else ""))

    def _item(self, rater: str, at: int, sent: Fields, faults: Mapping[str, str]) -> str:
        item = self.items[at]
        where = None
        if item.video_id in self.clips:
            # An address that names no file, only a place in a list.
            where = f"/media/{list(self.clips).index(item.video_id)}"
        done = item.id in self.reviews.done(rater)
        asked = "".join(
            choice(name, question, choices, sent, faults)
            for name, (question, choices) in ASKED.items()
        )
        why = f"<p>Why, it is said: {escape(item.rationale)}</p>" if item.rationale else ""
        body = (
            alert(faults)
            + ("<p>You have reviewed this one; a new review replaces it.</p>" if done else "")
            + clip(where, item.segment)
            + f"<h2>The question</h2><p>{escape(item.question)}</p>{options_list(item)}{why}"
            + '<h2 id="review" tabindex="-1">Your review</h2>'
            + form(f"/r/{rater}/{at}", asked + _mending(item, sent), "Save and go on")
            + f'<p><a href="/r/{rater}/{at + 1}">Pass over it</a></p>'
        )
        title = f"Question {at + 1} of {len(self.items)}"
        return page(title, body, error=bool(faults), skip="review")


def _mending(item: Item, sent: Fields) -> str:
    """The item in fields: used only with the verdict that mends."""
    options = "".join(
        text_field(f"option-{at}", f"Option {LETTERS[at]}", sent.get(f"option-{at}", option))
        for at, option in enumerate(item.options)
    )
    right = {str(at): LETTERS[at] for at in range(len(item.options))}
    chosen = {"right": sent.get("right", str(item.answer_index))}
    return (
        '<details id="q-mended"><summary>Mend it</summary>'
        + text_field("question", "The question", sent.get("question", item.question), rows=3)
        + options
        + choice("right", "Which option is right?", right, chosen, {})
        + "</details>"
        + text_field(
            "comment",
            "Anything to add? (You may leave it empty.)",
            sent.get("comment", ""),
            rows=2,
        )
    )


def _review(rater: str, item: Item, sent: Fields) -> Review | dict[str, str]:
    """The review, or what is wrong with the form, by field."""
    faults = {
        name: f"Please choose: {question}"
        for name, (question, choices) in ASKED.items()
        if sent.get(name) not in choices
    }
    if faults:
        return faults
    told: dict[str, object] = {
        "rater": rater,
        "item": item.id,
        **{name: sent[name] for name in ASKED},
        "difficulty": int(sent["difficulty"]),
    }
    comment = sent.get("comment", "").strip()[:LONGEST]
    if comment:
        told["comment"] = comment
    if sent["verdict"] == "fix":
        told["mended"] = _mended(item, sent)
    try:
        return Review.model_validate(told)
    except ValidationError as error:
        what = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        return {"mended": f"What you mended can't be: {what}"}


def _mended(item: Item, sent: Fields) -> dict[str, object]:
    places = range(len(item.options))
    options = tuple(sent.get(f"option-{at}", "").strip()[:LONGEST] for at in places)
    right = sent.get("right", "")
    at = int(right) if right.isascii() and right.isdigit() and int(right) in places else 0
    question = sent.get("question", "").strip()[:LONGEST]
    return {"question": question, "options": options, "answer": options[at]}

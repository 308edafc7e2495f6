"""Pieces of pages, for ears and keys first: labelled fields, errors that name their field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from question_generation.item import Item
from question_generation.options import LETTERS

Fields = Mapping[str, str]
"""A form as it was sent."""


def page(title: str, body: str, *, error: bool = False, skip: str = "") -> str:
    """A whole page. ``skip``: the id of what a keyboard may jump to."""
    said = "Error: " if error else ""
    link = f'<a class="skip" href="#{skip}">Skip to the form</a>' if skip else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{said}{escape(title)}</title>"
        '<link rel="stylesheet" href="/style.css"></head>'
        f"<body>{link}<main><h1>{escape(title)}</h1>{body}</main></body></html>\n"
    )


def alert(faults: Mapping[str, str]) -> str:
    """What is wrong, each with a link to its field; empty without faults."""
    if not faults:
        return ""
    links = "".join(
        f'<li><a href="#q-{name}">{escape(said)}</a></li>' for name, said in faults.items()
    )
    return (
        '<div class="errors" id="errors" role="alert" tabindex="-1">'
        f"<h2>This is not complete yet</h2><ul>{links}</ul></div>"
    )


def choice(
    name: str, question: str, choices: Mapping[str, str], sent: Fields, faults: Mapping[str, str]
) -> str:
    """One of several, as radio buttons under one question."""
    wrong = faults.get(name)
    error = f'<p class="error" id="e-{name}">{escape(wrong)}</p>' if wrong else ""
    described = f' aria-describedby="e-{name}"' if wrong else ""
    boxes = "".join(
        f'<label class="choice"><input type="radio" name="{name}" value="{escape(value)}"'
        f"{' checked' if sent.get(name) == value else ''}> {escape(label)}</label>"
        for value, label in choices.items()
    )
    return (
        f'<fieldset id="q-{name}" tabindex="-1"{described}><legend>{escape(question)}</legend>'
        f"{error}{boxes}</fieldset>"
    )


def text_field(name: str, label: str, value: str, *, rows: int = 0) -> str:
    """A line of text, or so many rows of it."""
    shown = f'<label for="f-{name}">{escape(label)}</label>'
    if rows:
        box = f'<textarea id="f-{name}" name="{name}" rows="{rows}">{escape(value)}</textarea>'
    else:
        box = (
            f'<input type="text" id="f-{name}" name="{name}" value="{escape(value)}"'
            ' autocomplete="off">'
        )
    return f"<p>{shown}{box}</p>"


def form(to: str, body: str, button: str) -> str:
    """A form, sent to ``to``."""
    return (
        f'<form method="post" action="{escape(to)}" id="form" novalidate>{body}'
        f'<button type="submit">{escape(button)}</button></form>'
    )


def clip(media: str | None, segment: tuple[float, float] | None) -> str:
    """The clip, from where the item is about; or that there is none."""
    if media is None:
        return '<p class="soft">The clip is not on this computer.</p>'
    part = f"#t={segment[0]:g},{segment[1]:g}" if segment else ""
    where = f" It is about {clock(segment[0])} to {clock(segment[1])}." if segment else ""
    return (
        f'<video controls preload="metadata" src="{escape(media)}{part}" aria-label="The clip">'
        f'</video><p class="soft">The clip plays with the keys of your browser.{where}</p>'
    )


def options_list(item: Item) -> str:
    """Options with their letters, the right one told in words."""
    lines = "".join(
        f"<li>{LETTERS[at]}) {escape(option)}"
        f"{' <strong>(said to be right)</strong>' if option == item.answer else ''}</li>"
        for at, option in enumerate(item.options)
    )
    return f"<ul>{lines}</ul>"


def clock(seconds: float) -> str:
    """As players show it."""
    whole = int(seconds)
    hours = f"{whole // 3600}:{whole // 60 % 60:02d}" if whole >= 3600 else str(whole // 60)
    return f"{hours}:{whole % 60:02d}"


def listed(texts: Sequence[str]) -> str:
    """Paragraphs."""
    return "".join(f"<p>{escape(text)}</p>" for text in texts)

"""The study's pages as HTML: plain forms that work without a script, for ears and keys first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from strad.record import TimedText
from strad_eval.study.plan import Scale, Study
from strad_eval.study.trial import SIDES, Trial

Fields = Mapping[str, str]
"""A form as it was sent."""
PREFERENCES = {"A": "Version A", "B": "Version B", "neither": "No difference"}
_EMPTY: Fields = {}


def consent_page(study: Study, error: str = "") -> str:
    """Where everybody begins: what it is about, and agreeing to it."""
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in study.consent)
    agree = (
        '<form method="post" action="/consent"><p><label class="choice"><input type="checkbox" '
        'name="agree" value="yes" required> I have read this and want to take part.</label></p>'
        '<button type="submit">Begin</button></form>'
    )
    again = (
        '<h2>You have a code?</h2><form method="post" action="/again"><p><label for="code">Your '
        'code</label><input type="text" id="code" name="code" autocomplete="off" required '
        'spellcheck="false"></p><button type="submit">Go on where I stopped</button></form>'
    )
    said = _alert(error, []) if error else ""
    title = escape(study.name)
    return _page(title, f"<h1>{title}</h1>{said}{text}{agree}{again}", error=bool(error))


def trial_page(
    study: Study,
    trial: Trial,
    code: str,
    place: tuple[int, int],
    media: str | None,
    sent: Fields = _EMPTY,
    missing: Sequence[str] = (),
) -> str:
    """One trial. ``place`` is which page of how many, ``media`` where its video is.

    ``sent`` and ``missing`` are answers of an incomplete form: they are kept, what lacks is said.
    """
    title = f"Page {place[0]} of {place[1]}"
    fields = _ab_field(sent, missing) if trial.kind == "ab" else _scale_fields(study, sent, missing)
    lacking = [(f"q-{name}", _question(study, name)) for name in missing]
    many = "question has" if len(lacking) == 1 else "questions have"
    alert = _alert(f"{len(lacking)} {many} no answer yet", lacking) if lacking else ""
    body = (
        f"<h1>{title}</h1>{alert}{_what(trial, media)}"
        f'<h2 id="questions" tabindex="-1">Your answers</h2>'
        f'<form method="post" action="/p/{code}" id="answers" novalidate>'
        f'<input type="hidden" name="trial" value="{trial.token(code)}">'
        '<input type="hidden" name="heard" id="heard" value="0">'
        f'<input type="hidden" name="seconds" id="seconds" value="">{fields}'
        '<p><label for="comment">Anything to add? (You may leave it empty.)</label>'
        f'<textarea id="comment" name="comment" rows="2">{escape(sent.get("comment", ""))}'
        '</textarea></p><button type="submit">Save and go on</button></form>'
        f'<p class="soft">You can stop at any time. To go on later, note your code: '
        f"<strong>{escape(code)}</strong></p>"
    )
    return _page(title, body, error=bool(missing), skip=True)


def thanks_page(code: str, count: int) -> str:
    """The end."""
    body = (
        f"<h1>Thank you</h1><p>All {count} pages are answered and saved. You can close this page."
        f'</p><p class="soft">Your code: {escape(code)}</p>'
    )
    return _page("Thank you", body)


def error_page(title: str, said: str) -> str:
    """What went wrong."""
    body = f'<h1>{escape(title)}</h1><p>{escape(said)}</p><p><a href="/">Back to the start</a></p>'
    return _page(escape(title), body)


def _page(title: str, body: str, *, error: bool = False, skip: bool = False) -> str:
    link = '<a class="skip" href="#questions">Skip to your answers</a>' if skip else ""
    said = "Error: " if error else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{said}{title}</title>"
        '<link rel="stylesheet" href="/style.css"><script src="/player.js" defer></script></head>'
        f"<body>{link}<main>{body}</main></body></html>\n"
    )


def _alert(said: str, lacking: Sequence[tuple[str, str]]) -> str:
    links = "".join(f'<li><a href="#{at}">{escape(text)}</a></li>' for at, text in lacking)
    listed = f"<ul>{links}</ul>" if links else ""
    return (
        '<div class="errors" id="errors" role="alert" tabindex="-1">'
        f"<h2>{escape(said)}</h2>{listed}</div>"
    )


def _what(trial: Trial, media: str | None) -> str:
    excerpt = trial.excerpt
    span = f"{_clock(excerpt.start)} to {_clock(excerpt.end)}"
    player = ""
    if media is not None:
        player = (
            f'<video id="media" controls preload="metadata" src="{escape(media)}" '
            f'data-start="{excerpt.start}" data-end="{excerpt.end}" '
            'aria-label="The programme, without descriptions"></video>'
        )
    versions = "".join(
        _version(trial, at, system, bool(media)) for at, system in enumerate(trial.systems)
    )
    return (
        f"<p>An excerpt from {span}. Lines marked Description are the audio description; lines "
        "marked Dialogue are what is said in the programme.</p>"
        f'{player}<p role="status" id="state"></p>'
        '<p id="silent" class="soft" hidden>This browser has no voice of its own to speak the '
        f"descriptions with; please read them.</p>{versions}"
    )


def _version(trial: Trial, at: int, system: str, media: bool) -> str:
    """One system's descriptions among the dialogue. Its name is nowhere on the page."""
    named = f"Version {SIDES[at]}" if trial.kind == "ab" else "The excerpt"
    what = "Play the programme with" if media else "Speak"
    whose = f" of version {SIDES[at]}" if trial.kind == "ab" else ""
    label = f"{what} the descriptions{whose}"
    lines = [("Dialogue", line) for line in trial.excerpt.speech or ()]
    lines += [("Description", line) for line in trial.excerpt.systems[system]]
    lines.sort(key=lambda pair: pair[1].start)
    listed = "".join(_line(kind, line) for kind, line in lines)
    none = "" if trial.excerpt.systems[system] else '<p class="soft">No descriptions here.</p>'
    return (
        f'<section id="version-{at}" aria-labelledby="named-{at}"><h2 id="named-{at}">{named}</h2>'
        f'<button type="button" hidden data-play="{label}" data-version="version-{at}">{label}'
        f'</button>{none}<ol class="script">{listed}</ol></section>'
    )


def _line(kind: str, line: TimedText) -> str:
    mark = ' class="ad"' if kind == "Description" else ""
    return (
        f'<li{mark} data-start="{line.start}"><span class="time">{_clock(line.start)}</span>'
        f'<strong>{kind}:</strong> <span class="text">{escape(line.text)}</span></li>'
    )


def _scale_fields(study: Study, sent: Fields, missing: Sequence[str]) -> str:
    return "".join(
        _field(scale.id, scale.question, _steps(scale), sent, missing) for scale in study.scales
    )


def _steps(scale: Scale) -> dict[str, str]:
    return {str(at): f"{at}: {label}" for at, label in enumerate(scale.labels, start=1)}


def _ab_field(sent: Fields, missing: Sequence[str]) -> str:
    question = "Which version would you rather have?"
    return _field("preferred", question, PREFERENCES, sent, missing)


def _field(
    name: str, question: str, choices: Mapping[str, str], sent: Fields, missing: Sequence[str]
) -> str:
    lacks = name in missing
    error = f'<p class="error" id="e-{name}">Please choose one.</p>' if lacks else ""
    described = f' aria-describedby="e-{name}"' if lacks else ""
    boxes = "".join(
        f'<label class="choice"><input type="radio" name="{name}" value="{value}" required'
        f"{' checked' if sent.get(name) == value else ''}> {escape(label)}</label>"
        for value, label in choices.items()
    )
    return (
        f'<fieldset id="q-{name}" tabindex="-1"{described}><legend>{escape(question)}</legend>'
        f"{error}{boxes}</fieldset>"
    )


def _question(study: Study, name: str) -> str:
    for scale in study.scales:
        if scale.id == name:
            return scale.question
    return "Which version would you rather have?"


def _clock(seconds: float) -> str:
    whole = int(seconds)
    hours = f"{whole // 3600}:{whole // 60 % 60:02d}" if whole >= 3600 else str(whole // 60)
    return f"{hours}:{whole % 60:02d}"

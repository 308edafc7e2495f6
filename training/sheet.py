"""A contact sheet: random examples on one page, exactly as a model is shown them.

One HTML file without scripts or anything from elsewhere; pictures and sound are in it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from strad.timeline import to_seconds
from strad_engines.messages import Audio, Image, Message, Part, Text, Video
from streaming.prompt.profile import Profile
from training.example import Example
from training.rendering import rendered

STYLE = """
body{font:1rem/1.5 system-ui,sans-serif;margin:1rem auto;max-width:80rem;padding:0 1rem;
color:#1a1a1a;background:#fff}
article{border-top:2px solid #555;padding:1rem 0}
dl{display:grid;grid-template-columns:max-content auto;gap:0 1rem}dd{margin:0}
pre{white-space:pre-wrap;background:#f2f2f2;padding:.5rem;margin:.5rem 0}
.answer{background:#e3f0e3}
ol{list-style:none;display:flex;flex-wrap:wrap;gap:.5rem;padding:0}
img{max-width:12rem;height:auto;display:block}
a{color:#0b4f9e}:focus-visible{outline:3px solid #0b4f9e;outline-offset:2px}
@media (prefers-color-scheme:dark){body{color:#eee;background:#161616}
pre{background:#2a2a2a}.answer{background:#1f3a1f}a{color:#8fc1ff}}
"""


def page(title: str, examples: Sequence[Example], profile: Profile) -> str:
    """The whole file."""
    entries = "".join(_entry(n, one, profile) for n, one in enumerate(examples, start=1))
    listed = "".join(
        f'<li><a href="#e{n}">{escape(one.key)}: {one.kind.value}</a></li>'
        for n, one in enumerate(examples, start=1)
    )
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    scale = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}{scale}</head><body>\n'
        f"<header><h1>{escape(title)}</h1><p>As the profile {escape(profile.name)} shows them."
        f'</p></header><nav aria-label="Examples"><ul>{listed}</ul></nav>\n'
        f"<main>{entries}</main></body></html>\n"
    )


def _entry(number: int, example: Example, profile: Profile) -> str:
    shown = rendered(example, profile)
    window = example.window.when
    facts = {
        "Kind": f"{example.kind.value} ({example.why})",
        "Film": example.film,
        "Shown": f"{to_seconds(window.start):.1f} to {to_seconds(window.end):.1f} s",
        "Marked": "; ".join(example.names),
    }
    told = "".join(f"<dt>{name}</dt><dd>{escape(v)}</dd>" for name, v in facts.items() if v)
    return (
        f'<article id="e{number}"><h2>{number}. {escape(example.key)}</h2><dl>{told}</dl>'
        f"{''.join(_messages(shown.messages))}"
        f'<h3>Answer</h3><pre class="answer">{escape(shown.answer)}</pre></article>\n'
    )


def _messages(messages: Iterable[Message]) -> Iterator[str]:
    for message in messages:
        parts = "".join(_parts(message.parts))
        if message.role == "system":
            yield f"<details><summary>What it is told ({message.role})</summary>{parts}</details>"
        else:
            yield f"<h3>What it is shown ({message.role})</h3>{parts}"


def _parts(parts: Sequence[Part]) -> Iterator[str]:
    """In the order in which a model reads them."""
    pictures = [part for part in parts if isinstance(part, Image)]
    count = 0
    for part in parts:
        match part:
            case Text(text):
                yield f"<pre>{escape(text)}</pre>"
            case Image():
                count += 1
                yield _picture(part, count, len(pictures))
            case Video(frames, fps):
                total = len(frames)
                items = (f"<li>{_picture(f, n, total)}</li>" for n, f in enumerate(frames, 1))
                yield f"<p>A video of {fps:.3g} pictures a second:</p><ol>{''.join(items)}</ol>"
            case Audio(data, form):
                yield (
                    f'<audio controls aria-label="The sound" src="data:audio/{form};base64,'
                    f'{_base64(data)}"></audio>'
                )


def _picture(image: Image, number: int, total: int) -> str:
    source = f"data:{image.media_type};base64,{_base64(image.data)}"
    return f'<img alt="Picture {number} of {total}" src="{source}">'


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()

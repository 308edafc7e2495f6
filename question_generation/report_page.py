"""The quality report as one HTML file: nothing is fetched, every plot is a table too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from question_generation.item import Item
from question_generation.options import LETTERS

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --soft: #545466; --line: #8a8aa0;
  --mark: #0b57a4; --right: #14622b; }
@media (prefers-color-scheme: dark) { :root { --ink: #eee; --paper: #16181c; --soft: #b4b4c4;
  --line: #80809a; --mark: #8ec5ff; --right: #8fdca4; } }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
caption { text-align: left; font-weight: bold; padding: .3rem 0; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top;
  border-bottom: 1px solid var(--line); }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
svg rect { fill: var(--mark); }
.soft { color: var(--soft); }
.right { color: var(--right); font-weight: bold; }
article { border-left: .3rem solid var(--line); padding: 0 1rem; margin: 1rem 0; }
"""
_WIDE = 240
"""Pixels of the longest bar."""


def report_page(report: Mapping[str, Any], samples: Sequence[Item]) -> str:
    """The page."""
    run, quality = report["run"], report["quality"]
    title = escape(f"Questions: {run['pipeline']}")
    balance = "".join(_bars(name, counts) for name, counts in quality["balance"].items() if counts)
    body = (
        f"<h1>{title}</h1><p>{quality['items']:,} items from {escape(run['source'])}, seed "
        f"{run['seed']}.</p><h2>From scenes to items</h2>{_steps(report['steps'])}"
        f"{_noted(report.get('noted', ()))}"
        f"<h2>What models took</h2>{_cost(report['cost'])}"
        f"<h2>What gives answers away</h2>{_away(quality)}"
        f"<h2>Who is right how often</h2>{_answerers(quality['answerers'])}"
        f"<h2>Balance</h2>{balance}"
        f"<h2>Samples</h2>{''.join(_sample(item) for item in samples)}"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><main>{body}</main></body>"
        "</html>\n"
    )


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Cells that begin with a digit are numbers."""
    head = "".join(f'<th scope="col">{escape(one)}</th>' for one in heads)
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{lines}</tbody></table>"
    )


def _cell(text: str) -> str:
    if text.startswith("<"):
        return f"<td>{text}</td>"
    number = text[:1].isdigit()
    return f'<td class="n">{escape(text)}</td>' if number else f"<td>{escape(text)}</td>"


def _steps(steps: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    for step in steps:
        reasons = {
            **step["dropped"],
            **{f"failed: {k}": v for k, v in step["failed"].items()},
            **{f"went on, though {k}": v for k, v in step.get("noted", {}).items()},
        }
        why = "; ".join(f"{reason}: {many:,}" for reason, many in reasons.items())
        lost = sum(step["dropped"].values()), sum(step["failed"].values())
        numbers = [f"{step['in']:,}", f"{step['out']:,}", *(f"{one:,}" for one in lost)]
        rows.append([step["step"], *numbers, why])
    heads = ("step", "in", "out", "dropped", "failed", "why")
    return _table("Records in and out of each step", heads, rows)


def _noted(noted: Sequence[Mapping[str, Any]]) -> str:
    if not noted:
        return ""
    rows = [[one["step"], one["id"], one["reason"], one["detail"]] for one in noted]
    heads = ("step", "record", "why", "more")
    return _table("Went on with less than they might have", heads, rows)


def _cost(cost: Sequence[Mapping[str, Any]]) -> str:
    if not cost:
        return "<p>No model was asked.</p>"
    rows = [
        [
            one["step"],
            one["model"],
            f"{one['requests']:,}",
            _number(one["prompt_tokens"]),
            _number(one["completion_tokens"]),
            "unknown" if one["cost"] is None else f"{one['cost']:,.4f}",
        ]
        for one in cost
    ]
    heads = ("step", "model", "requests", "prompt tokens", "answer tokens", "cost")
    return _table("Requests, tokens and cost", heads, rows)


def _away(quality: Mapping[str, Any]) -> str:
    over, doubles = quality["overlap_with_question"], quality["duplicates"]
    rows = [
        ["The longest option is right", _part(quality["longest_is_right"])],
        ["Right by guessing", _part(quality["by_chance"])],
        ["Words of the right option that the question has", _part(over["right option"])],
        ["The same of wrong options", _part(over["wrong options"])],
        ["Questions asked before of the same video, in the same words", f"{doubles['same']:,}"],
        ["Nearly in the same words", f"{doubles['near']:,}"],
    ]
    return _table("Signs that need no film", ("sign", "share or count"), rows)


def _answerers(answerers: Mapping[str, Mapping[str, Any]]) -> str:
    if not answerers:
        return "<p>No answerer was asked.</p>"
    rows = [
        [name, f"{one['right']:,.0f}", f"{one['asked']:,.0f}", _part(one["share"])]
        for name, one in answerers.items()
    ]
    return _table("Answerers over rotations", ("answerer", "right", "asked", "share"), rows)


def _bars(name: str, counts: Mapping[str, int]) -> str:
    most, total = max(counts.values()), sum(counts.values())
    rows = [
        [label, f"{many:,}", f"{100 * many / total:.1f} %", _bar(label, many, most)]
        for label, many in counts.items()
    ]
    return _table(name.capitalize(), (name, "items", "share", "plot"), rows)


def _bar(label: str, many: int, most: int) -> str:
    wide = max(1, round(_WIDE * many / most))
    return (
        f'<svg role="img" aria-label="{escape(label)}: {many}" width="{_WIDE}" height="14">'
        f'<rect width="{wide}" height="14"></rect></svg>'
    )


def _sample(item: Item) -> str:
    options = "".join(
        f"<li{_mark(option == item.answer)}>{LETTERS[at]}) {escape(option)}"
        f"{' (right)' if option == item.answer else ''}</li>"
        for at, option in enumerate(item.options)
    )
    told = [item.category, item.task, item.template, item.split, *item.flags]
    about = escape(" · ".join(one for one in told if one))
    why = f"<p>{escape(item.rationale)}</p>" if item.rationale else ""
    return (
        f"<article><h3>{escape(item.question)}</h3><ul>{options}</ul>{why}"
        f'<p class="soft">{escape(item.id)} · {about}</p></article>'
    )


def _mark(right: bool) -> str:
    return ' class="right"' if right else ""


def _part(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.1f} %"


def _number(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"

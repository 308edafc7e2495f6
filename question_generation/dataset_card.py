"""A data set's card: what is in it, how it was made, what is known of its faults. Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from string import Template
from typing import Any

_CARD = Template("""\
---
pretty_name: $quoted
language: [en]
task_categories: [visual-question-answering, video-text-to-text]
size_categories: [$size]
---

# $name

$items multiple-choice questions about films, made by `$pipeline` of Strad
from descriptions of what is seen and transcripts of what is said (`$source`,
seed $seed). No film is in it. Whose descriptions and transcripts they are, and under which
licence they may be passed on, is to be stated here by whoever publishes it.

## Columns

| column | type |
|---|---|
$columns

## Models

$models

## From scenes to items

| step | in | out | dropped |
|---|---|---|---|
$steps

## Balance

| what | items |
|---|---|
$balance

## Known of its faults

- The longest option is right in $longest of items; guessing is right in
  $chance.
- Of the right option's words the question has $right, of wrong options'
  $wrong.
- Doubles within a video: $same in the same words,
  $near nearly.
- Questions and answers were written by models, from text; unless `reviewed` is told in an item's
  provenance, no person has checked them.
""")


def dataset_card(report: Mapping[str, Any], columns: Mapping[str, str], name: str) -> str:
    """With the front matter that dataset hubs read. Licences are the owner's to state."""
    run, quality = report["run"], report["quality"]
    over, doubles = quality["overlap_with_question"], quality["duplicates"]
    told = {"pipeline": run["pipeline"], "source": run["source"], "seed": run["seed"]}
    return _CARD.substitute(
        told,
        name=name,
        quoted=json.dumps(name, ensure_ascii=False),
        size=_size(quality["items"]),
        items=f"{quality['items']:,}",
        columns="\n".join(f"| `{column}` | {kind} |" for column, kind in columns.items()),
        models="\n".join(f"- {role}: {model}" for role, model in run["models"].items()) or "- none",
        steps="\n".join(
            f"| {step['step']} | {step['in']:,} | {step['out']:,} | {_lost(step)} |"
            for step in report["steps"]
        ),
        balance="\n".join(_balance(quality["balance"])),
        longest=_part(quality["longest_is_right"]),
        chance=_part(quality["by_chance"]),
        right=_part(over["right option"]),
        wrong=_part(over["wrong options"]),
        same=doubles["same"],
        near=doubles["near"],
    )


def _balance(balance: Mapping[str, Mapping[str, int]]) -> list[str]:
    return [
        f"| {what} | {json.dumps(counts, ensure_ascii=False)} |"
        for what, counts in balance.items()
        if counts and what != "template"
    ]


def _lost(step: Mapping[str, Any]) -> str:
    reasons = {**step["dropped"], **step["failed"]}
    return "; ".join(f"{reason}: {many:,}" for reason, many in reasons.items()) or "none"


def _size(items: int) -> str:
    for most, said in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K")):
        if items < most:
            return said
    return "100K<n<1M"


def _part(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.1f} %"

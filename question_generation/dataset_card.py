"""A data set's card: what is in it, how it was made, what is known of its faults. Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def dataset_card(report: Mapping[str, Any], columns: Mapping[str, str], name: str) -> str:
    """With the front matter that dataset hubs read. Licences are the owner's to state."""
    run, quality = report["run"], report["quality"]
    listed = "\n".join(f"| `{column}` | {kind} |" for column, kind in columns.items())
    counts = "\n".join(
        f"| {name} | {json.dumps(value, ensure_ascii=False)} |"
        for name, value in quality["balance"].items()
        if value and name != "template"
    )
    steps = "\n".join(
        f"| {step['step']} | {step['in']:,} | {step['out']:,} | {_lost(step)} |"
        for step in report["steps"]
    )
    models = "\n".join(f"- {role}: {model}" for role, model in run["models"].items()) or "- none"
    over = quality["overlap_with_question"]
    return f"""---
pretty_name: {json.dumps(name, ensure_ascii=False)}
language: [en]
task_categories: [visual-question-answering, video-text-to-text]
size_categories: [{_size(quality["items"])}]
---

# {name}

{quality["items"]:,} multiple-choice questions about films, made by `{run["pipeline"]}` of Strad
from descriptions of what is seen and transcripts of what is said (`{run["source"]}`,
seed {run["seed"]}). No film is in it. Whose descriptions and transcripts they are, and under which
licence they may be passed on, is to be stated here by whoever publishes it.

## Columns

| column | type |
|---|---|
{listed}

## Models

{models}

## From scenes to items

| step | in | out | dropped |
|---|---|---|---|
{steps}

## Balance

| what | items |
|---|---|
{counts}

## Known of its faults

- The longest option is right in {_part(quality["longest_is_right"])} of items; guessing is right in
  {_part(quality["by_chance"])}.
- Of the right option's words the question has {_part(over["right option"])}, of wrong options'
  {_part(over["wrong options"])}.
- Doubles within a video: {quality["duplicates"]["same"]} in the same words,
  {quality["duplicates"]["near"]} nearly.
- Questions and answers were written by models, from text; unless `reviewed` is told in an item's
  provenance, no person has checked them.
"""


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

"""A model's card: data, split, losses, scores, licences, and how it is served. Markdown. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import Any, TypeAlias

Rows: TypeAlias = Sequence[tuple[str, str]]

_CARD = Template("""\
---
base_model: $base
library_name: $library
pipeline_tag: video-text-to-text
license: $license_tag
tags: [audio-description, accessibility, strad]
---

# $name

A model that writes audio description: short sentences on what a film shows, for people who do not
see it, or WAIT. Trained from `$base` by `strad-train` of Strad, for streams and for single moments.

## How it is asked

Only with the prompt profile `$profile` and the instructions `$prompt`
(SHA-256 `$sha256`). `strad-model.json` says so, and Strad refuses to serve it otherwise.

$serving

When it was exported it answered $same of $windows windows of the validation split by the same
tokens as what was trained.

## Data

Digest of the examples: `$digest`. They come from:

| source | licence |
|---|---|
$sources

| split | examples |
|---|---|
$splits

Films are in one split each. Of the validation split: $validation.

## Training

| setting | value |
|---|---|
$settings

## Losses

| where | loss |
|---|---|
$losses

## Scores

| figure | value |
|---|---|
$scores

## Licences

$licences

## What it is for

Descriptions of films and programmes in the gaps between speech, by a service that says that they
were made automatically. $standing

## Limits

- It was trained and judged on the films named above, and knows no others' ways.
- It describes what it takes to be there: what it says can be wrong, and nobody has checked it.
- Nothing keeps it from guessing names, or from judging somebody's looks, origin or feelings.
- It is no help where somebody's safety hangs on what is seen.
""")
_MERGED = """\
```sh
vllm serve FOLDER
strad describe film.mp4 --describer strad-ft --engine openai:http://127.0.0.1:8000/v1 \\
  --model FOLDER --model-file FOLDER/strad-model.json
```"""
_ADAPTER = """\
```sh
vllm serve FOLDER/base --enable-lora --max-lora-rank $rank --lora-modules ad=FOLDER/adapter
strad describe film.mp4 --describer strad-ft --engine openai:http://127.0.0.1:8000/v1 \\
  --model ad --model-file FOLDER/adapter/strad-model.json
```

The base in it is not the one it was trained from: it holds the layers that were trained in full."""


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What is known of a model. What is not known is said to be unknown."""

    name: str
    base: str
    profile: str
    prompt: str
    sha256: str
    merged: bool
    rank: int
    digest: str
    same: int
    windows: int
    licence: str = ""
    """Of the weights, as whoever exports them states it."""
    release: bool = False
    sources: Rows = ()
    """What the examples come from, and the licence of each."""
    splits: Rows = ()
    validation: str = ""
    """Which films are held out."""
    settings: Rows = ()
    losses: Rows = ()
    scores: Rows = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


def model_card(facts: CardFacts) -> str:
    """The text of ``README.md``, with the front matter that model hubs read."""
    draft = "A person has released it." if facts.release else "It is a draft, and labelled so."
    return _CARD.substitute(
        base=facts.base,
        library="transformers" if facts.merged else "peft",
        license_tag=facts.licence or "other",
        name=facts.name,
        profile=facts.profile,
        prompt=facts.prompt,
        sha256=facts.sha256,
        serving=_MERGED if facts.merged else Template(_ADAPTER).substitute(rank=facts.rank),
        same=facts.same,
        windows=facts.windows,
        digest=facts.digest or "unknown",
        sources=_rows(facts.sources),
        splits=_rows(facts.splits),
        validation=facts.validation or "unknown",
        settings=_rows(facts.settings),
        losses=_rows(facts.losses),
        scores=_rows(facts.scores),
        licences=_licences(facts),
        standing=draft,
    )


def _licences(facts: CardFacts) -> str:
    own = facts.licence or "not stated: to be stated by whoever passes them on"
    return (
        f"The weights: {own}. They are made from `{facts.base}`, whose licence holds for them too, "
        "and from the sources above."
    )


def _rows(rows: Rows) -> str:
    return "\n".join(f"| {_cell(a)} | {_cell(b)} |" for a, b in rows) or "| unknown | |"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")

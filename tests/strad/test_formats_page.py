"""docs/formats.md: its examples are read by our readers and allowed by the schemas."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from strad.efficiency import EFFICIENCY
from strad.flag import FLAGS
from strad.manifest import read_manifest
from strad.model_file import ModelFile
from strad.passes import ENTITIES
from strad.predictions import PREDICTIONS
from strad.questions import ANSWERS, QUESTIONS
from strad.record import parse_record
from strad.srt import read_srt, write_srt
from strad.webvtt import draft_note, read_webvtt, write_webvtt

pytestmark = pytest.mark.golden

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = dict(re.findall(r"```(\S.*?)\n(.*?)```", (DOCS / "formats.md").read_text("utf-8"), re.S))

READERS: dict[str, Callable[[str], Any]] = {
    "manifest": read_manifest,
    "predictions": lambda text: PREDICTIONS.read(text.split("\n")),
    "efficiency": lambda text: EFFICIENCY.read(text.split("\n")),
    "model": lambda text: parse_record(ModelFile, text),
    "questions": lambda text: QUESTIONS.read(text.split("\n")),
    "answers": lambda text: ANSWERS.read(text.split("\n")),
    "flags": lambda text: FLAGS.read(text.split("\n")),
    "pass-entities": lambda text: ENTITIES.read(text, file=""),
}


def schema(name: str) -> Draft202012Validator:
    schema = json.loads((DOCS / f"schema/{name}.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def example(name: str) -> tuple[str, list[Any]]:
    """The example's text and the JSON values in it."""
    if name in ("manifest", "model"):
        text = EXAMPLES[f"json {name}"]
        return text, [json.loads(text)]
    text = EXAMPLES[f"jsonl {name}"]
    return text, [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("name", READERS)
def test_json_examples_are_right(name: str) -> None:
    text, values = example(name)
    assert READERS[name](text)
    for value in values:
        schema(name).validate(value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("manifest", {"version": 2, "name": "n", "videos": []}),
        ("predictions", {"video_id": "v", "start": -1, "end": 2, "text": ""}),
        ("efficiency", {"video_id": "v", "cursor": 1, "advance": 1, "wall": 1, "decision": "no"}),
        ("questions", {"id": "q", "video_id": "v", "question": "?", "options": ["a"]}),
        ("answers", {"id": "q"}),
    ],
)
def test_the_schemas_refuse_what_the_readers_refuse(name: str, value: Any) -> None:
    assert not schema(name).is_valid(value)


def test_cue_examples_are_what_we_write() -> None:
    cues = read_webvtt(EXAMPLES["vtt"])
    assert write_webvtt(cues, notes=[draft_note("facts")]).rstrip() == EXAMPLES["vtt"].rstrip()
    assert read_srt(EXAMPLES["srt"]) == cues
    assert write_srt(cues).rstrip() == EXAMPLES["srt"].rstrip()

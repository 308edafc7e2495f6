"""The shape of an answer: its schema for server and model, and fitting what came.

Wrong keys are mended where only one reading is possible: ``Correct Answer`` for ``answer``,
``choices`` for ``options``, an object of lettered options for a list, an object wrapped in another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import ValidationError

from question_generation.ask import Wanted
from strad.record import Record

_SYNONYMS = {
    "options": ("choices", "candidates", "alternatives", "answers"),
    "distractors": ("wrongoptions", "wronganswers", "incorrectanswers", "wrong"),
    "answer": ("correctanswer", "rightanswer", "correct", "key", "answerkey", "correctoption"),
    "rationale": ("explanation", "reason", "reasoning", "justification", "why"),
    "question": ("q", "questiontext"),
}


class MisfitError(ValueError):
    """The answer has another shape; ``str`` says which member is wrong and how."""


@cache
def schema_of(wanted: type[Record]) -> str:
    """The JSON schema of an answer, as JSON: nothing beyond its members, no titles."""
    return json.dumps(_plain(wanted.model_json_schema()), sort_keys=True)


def fit(value: object, wanted: type[Wanted]) -> tuple[Wanted, tuple[str, ...]]:
    """The answer, and what was mended. Raises MisfitError."""
    mended: list[str] = []
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
        mended.append("list")
    if not isinstance(value, Mapping):
        raise MisfitError("it is not one JSON object")
    fields = wanted.model_fields
    inner = [one for one in value.values() if isinstance(one, Mapping)]
    if len(value) == 1 and inner and not set(value) & set(fields):
        value = inner[0]
        mended.append("wrapped")
    found = _keyed(value, wanted)
    if set(found) != set(value) & set(fields):
        mended.append("keys")
    for name, one in found.items():
        if isinstance(one, Mapping) and _is_list(fields[name].annotation):
            found[name] = list(one.values())
            mended.append("list")
    try:
        return wanted.model_validate_json(json.dumps(found)), tuple(mended)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False)[0]
    path = ".".join(str(part) for part in problem["loc"])
    what = problem["msg"].removeprefix("Value error, ")
    raise MisfitError(f"{path}: {what}" if path else what)


def _keyed(value: Mapping[Any, Any], wanted: type[Record]) -> dict[str, Any]:
    """The members we know, under the names we know them by. Others are left out."""
    fields = wanted.model_fields
    found = {name: value[name] for name in fields if name in value}
    others = {_bare(str(key)): one for key, one in value.items() if key not in fields}
    for name in fields:
        if name in found:
            continue
        bare = _bare(name)
        for known in (bare, *_SYNONYMS.get(bare, ())):
            if known in others:
                found[name] = others.pop(known)
                break
    return found


def _bare(key: str) -> str:
    return re.sub(r"[^a-z0-9]", "", key.lower())


def _is_list(annotation: object) -> bool:
    return str(annotation).startswith(("tuple", "list", "typing.Annotated[tuple"))


def _plain(schema: Any) -> Any:  # noqa: ANN401
    if isinstance(schema, list):
        return [_plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: {name: _plain(one) for name, one in value.items()}
        if key in ("properties", "$defs")
        else _plain(value)
        for key, value in schema.items()
        if key not in ("title", "default")
    }
    if kept.get("type") == "object":
        kept["additionalProperties"] = False
    return kept

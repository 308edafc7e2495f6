"""The form of each answer to the document's passes, as JSON schemas for engines that keep to one.

The same that the instructions ask for in words; whoever answers to them alone is read as well.
Every member is there, and null where there is nothing: some servers know no optional ones. Pure.
"""

from __future__ import annotations

import json
from typing import Any

_TEXT = {"type": "string"}
_MAYBE = {"type": ["string", "null"]}


def _listed(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _object(**members: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


_NAME = _object(**{"name": _TEXT, "from": _TEXT})
_PERSON = _object(id=_TEXT, looks=_listed(_TEXT), description=_TEXT, names=_listed(_NAME))

LOOK = json.dumps(
    _object(
        seen=_TEXT,
        people=_listed(_TEXT),
        read=_listed(_TEXT),
        importance={"type": "integer", "enum": [0, 1, 2, 3]},
        synopsis=_TEXT,
    )
)
PEOPLE = json.dumps(_object(people=_listed(_PERSON)))
FORMS = json.dumps(_object(short=_MAYBE, medium=_MAYBE, long=_MAYBE))
SHORTER = json.dumps(_object(text=_TEXT))

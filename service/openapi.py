"""The OpenAPI description: what FastAPI makes of the routes, with the refusals that all share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from service.refusals import Refusal

EVERYWHERE = {
    "401": "No credentials, or none that hold.",
    "403": "The credentials are for something else.",
    "422": "The request is not as described here.",
    "429": "This caller asks too much.",
}
"""What any route that isn't open may answer."""

UNREADABLE = "The body can't be read: it is no JSON."

LATER = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}


def describe(app: FastAPI, *, open_to_all: bool) -> None:
    """Have ``app`` describe its refusals as it answers them.

    ``open_to_all``: no route asks for credentials, since no authentication is set up.
    """
    make = app.openapi

    def openapi() -> dict[str, Any]:
        fresh = app.openapi_schema is None
        described = make()
        if fresh:
            _complete(described, open_to_all=open_to_all)
        return described

    setattr(app, "openapi", openapi)  # noqa: B010 - FastAPI's own way; to mypy it is a method


def _complete(described: dict[str, Any], *, open_to_all: bool) -> None:
    schemas = described.setdefault("components", {}).setdefault("schemas", {})
    schemas["Refusal"] = Refusal.model_json_schema()
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for operation in _operations(described):
        _hoist(operation, schemas)
        if open_to_all:
            operation.pop("security", None)
        _describe_refusals(operation)


def _describe_refusals(operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    for status, what in EVERYWHERE.items():
        answers.setdefault(status, {})["description"] = what
    if "requestBody" in operation:
        answers.setdefault("400", {"description": UNREADABLE})
    for status, answer in answers.items():
        if status[0] in "45":
            content = {"schema": {"$ref": "#/components/schemas/Refusal"}}
            answer["content"] = {"application/json": content}
        if status in ("429", "503"):
            answer["headers"] = LATER


def _operations(described: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in described["paths"].values():
        yield from path.values()


def _hoist(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Put the parts of a body's schema that a route wrote itself where references find them."""
    for body in operation.get("requestBody", {}).get("content", {}).values():
        schema = dict(body.get("schema", {}))
        parts = schema.pop("$defs", {})
        if parts:
            schemas.update(_referring(parts))
            body["schema"] = _referring(schema)


def _referring(value: Any) -> Any:  # noqa: ANN401 - any JSON
    match value:
        case dict():
            return {key: _referring(part) for key, part in value.items()}
        case list():
            return [_referring(part) for part in value]
        case str():
            return value.replace("#/$defs/", "#/components/schemas/")
        case _:
            return value

"""The OpenAPI description: complete, and one refusal for all."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from service.app import create_app
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS

pytestmark = pytest.mark.unit


def described() -> dict[str, Any]:
    return create_app(SETTINGS, Workshop().equipment()).openapi()


def operations() -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in described()["paths"].items()
        for method, operation in methods.items()
    }


def test_every_operation_says_what_it_is_and_what_it_answers() -> None:
    for name, operation in operations().items():
        assert operation.get("description"), name
        fine = [status for status in operation["responses"] if status[0] == "2"]
        assert fine, name
        for status, answer in operation["responses"].items():
            assert answer["description"], (name, status)
            assert "content" in answer or status in ("202", "204", "304"), (name, status)


def test_every_refusal_has_the_same_three_fields() -> None:
    refusal = {"$ref": "#/components/schemas/Refusal"}
    for name, operation in operations().items():
        for status, answer in operation["responses"].items():
            if status[0] in "45":
                assert answer["content"] == {"application/json": {"schema": refusal}}, (
                    name,
                    status,
                )
    schema = described()["components"]["schemas"]["Refusal"]
    assert schema["required"] == ["code", "message", "retryable"]


def test_no_page_loads_scripts_from_another_host() -> None:
    app = create_app(SETTINGS, Workshop().equipment())
    assert (app.docs_url, app.redoc_url, app.openapi_url) == (None, None, "/openapi.json")


def test_every_reference_leads_somewhere() -> None:
    schema = described()
    text = json.dumps(schema)
    found = set(re.findall(r'"\$ref": "([^"]+)"', text))
    assert found
    for reference in found:
        part: Any = schema
        for name in reference.removeprefix("#/").split("/"):
            part = part[name]


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        ("events", "text/event-stream"),
        ("descriptions.vtt", "text/vtt"),
        ("descriptions.srt", "application/x-subrip"),
        ("descriptions.jsonl", "application/jsonl"),
        ("descriptions.m3u8", "application/vnd.apple.mpegurl"),
        ("descriptions/{number}.vtt", "text/vtt"),
    ],
)
def test_tracks_say_what_they_are_made_of(page: str, kind: str) -> None:
    operation = operations()[f"GET /v1/streams/{{stream}}/{page}"]
    assert list(operation["responses"]["200"]["content"]) == [kind]

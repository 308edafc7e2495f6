"""Golden files are what the code makes: a change shows in review, and is made by make golden."""

from __future__ import annotations

import pytest

from tests.regenerate_golden import GOLDEN, ROOT

pytestmark = pytest.mark.golden


@pytest.mark.parametrize("path", GOLDEN)
def test_golden_files_are_up_to_date(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == GOLDEN[path](), "run: make golden"


def test_every_schema_in_the_docs_is_made_from_the_code() -> None:
    written = {f"docs/schema/{file.name}" for file in (ROOT / "docs/schema").iterdir()}
    assert written == {path for path in GOLDEN if path.startswith("docs/schema/")}

"""``make golden``: write every golden file anew from what the code makes of it now."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from strad.schema import FORMATS, schema_text
from tests.settings_page import settings_page

ROOT = Path(__file__).parents[1]

GOLDEN: dict[str, Callable[[], str]] = {
    f"docs/schema/{name}.json": partial(schema_text, form) for name, form in FORMATS.items()
} | {"docs/settings.md": settings_page}
"""Each golden file, by its path from the root, and what makes its text."""


def main() -> None:
    for path, make in GOLDEN.items():
        target = ROOT / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()

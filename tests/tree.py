"""The files of this repository, as the tests of the rules of the house see them."""

from __future__ import annotations

import ast
import os
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]

SHIPPED: tuple[str, ...] = tuple(
    PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
)
"""The packages in the wheel."""

OURS = (*SHIPPED, "benches", "tests")
"""Every folder of Python files."""

NOT_OURS = {
    ".git",
    ".venv",
    ".venv-models",
    ".hypothesis",
    "__pycache__",
    "build",
    "demo-out",
    "dist",
    "node_modules",
    "shared",
}
BINARY = {".db", ".gz", ".jpg", ".onnx", ".png", ".webm", ".whl"}


@cache
def files() -> tuple[Path, ...]:
    """Every file of the repository: tracked, or about to be."""
    return tuple(sorted(_walk(ROOT)))


def texts() -> list[Path]:
    """Every file that people read."""
    return [path for path in files() if path.suffix not in BINARY]


def python(*folders: str) -> list[Path]:
    """The Python files under the given folders of the root."""
    return [p for p in files() if p.suffix == ".py" and p.relative_to(ROOT).parts[0] in folders]


def shipped() -> list[Path]:
    """The Python files of the wheel."""
    return python(*SHIPPED)


def name(path: Path) -> str:
    """The path from the root, as a message shows it."""
    return path.relative_to(ROOT).as_posix()


@cache
def parse(path: Path) -> ast.Module:
    """The syntax tree of one Python file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def listed(found: Sequence[str]) -> str:
    """What was found, one a line, as a failing test shows it."""
    return "\n" + "\n".join(found)


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in NOT_OURS and not f.endswith("_cache")]
        yield from (Path(folder, name) for name in names)

"""What Strad depends on: all that is named, nothing heavy where it is light, no name twice."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import tree

pytestmark = pytest.mark.arch

NAMED = {
    "av",
    "fastapi",
    "faster-whisper",
    "numpy",
    "peft",
    "silero-vad",
    "torch",
    "uvicorn",
    "vllm",
    "websockets",
}
"""The stack Strad is built on."""

HEAVY = re.compile(r"(torch|torchvision|torchaudio|vllm|triton|tensorflow|nvidia-.*|cuda-.*)$")
MEDIA = {"av", "faster-whisper", "onnxruntime", "opencv-python-headless", "pillow", "rapidocr"}


def declared(*extras: str) -> list[Requirement]:
    """What pyproject.toml asks for: the core, and the given extras."""
    lines: list[str] = list(tree.PROJECT["dependencies"])
    for extra in extras:
        lines += tree.PROJECT["optional-dependencies"][extra]
    return [Requirement(line) for line in lines]


def required_tree(roots: Iterable[Requirement]) -> set[str]:
    """The names of all that is installed for ``roots``, as far as it is installed here."""
    seen: set[tuple[str, str]] = set()
    todo = list(roots)
    while todo:
        requirement = todo.pop()
        for extra in ("", *requirement.extras):
            key = (canonicalize_name(requirement.name), extra)
            if key not in seen:
                seen.add(key)
                todo += _requirements(*key)
    return {name for name, _ in seen}


def _requirements(name: str, extra: str) -> list[Requirement]:
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []
    requirements = [Requirement(line) for line in lines]
    return [r for r in requirements if r.marker is None or r.marker.evaluate({"extra": extra})]


def strangers(owners: Mapping[str, Iterable[str]]) -> list[str]:
    """What is wrong: other distributions that hold one of our import names."""
    return [
        f"'{name}' is also installed by {other}: pip uninstall {other}, or use another environment"
        for name in tree.SHIPPED
        for other in sorted({canonicalize_name(o) for o in owners.get(name, ())} - {"strad"})
    ]


def test_the_named_stack_is_declared() -> None:
    everything = declared(*tree.PROJECT["optional-dependencies"])
    missing = sorted(NAMED - {canonicalize_name(requirement.name) for requirement in everything})
    assert not missing, tree.listed(missing)


def test_every_package_is_shipped_typed_and_under_the_contracts() -> None:
    folders = {path.parent.name for path in tree.ROOT.glob("*/__init__.py")} - {"tests"}
    tools = tree.PYPROJECT["tool"]
    assert folders == set(tree.SHIPPED)
    assert set(tools["mypy"]["packages"]) == set(tree.SHIPPED)
    assert set(tools["importlinter"]["root_packages"]) == set(tree.SHIPPED)
    untyped = [name for name in tree.SHIPPED if not (tree.ROOT / name / "py.typed").is_file()]
    assert not untyped, tree.listed(untyped)


@pytest.mark.parametrize("extras", [(), ("serve",)], ids=["core", "serve"])
def test_no_gpu_stack_where_there_is_no_gpu(extras: tuple[str, ...]) -> None:
    assert [name for name in required_tree(declared(*extras)) if HEAVY.match(name)] == []


def test_the_core_holds_no_media_library() -> None:
    assert required_tree(declared()) & MEDIA == set()


def test_no_other_distribution_holds_our_names() -> None:
    """The price of plain top-level packages: docs/adr/0001-plain-top-level-packages.md."""
    assert strangers(metadata.packages_distributions()) == []


def test_a_stranger_is_named_in_one_line() -> None:
    owners = {"streaming": ["mosaicml-streaming"], "strad": ["strad"], "numpy": ["numpy"]}
    assert strangers(owners) == [
        "'streaming' is also installed by mosaicml-streaming: "
        "pip uninstall mosaicml-streaming, or use another environment"
    ]


@pytest.mark.parametrize("package", tree.SHIPPED)
def test_the_packages_imported_are_the_ones_here(package: str) -> None:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).parent == tree.ROOT / package

"""The rules of the house, as far as a machine can see them: who imports whom, sizes, names."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import tree

pytestmark = pytest.mark.arch

MAX_FILE, MAX_TEST_FILE, MAX_FUNCTION, MAX_METHODS = 400, 600, 40, 12

KINDS = {"unit", "media", "service", "golden", "arch", "eval", "models"}
"""Every test module says which of these it is."""

NAMELESS = {"utils.py", "common.py", "helpers.py", "base.py"}
"""Names that say nothing of what is inside."""

VIOLATIONS = {
    "upwards": ("strad/timeline.py", "import streaming.media", "Layers"),
    "neighbours": ("clients/python/push.py", "import streaming.media", "Layers"),
    "service-from-below": ("streaming/driver.py", "import service.app", "Layers"),
    "impure-session": ("streaming/session.py", "import asyncio", "pure files"),
    "media-in-window": ("streaming/window.py", "import av", "pure files"),
    "judge-knows-judged": ("strad_eval/__init__.py", "import streaming.media", "judge"),
    "cycle": ("strad/timeline.py", "import strad.cues", "cycles"),
}
"""Each: a file, an import it must not have, and a word of the contract that forbids it."""


def lint_imports(where: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the packages in ``where``."""
    command = "from importlinter.cli import lint_imports_command as lint; lint(['--no-cache'])"
    return subprocess.run(
        [sys.executable, "-c", command],
        cwd=where,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The shipped packages and their contracts, to be broken."""
    shutil.copy(tree.ROOT / "pyproject.toml", tmp_path)
    for path in tree.shipped():
        target = tmp_path / tree.name(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return tmp_path


def test_everyone_imports_whom_they_may() -> None:
    result = lint_imports(tree.ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("violation", VIOLATIONS)
def test_an_import_against_the_rule_is_caught(copy: Path, violation: str) -> None:
    file, line, contract = VIOLATIONS[violation]
    with (copy / file).open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    result = lint_imports(copy)
    assert result.returncode == 1, result.stdout + result.stderr
    broken = [line for line in result.stdout.splitlines() if line.endswith("BROKEN")]
    assert any(contract in line for line in broken), broken


def test_files_are_short() -> None:
    limits = [(path, MAX_FILE) for path in tree.shipped()]
    limits += [(path, MAX_TEST_FILE) for path in tree.python("tests", "benches")]
    long = [
        f"{tree.name(path)}: {lines} lines"
        for path, limit in limits
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > limit
    ]
    assert not long, tree.listed(long)


def test_functions_are_short() -> None:
    long = [
        f"{tree.name(path)}:{node.lineno} {node.name}: {lines} lines"
        for path in tree.python(*tree.OURS)
        for node in _functions(tree.parse(path))
        if (lines := _lines(node, "cli" in path.parts)) > MAX_FUNCTION
    ]
    assert not long, tree.listed(long)


def test_classes_do_not_do_everything() -> None:
    wide = [
        f"{tree.name(path)}:{node.lineno} {node.name}: {_methods(node)} methods"
        for path in tree.shipped()
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.ClassDef) and _methods(node) > MAX_METHODS
    ]
    assert not wide, tree.listed(wide)


def test_every_module_says_what_it_is() -> None:
    silent = [
        tree.name(path)
        for path in tree.python(*tree.OURS)
        if not ast.get_docstring(tree.parse(path))
    ]
    assert not silent, tree.listed(silent)


def test_what_is_not_installed_is_the_same_error_everywhere() -> None:
    """Scripts test the exit code: a missing package is no wrong input in one command alone."""
    other = [
        f"{tree.name(path)}:{node.lineno} {node.exc.func.id}"
        for path in tree.shipped()
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        if isinstance(node.exc.func, ast.Name) and "pip install" in ast.unparse(node.exc)
        if node.exc.func.id not in {"MissingModelError", "MissingJavaError"}
    ]
    assert not other, tree.listed(other)


def test_no_file_is_named_after_nothing() -> None:
    assert [tree.name(path) for path in tree.files() if path.name in NAMELESS] == []


def test_every_test_module_says_what_kind_it_is() -> None:
    kinds = {
        tree.name(path): sorted(_marks(tree.parse(path)) & KINDS)
        for path in tree.python("tests")
        if path.name.startswith("test_")
    }
    assert kinds
    assert {path: found for path, found in kinds.items() if len(found) != 1} == {}


def test_no_task_outlives_who_started_it() -> None:
    """A TaskGroup ends what it starts; ``asyncio.create_task`` does not."""
    loose = [
        f"{tree.name(path)}:{node.lineno}"
        for path in tree.python(*tree.OURS)
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in {"asyncio.create_task", "asyncio.ensure_future"}
    ]
    assert not loose, tree.listed(loose)


def test_no_error_is_caught_unnamed() -> None:
    broad = [
        f"{tree.name(path)}:{node.lineno}"
        for path in tree.python(*tree.OURS)
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.ExceptHandler) and _is_broad(node)
    ]
    assert not broad, tree.listed(broad)


def test_nothing_is_raised_inside_except_star() -> None:
    """Before Python 3.11.4 it would arrive wrapped in an ExceptionGroup, as nobody expects it.

    Write ``except BaseExceptionGroup``, take the error out, raise it: ``streaming.driver.drive``.
    """
    wrapped = [
        f"{tree.name(path)}:{inner.lineno}"
        for path in tree.python(*tree.OURS)
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.TryStar)
        for handler in node.handlers
        for inner in ast.walk(handler)
        if isinstance(inner, ast.Raise)
    ]
    assert not wrapped, tree.listed(wrapped)


def test_json_lines_are_cut_at_line_feeds_alone() -> None:
    """A string of JSON may hold U+2028 or U+0085 as they are: str.splitlines cuts it there."""
    cut = [
        f"{tree.name(path)}:{node.lineno}"
        for path in tree.shipped()
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("read", "each", "parse")
        and any("splitlines" in ast.unparse(argument) for argument in node.args)
    ]
    assert not cut, tree.listed(cut)


def test_no_browser_test_looks_only_once() -> None:
    """A page changes a moment after its cause: ``locator.wait_for(state=...)`` waits for it."""
    once = [
        f"{tree.name(path)}:{node.lineno}"
        for path in tree.python("tests")
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.Attribute) and node.attr in {"is_hidden", "is_visible"}
    ]
    assert not once, tree.listed(once)


def _functions(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef, is_cli: bool) -> int:
    """A command's signature is the table of its options, its docstring the help: not counted."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    first = body[0].lineno if is_cli and body else node.lineno
    return (node.end_lineno or first) - first + 1


def _methods(node: ast.ClassDef) -> int:
    return sum(isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) for child in node.body)


def _marks(module: ast.Module) -> set[str]:
    """The names X of ``pytest.mark.X`` in the module's ``pytestmark``."""
    return {
        part.attr
        for node in module.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
        for part in ast.walk(node.value)
        if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "pytest.mark"
    }


def _is_broad(handler: ast.ExceptHandler) -> bool:
    """Whether it catches everything. What is caught to clean up is raised again, by ``raise``."""
    if handler.type is None:
        return True
    names = {ast.unparse(part) for part in ast.walk(handler.type) if isinstance(part, ast.expr)}
    last = handler.body[-1]
    again = isinstance(last, ast.Raise) and last.exc is None
    return "Exception" in names or ("BaseException" in names and not again)

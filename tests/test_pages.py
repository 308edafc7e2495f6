"""The pages people read: every link leads somewhere, and nothing names the place they were made."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import tree

pytestmark = pytest.mark.arch

# Written so that no line here matches itself.
UNWANTED = {
    "a package registry's host": r"pypi\.org|pythonhosted\.org|npmjs\.(?:com|org)|crates\.io",
    "a mirror's host": r"(?:deb|security)\.debian\.org|proxy\.golang\.org|[a-z]\.artifactory\.",
    "a folder of one machine": r"/work/[ms]|/opt/(?:wheels|pypi)|/tmp/(?:brief|core)|/home/[a-z]",
    "an address in a private network": r"\b(?:10\.\d+|192\.168)\.\d+\.\d+\b(?!/)",
    "who wrote it": r"(?i)\bclau[d]e\b|\banthropi[c]\b(?!==)|\bco-authored-b[y]\b|issues sho[w]",
}

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def pages() -> list[Path]:
    return [path for path in tree.files() if path.suffix == ".md"]


@pytest.mark.parametrize("what", UNWANTED)
def test_nothing_names(what: str) -> None:
    pattern = re.compile(UNWANTED[what])
    found = [
        f"{tree.name(path)}:{number}: {line.strip()[:80]}"
        for path in tree.texts()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found, tree.listed(found)


def test_every_relative_link_leads_to_a_file() -> None:
    broken = [
        f"{tree.name(page)}: {target}"
        for page in pages()
        for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
        if "://" not in target and not target.startswith("#")
        if not (page.parent / target.partition("#")[0]).exists()
    ]
    assert not broken, tree.listed(broken)


def test_every_link_inside_a_page_leads_to_a_heading() -> None:
    broken = [
        f"{tree.name(page)}: #{anchor}"
        for page in pages()
        for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
        if "://" not in target and (anchor := target.partition("#")[2])
        if anchor not in _anchors(page.parent / target.partition("#")[0])
    ]
    assert not broken, tree.listed(broken)


def test_every_decision_is_in_the_index() -> None:
    decisions = tree.ROOT / "docs" / "adr"
    index = (decisions / "README.md").read_text(encoding="utf-8")
    records = sorted(path.name for path in decisions.glob("[0-9]*.md"))
    assert records
    assert [record for record in records if f"({record})" not in index] == []


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as forges make them. ``page`` may be its folder."""
    if page.is_dir():
        return set()
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}

"""The file in which a person decides on templates: CSV, a row each, read back into a bank.

Spreadsheets and screen readers take it as it is. Only ``keep`` must be filled in; every other
column may be mended in place.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from question_generation.cinepile.template import TEMPLATES, Template, TemplatesHeader
from question_generation.cinepile.templates.proposals import Proposal
from strad.errors import FormatError, InputError
from strad.text_file import read_text

COLUMNS = (
    "keep",
    "name",
    "category",
    "kind",
    "template",
    "prototype",
    "needs",
    "like",
    "likeness",
    "cluster",
    "size",
    "questions",
)
_OWN = ("name", "category", "kind", "template", "prototype", "needs")
_YES, _NO = frozenset(("yes", "y", "x", "1", "true")), frozenset(("no", "n", "0", "false", ""))


def review_text(proposals: Iterable[Proposal]) -> str:
    """The file, ``keep`` empty in each row. Cells that a spreadsheet would run are quoted."""
    out = io.StringIO()
    rows = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    rows.writeheader()
    for one in proposals:
        told = {
            **{name: str(getattr(one, name)) for name in _OWN},
            "like": one.like,
            "likeness": "" if one.likeness is None else f"{one.likeness:.3f}",
            "cluster": one.cluster,
            "size": str(one.size),
            "questions": " | ".join(one.shown),
        }
        rows.writerow({"keep": "", **{name: _safe(value) for name, value in told.items()}})
    return out.getvalue()


def kept(path: Path) -> list[Template]:
    """The templates with ``yes`` in ``keep``. Raises InputError, FormatError with the line."""
    found: list[Template] = []
    names: set[str] = set()
    for line, row in _rows(path):
        keep = (row["keep"] or "").strip().lower()
        if keep not in _YES | _NO:
            raise _wrong(path, line, f"keep is {keep!r}: write yes or no")
        if keep in _YES:
            template = _template(row, path, line)
            if template.name in names:
                raise _wrong(path, line, f"two templates are called {template.name!r}")
            names.add(template.name)
            found.append(template)
    if not found:
        raise InputError(f"{path}: no row has yes in its column keep")
    return found


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """With the line that each ends in. A quote that nothing closes would take the rest with it."""
    rows = csv.DictReader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        lacking = [name for name in ("keep", *_OWN) if name not in (rows.fieldnames or ())]
        if lacking:
            raise InputError(f"{path}: no column {lacking[0]!r}: is it a review file of templates?")
        for row in rows:
            yield rows.line_num, row
    except csv.Error as error:
        raise _wrong(path, rows.line_num, f"not CSV: {error}") from None


def bank_text(templates: Iterable[Template]) -> str:
    """A bank, as ``strad-qa run cinepile --templates`` reads it."""
    return TEMPLATES.write(templates, TemplatesHeader(strad="templates", version=1))


def _template(row: dict[str, str], path: Path, line: int) -> Template:
    told = {name: _unsafe(row[name] or "").strip() for name in _OWN}
    try:
        return Template.model_validate({**told, "kind": told["kind"] or "reasoning"}, strict=False)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(str(part) for part in problem["loc"])
    raise _wrong(path, line, f"{where}: {problem['msg']}")


def _wrong(path: Path, line: int, what: str) -> FormatError:
    return FormatError(what, file=str(path), line=line)


def _safe(value: str) -> str:
    return f"'{value}" if value[:1] in ("=", "+", "-", "@") else value


def _unsafe(value: str) -> str:
    return value[1:] if value[:1] == "'" and value[1:2] in ("=", "+", "-", "@") else value

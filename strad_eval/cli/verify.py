"""``strad-eval verify``: score a bundle again and say whether its report is true."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from strad.counted import counted
from strad.errors import FormatError, InputError, WorkError
from strad_eval.archive import EFFICIENCY, PREDICTIONS, REFERENCES, unpack
from strad_eval.readings import from_dict
from strad_eval.reports.document import Document, load
from strad_eval.scoring import Choice, Files, score_files

TOLERANCE = 1e-9
CHECKED = (
    "strad_score",
    "protocol",
    "describer",
    "draft",
    "counts",
    "doubts",
    "units",
    "matched",
)
"""What else is compared. Versions may differ; readings are what it is scored with."""


class UntrueReportError(WorkError):
    """A bundle's report is not what its files give."""

    code = "untrue-report"


def verify(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE.zip", help="What bundle wrote.")],
    refs: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The references, where they are not in it.")
    ] = None,
) -> None:
    """Score BUNDLE.zip again with its own readings, and compare every figure with its report."""
    with tempfile.TemporaryDirectory() as folder:
        members = unpack(bundle, Path(folder))
        if "report" not in members or PREDICTIONS not in members:
            raise FormatError("no report or no predictions in it", file=str(bundle))
        told = load(members["report"])
        references = refs or members.get(REFERENCES)
        if references is None:
            raise InputError("the references are not in the bundle: give them with --refs")
        files = Files(references, members[PREDICTIONS], members.get(EFFICIENCY))
        found = _score(files, told)
    differing = _differences(told, found)
    if differing:
        raise UntrueReportError(f"{bundle}: the report is not what its files give: {differing}")
    Console().print(
        f"{bundle}: all of {counted(len(told['figures']), 'figure')} hold", markup=False
    )


def _score(files: Files, told: Document) -> Document:
    chosen = told["readings"]
    from_dict(chosen)
    changes = tuple(
        f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in chosen.items()
    )
    return score_files(files, Choice("strad", changes))[1]


def _differences(told: Document, found: Document) -> str:
    """What differs, in words; empty where nothing does."""
    return "; ".join(_other_files(told, found) or _unlike(told, found))


def _other_files(told: Document, found: Document) -> list[str]:
    unlike = []
    for name in {**told["inputs"], **found["inputs"]}:
        ours, theirs = found["inputs"].get(name), told["inputs"].get(name)
        if ours is None or theirs is None:
            unlike.append(f"{name} in the report only" if ours is None else f"{name} not in it")
        elif ours["sha256"] != theirs["sha256"]:
            unlike.append(f"other {name} ({ours['file']} is not {theirs['file']} as it was)")
    return unlike


def _unlike(told: Document, found: Document) -> list[str]:
    unlike = []
    for name in {**told["figures"], **found["figures"]}:
        figure, again = told["figures"].get(name), found["figures"].get(name)
        if again is None:
            unlike.append(f"{name} can't be scored here")
        elif figure is None:
            unlike.append(f"{name} is left out")
        elif not _same(figure["value"], again["value"]):
            unlike.append(f"{name} is {again['value']}, not {figure['value']}")
        elif not _same(figure, again):
            unlike.append(f"{name} differs in its parts")
    if unlike:
        return unlike
    return [f"other {name}" for name in CHECKED if not _same(told.get(name), found.get(name))]


def _same(a: object, b: object) -> bool:
    """Whether two documents say the same, numbers to the tolerance."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, int | float) and isinstance(b, int | float):
        return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return a == b

"""``strad-eval verify``: score a bundle again and say whether its report is true."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from strad.errors import FormatError, InputError, WorkError
from strad_eval.archive import EFFICIENCY, PREDICTIONS, REFERENCES, unpack
from strad_eval.readings import from_dict
from strad_eval.reports.document import Document, load
from strad_eval.scoring import Choice, Files, score_files

TOLERANCE = 1e-9


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
    Console().print(f"{bundle}: all {len(told['figures'])} figures hold", markup=False)


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
    ours, theirs = found["inputs"]["references"], told["inputs"]["references"]
    if ours["sha256"] != theirs["sha256"]:
        return f"other references ({ours['file']} is not {theirs['file']} as it was)"
    unlike = []
    for name, figure in told["figures"].items():
        again = found["figures"].get(name)
        if again is None:
            unlike.append(f"{name} can't be scored here")
        elif not _close(figure["value"], again["value"]):
            unlike.append(f"{name} is {again['value']}, not {figure['value']}")
    if told["strad_score"] != found["strad_score"]:
        unlike.append("whether it is a StrAD score")
    return "; ".join(unlike)


def _close(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)

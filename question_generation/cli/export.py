"""``strad-qa export``: a run's items as files that others read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from question_generation.dataset_card import dataset_card
from question_generation.exported import FORMS, Row, Scenes, require_arrow, write_parquet
from question_generation.item import Item
from question_generation.quality_report import report_on
from question_generation.review.reviews import REVIEWS, reviewed, reviews_in
from question_generation.run_folder import RunFolder
from strad.counted import counted
from strad.errors import InputError, WorkError
from strad.text_file import refuse_folder, refuse_output, staged, write_text

QUESTIONS, JSON = "questions.jsonl", "jointavbench.json"


def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A run's.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A folder for the files.")],
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--form",
            help=f"questions (JSONL), or Parquet: {', '.join(FORMS)}; repeatable. By default"
            " questions, instructions, and the run's own.",
        ),
    ] = None,
    split: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only items of this split.")
    ] = None,
    unreviewed: Annotated[
        bool, typer.Option("--unreviewed", help="As the run made them, whatever reviewers said.")
    ] = False,
    name: Annotated[str, typer.Option(help="On the card.")] = "Questions about films",
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Write a run's items: questions.jsonl for strad-eval mcq, Parquet in the papers' columns.

    What reviewers rejected is left out, what they mended is as they mended it. README.md is the
    data set's card.
    """
    run = RunFolder(folder)
    run.counts()
    way = str(run.about()["pipeline"]).split()[0]
    wanted = form or ["questions", "instructions", *([way] if way in FORMS else [])]
    for one in wanted:
        if one != "questions" and one not in FORMS:
            raise InputError(f"--form {one}: choose from questions, {', '.join(FORMS)}")
    if set(wanted) != {"questions"}:
        require_arrow()
    card = out / "README.md"
    _refuse(out, [card, *(out / one for form in wanted for one in _files(form))], force=force)
    kept = _Kept(run, split, unreviewed=unreviewed)
    console = Console()
    columns: Mapping[str, str] = {}
    for one in wanted:
        if one == "questions":
            many = _questions(out / QUESTIONS, kept, force=force)
        else:
            columns, many = FORMS[one][0], _parquet(one, out, kept)
        console.print(f"{out / _file(one)}: {counted(many, 'item')}", markup=False, highlight=False)
    write_text(card, dataset_card(report_on(run), columns, name), overwrite=True)


def _refuse(out: Path, files: Sequence[Path], *, force: bool) -> None:
    """Raise InputError where a file can't be written; the folder is there after that."""
    refuse_folder(out)
    out.mkdir(parents=True, exist_ok=True)
    for path in files:
        refuse_output(path, overwrite=force, option="--force")


class _Kept:
    """The items to be written, gone through once for each form."""

    def __init__(self, run: RunFolder, split: str | None, *, unreviewed: bool) -> None:
        self.run, self._split = run, split
        path = run.folder / REVIEWS
        self._reviews = reviews_in(path) if path.exists() and not unreviewed else []

    def __iter__(self) -> Iterator[Item]:
        for item in reviewed(self.run.items(), self._reviews):
            if self._split is None or item.split == self._split:
                yield item


def _file(form: str) -> str:
    return QUESTIONS if form == "questions" else f"{form}.parquet"


def _files(form: str) -> tuple[str, ...]:
    return (_file(form), JSON) if form == "jointav" else (_file(form),)


def _questions(path: Path, items: _Kept, *, force: bool) -> int:
    many = 0
    with staged(path, overwrite=force) as file:
        for item in items:
            file.write(f"{item.question_of().line()}\n")
            many += 1
    return many


def _parquet(form: str, out: Path, items: _Kept) -> int:
    columns, row = FORMS[form]
    scenes = Scenes.of(items.run.scenes_file)
    draft = out / f".{form}.part"
    rows: Iterator[Row] = (row(item, scenes) for item in items)
    try:
        many = write_parquet(draft, columns, rows)
        draft.replace(out / f"{form}.parquet")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise WorkError(f"{out / _file(form)}: can't be written: {why}") from None
    finally:
        draft.unlink(missing_ok=True)
    if form == "jointav":
        _json(out / JSON, [row(item, scenes) for item in items])
    return many


def _json(path: Path, rows: list[dict[str, Any]]) -> None:
    write_text(path, json.dumps(rows, indent=1, ensure_ascii=False), overwrite=True)

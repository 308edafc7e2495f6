"""``strad-eval study`` and ``correlate``: let people rate descriptions, and metrics by them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from strad.errors import InputError
from strad.text_file import refuse_folder, refuse_output, write_text
from strad_eval.cli.options import Force
from strad_eval.inputs.content import Options
from strad_eval.inputs.formats import read_any
from strad_eval.material import Predictions, Programme, bring_together
from strad_eval.readings import readings
from strad_eval.reports.document import dump
from strad_eval.reports.sheet import markdown_sheet, print_sheet
from strad_eval.study.analysis import analyse, analysis_sheet
from strad_eval.study.media import media_files
from strad_eval.study.plan import REFERENCE, Excerpt, Study, excerpts_of, read_study
from strad_eval.study.points import metric_values, opinions, read_scores, write_scores
from strad_eval.study.rated import read_rated
from strad_eval.study.ratings import RatingsFile, RatingsHeader
from strad_eval.study.server import Sitting, StudyServer

STUDY, RATINGS = "study.json", "ratings.jsonl"
TITLE = "What do you think of these audio descriptions?"


def study(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The study's: made, or gone on with.")
    ],
    refs: Annotated[
        Path | None, typer.Option(metavar="FILE", help="To make one: the references.")
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=PREDS", help="To make one: predictions; repeatable."),
    ] = None,
    with_reference: Annotated[
        bool, typer.Option("--with-reference", help="Have the references rated, too.")
    ] = False,
    name: Annotated[str, typer.Option(help="What participants see as its title.")] = TITLE,
    excerpts: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 12,
    length: Annotated[float, typer.Option(min=5, max=3600, help="Of each, in seconds.")] = 60.0,
    seed: Annotated[int, typer.Option(help="Of all that is drawn.")] = 0,
    media: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Each video's file, to be played.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8717,
    serve: Annotated[bool, typer.Option("--serve/--no-serve", help="Open the page.")] = True,
) -> None:
    """Make a listening study, and serve its page on this computer until Ctrl-C.

    People rate each system's descriptions in context, and choose between two. Change study.json
    (consent, scales, kinds) before the first of them begins. Answers are in ratings.jsonl.
    """
    plan = folder / STUDY
    if plan.exists() and (refs is not None or system):
        raise InputError(f"{plan} exists already: leave --refs and --system out to go on with it")
    if not plan.exists():
        if refs is None or not system:
            raise InputError(f"no {plan}: to make a study, give --refs and --system NAME=PREDS")
        refuse_folder(folder)
        media_files(media, [])
        named = _named(system, with_reference)
        chosen = _systems(refs, named, with_reference)
        drawn = excerpts_of(dict(chosen), length=length, count=excerpts, seed=seed)
        made = _make(name, drawn, len(chosen), seed)
        folder.mkdir(parents=True, exist_ok=True)
        write_text(plan, made.model_dump_json(indent=1, exclude_none=True) + "\n")
    found = read_study(plan)
    videos = list(dict.fromkeys(excerpt.video for excerpt in found.excerpts))
    header = RatingsHeader(strad="ratings", version=1, study=found.name, seed=found.seed)
    sitting = Sitting(found, RatingsFile(folder / RATINGS, header), media_files(media, videos))
    if serve:
        _serve(sitting, port)


def correlate(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The study's.")],
    scores: Annotated[
        Path | None,
        typer.Option(metavar="CSV", help="Other metrics: system,excerpt and a column each."),
    ] = None,
    samples: Annotated[int, typer.Option(min=100, max=100_000, help="Bootstrap samples.")] = 1000,
    seed: Annotated[int, typer.Option(help="Of the draws.")] = 0,
    json_to: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write it as JSON.")
    ] = None,
    markdown_to: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write it as Markdown.")
    ] = None,
    csv_to: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write each excerpt's metrics.")
    ] = None,
    force: Force = False,
) -> None:
    """Hold each metric against people's ratings: Pearson, Spearman, Kendall; choices of A or B.

    Metrics are computed on each excerpt alone, by system. Intervals are bootstrapped over excerpts.
    """
    for path in (json_to, markdown_to, csv_to):
        if path is not None:
            refuse_output(path, overwrite=force, option="--force")
    found = read_study(folder / STUDY)
    said = opinions(read_rated(folder / RATINGS, found))
    if not said.ratings and not said.choices:
        raise InputError(f"{folder / RATINGS}: no ratings of this study's excerpts yet")
    values, missing = metric_values(found)
    if scores is not None:
        values |= read_scores(scores, found)
    document = analyse(found, said, values, samples=samples, seed=seed)
    document["not_scored"] = missing
    sheet = analysis_sheet(document)
    sheet.odd += missing
    if json_to is not None:
        write_text(json_to, dump(document), overwrite=force)
    if markdown_to is not None:
        write_text(markdown_to, markdown_sheet(sheet), overwrite=force)
    if csv_to is not None:
        write_scores(csv_to, values)
    print_sheet(sheet, Console())


def _named(given: list[str], with_reference: bool) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for one in given:
        name, equals, path = one.partition("=")
        if not equals or not name or name in found or (with_reference and name == REFERENCE):
            raise InputError(f"--system {one}: want NAME=PREDS, each name once")
        found[name] = Path(path)
    return found


def _systems(
    refs: Path, named: dict[str, Path], with_reference: bool
) -> dict[str, tuple[Programme, ...]]:
    """Each system's programmes: the same videos, in the same order."""
    references = read_any(refs, Options())
    if references.manifest is None:
        raise InputError(f"{refs}: it holds no reference descriptions")
    found: dict[str, tuple[Programme, ...]] = {}
    for name, path in named.items():
        given = read_any(path, Options())
        listed = Predictions(given.header, tuple(given.predictions or ()), str(path))
        found[name] = bring_together(references.manifest, listed, readings()).programmes
    if with_reference:
        first = next(iter(found.values()))
        found[REFERENCE] = tuple(_of_reference(programme) for programme in first)
    return found


def _of_reference(programme: Programme) -> Programme:
    return Programme(
        programme.id,
        programme.duration,
        programme.genre,
        programme.references,
        programme.references,
        True,
        programme.lines,
    )


def _make(name: str, drawn: tuple[Excerpt, ...], systems: int, seed: int) -> Study:
    kinds = ("scales", "ab") if systems > 1 else ("scales",)
    fields = {"name": name, "seed": seed, "kinds": kinds, "excerpts": drawn}
    return Study.model_validate({"strad": "study", "version": 1, **fields})


def _serve(sitting: Sitting, port: int) -> None:
    with StudyServer(sitting, port) as server:
        console = Console(stderr=True)
        console.print(f"The study is at {server.url} until Ctrl-C.", markup=False)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            console.print("Ended. Answers are kept.", markup=False)

"""``strad-train export``: a run's best weights as a folder that serves."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from strad.errors import InputError, MissingModelError
from training.dataset import VALIDATION, Dataset
from training.exporting.form import Form, Wanted
from training.exporting.trained_run import TrainedRun, trained_run

_NEEDS = ("torch", "transformers", "peft")


def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A folder that fit has written.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder for what serves.")],
    form: Annotated[
        Form,
        typer.Option(help="merged: one checkpoint. adapter: the base with its projections, LoRA."),
    ] = Form.MERGED,
    data: Annotated[
        Path | None,
        typer.Option(help="The examples it was trained on, where they lie elsewhere now."),
    ] = None,
    differ: Annotated[
        int, typer.Option(min=0, help="Windows of the check that may be answered otherwise.")
    ] = 0,
    scores: Annotated[
        Path | None, typer.Option(help="A report of strad-eval stream --json, for the card.")
    ] = None,
    licence: Annotated[str, typer.Option(help="Of the weights, for the card.")] = "",
    name: Annotated[str, typer.Option(help="On the card.", show_default="OUT's")] = "",
    release: Annotated[
        bool, typer.Option("--release", help="A person stands by it: its output is no draft.")
    ] = False,
) -> None:
    """Write the run's best weights to OUT, with all that loads them, how to ask them, and a card.

    It appears only if it answers 20 windows of the validation split by the same tokens as what was
    trained. Serve it with vLLM, or with --engine transformers.

    For example:

      strad-train export run model

      strad-train export run model --form adapter --scores val.json --licence apache-2.0
    """
    from training.exporting.card_facts import card_facts, report_of
    from training.exporting.model_card import model_card

    found = trained_run(run)
    examples = _examples(found, data)
    report = report_of(scores) if scores is not None else None
    _must_have()
    from training.exporting.exported import export as exported
    from training.exporting.exported import must_be_new
    from training.exporting.parity import Parity

    must_be_new(out)
    wanted = Wanted(form, differ, release)
    console = Console(stderr=True)

    def card(parity: Parity) -> str:
        told = {"name": name or out.name, "licence": licence, "report": report}
        return model_card(card_facts(found, examples, wanted, parity, **told))  # type: ignore[arg-type]

    def say(line: str) -> None:
        console.print(line, markup=False, highlight=False)

    parity = asyncio.run(exported(found, out, wanted, examples.split(VALIDATION), card, say))
    say(f"{out}: {parity.same} of {parity.windows} windows answered as by what was trained")


def _examples(run: TrainedRun, given: Path | None) -> Dataset:
    if given is None and not run.data:
        raise InputError(f"{run.folder} does not say where its examples lie: give --data")
    found = Dataset.open(given or Path(run.data))
    if run.data_sha256 and found.digest != run.data_sha256:
        raise InputError(
            f"{found.folder} does not hold the examples that {run.folder} was trained on: give "
            "--data"
        )
    return found


def _must_have() -> None:
    missing = [module for module in _NEEDS if find_spec(module) is None]
    if missing:
        raise MissingModelError(
            f"strad-train export needs {' and '.join(missing)}: pip install 'strad[train]'"
        )

"""What a data set holds, as a table, and in one line what was passed over."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from strad.counted import counted
from training.dataset import SPLITS, Dataset
from training.example import Kind, Why

WAITS = {Why.DIALOGUE, Why.NO_AD, Why.MOSTLY_OUTSIDE}


def print_summary(dataset: Dataset, console: Console, *, before: bool) -> None:
    """The table goes to standard output, the rest to ``console``."""
    table = Table("split", "films", "examples", *(kind.value for kind in Kind), box=None)
    for split in SPLITS:
        found = dataset.about["counts"][split]
        kinds = (
            f"{found['kinds'][kind.value]} ({found['shares'][kind.value]:.1%})" for kind in Kind
        )
        table.add_row(split, str(found["films"]), str(found["examples"]), *kinds)
    Console().print(table)
    for split in SPLITS:
        Console().print(_films(dataset, split), highlight=False)
    if before:
        say = f"{dataset.folder}: was finished already; nothing was done"
        console.print(say, markup=False, highlight=False, soft_wrap=True)
    skipped = dataset.about["skipped_counts"]
    if skipped:
        told = ", ".join(f"{count} {fault}" for fault, count in skipped.items())
        line = f"passed over {sum(skipped.values())}: {told}; listed in dataset.json"
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _films(dataset: Dataset, split: str) -> str:
    """What the films hold, and why windows wait."""
    films, why = dataset.about["films"][split], dataset.about["counts"][split]["why"]
    waits = ", ".join(f"{count} {name}" for name, count in why.items() if name in WAITS)
    told = (
        f" {split}: {films['hours']:.2f} h, {counted(films['descriptions'], 'description')} of"
        f" {films['seconds_mean']:.1f} s and {films['words_mean']:.1f} words;"
        f" {films['described_share']:.0%} of the time described, {films['spoken_share']:.0%} spoken"
    )
    return f"{told}; waits: {waits}" if waits else told

"""Counts and costs as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from question_generation.estimate import Estimate
from question_generation.run import Run
from question_generation.spending import Spent
from question_generation.step_files import Counts
from strad.counted import counted


def tokens_text(spent: Spent) -> str:
    """Prompts' and answers' together; a question mark where some engine does not tell."""
    told = [(used.prompt_tokens, used.completion_tokens) for used in spent.by_model.values()]
    known = sum((prompt or 0) + (completion or 0) for prompt, completion in told)
    unknown = any(None in pair for pair in told)
    return f"{known:,} tokens{'?' if unknown else ''}"


def cost_text(spent: Spent) -> str:
    """All models' together; empty without prices."""
    costs = [used.cost for used in spent.by_model.values() if used.cost is not None]
    return f"cost {sum(costs):,.4f}" if costs else ""


def print_counts(run: Run, counts: Sequence[Counts], console: Console) -> None:
    """A line a step: what came, went on, was dropped and why."""
    table = Table("step", "in", "out", "dropped", "failed", "tokens", "cost", "why", box=None)
    for files, one in zip(run.files(), counts, strict=True):
        why = ", ".join(f"{reason} {many}" for reason, many in one.dropped.most_common(3))
        bad = ", ".join(f"{reason} {many}" for reason, many in one.failed.most_common(2))
        less = ", ".join(f"went on though {r} {many}" for r, many in one.noted.most_common(2))
        table.add_row(
            files.name,
            f"{one.came:,}",
            f"{one.out:,}",
            f"{one.dropped.total():,}",
            f"{one.failed.total():,}",
            tokens_text(one.spent) if one.spent.by_model else "",
            cost_text(one.spent).removeprefix("cost "),
            "; ".join(part for part in (why, bad, less) if part),
        )
    console.print(table)
    console.print(f"Items: {run.files()[-1].records}", markup=False, highlight=False)
    if not counts[-1].out:
        said = f"warning: nothing came out of it: {_where_it_ended(run, counts)}"
        Console(stderr=True).print(said, markup=False, highlight=False, soft_wrap=True)


def _where_it_ended(run: Run, counts: Sequence[Counts]) -> str:
    """The first step that nothing came out of, and the most frequent reasons there."""
    files, one = next(pair for pair in zip(run.files(), counts, strict=True) if not pair[1].out)
    why = (one.failed + one.dropped).most_common(3)
    told = ", ".join(f"{reason} {many}" for reason, many in why) or "no more records"
    return f"{files.name} ended all ({told}); each record's reason is in {files.dropped}"


def print_estimate(found: Estimate, console: Console) -> None:
    """What a run would ask for."""
    table = Table("step", "records", "requests", "prompt tokens", "answer tokens", "cost", box=None)
    for step in found.steps:
        table.add_row(
            step.name,
            f"{step.records:,.0f}",
            f"{step.requests:,.0f}",
            f"{step.prompt_tokens:,.0f}",
            f"{step.completion_tokens:,.0f}",
            "" if step.cost is None else f"{step.cost:,.2f}",
        )
    console.print(table)
    total = found.cost
    cost = "give --price to see a cost" if total is None else f"about {total:,.2f}"
    console.print(
        f"{counted(found.scenes, 'scene')}, {found.basis}: {cost}", markup=False, highlight=False
    )

"""What of the context fits the model: trimmed from the old end, on a fixed grid. Pure.

The context begins at a multiple of ``CELL``, not at the cursor minus 120 s: its first line stays
the same for as long as that cell lasts, and whoever remembers a prompt's beginning can use it
again. A token budget moves the beginning on by whole cells; only where the newest cell alone is too
much do single elements go. No element is ever cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from strad.timeline import Ms
from streaming.prompt.elements import CELL, Element

Count: TypeAlias = Callable[[str], int]
"""How many tokens a text is."""


@dataclass(frozen=True, slots=True)
class Trimmed:
    """What is left, and what is not."""

    anchor: Ms
    """Where it begins: 0 s of the times of what was said earlier."""
    elements: tuple[Element, ...]
    left_out: int
    """Elements that the budget, not the age, has cost."""
    cost: int
    """Tokens of what is left."""


def trim(
    elements: Sequence[Element], cost: Callable[[Element], int], *, oldest: Ms, budget: int
) -> Trimmed:
    """The elements from the first cell at or after ``oldest`` on, as far as ``budget`` goes.

    ``cost`` must not depend on where an element ends up in the prompt, so that what is left only
    shrinks from the old end as new elements come.
    """
    anchor = max(0, -(-oldest // CELL) * CELL)
    kept = [element for element in elements if element.when.start >= anchor]
    costs = [cost(element) for element in kept]
    total, drop = sum(costs), 0
    while drop < len(kept) and total > budget:
        total -= costs[drop]
        drop += 1
    if drop == 0:
        return Trimmed(anchor, tuple(kept), 0, total)
    anchor, drop = _on_the_grid(kept, drop, anchor)
    return Trimmed(anchor, tuple(kept[drop:]), drop, sum(costs[drop:]))


def _on_the_grid(kept: list[Element], drop: int, anchor: Ms) -> tuple[Ms, int]:
    """Drop the rest of the cell that the budget ends in, unless it is the newest there is."""
    if drop == len(kept):
        return anchor, drop
    cell, newest = kept[drop - 1].when.start // CELL, kept[-1].when.start // CELL
    if cell < newest:
        while kept[drop].when.start // CELL == cell:
            drop += 1
        return (cell + 1) * CELL, drop
    return cell * CELL, drop

"""A stage that looks at drafts one by one; those that it isn't about go on as they are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from question_generation.drop import Drop
from question_generation.jointav.draft import Draft
from question_generation.jointav.tasks import tasks
from question_generation.stage import Desk

JUDGE = "judge"
"""The model that judges questions; the paper has another one than the writer's."""

Look: TypeAlias = Callable[[Draft, Desk], Awaitable[Draft | Drop]]
"""What becomes of a draft."""


@dataclass(frozen=True, slots=True)
class Check:
    """One look at each draft that it is about."""

    name: str
    look: Look
    about: frozenset[str] = frozenset()
    """The tasks; none: all."""
    roles: tuple[str, ...] = (JUDGE,)
    version: str = "1"
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def reads(self) -> type[Draft]:
        return Draft

    @property
    def writes(self) -> type[Draft]:
        return Draft

    def is_about(self, draft: Draft) -> bool:
        return not self.about or draft.task in self.about

    async def work(self, record: Draft, desk: Desk) -> Sequence[Draft] | Drop:
        looked = await self.of(record, desk)
        return looked if isinstance(looked, Drop) else [looked]

    async def of(self, draft: Draft, desk: Desk) -> Draft | Drop:
        """What becomes of one draft."""
        return await self.look(draft, desk) if self.is_about(draft) else draft


def tasks_with(check: str) -> frozenset[str]:
    """The tasks that have this check."""
    return frozenset(code for code, task in tasks().items() if check in task.checks)

"""A run: every film looked at, planned, shown once; then the examples drawn together in shards.

A film's part is written whole or not at all, so a run that was killed goes on with the films that
are left, and another run over a finished folder changes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from strad.errors import InputError, cause_of
from strad.text_file import read_text, write_text
from strad.timeline import Ms
from streaming.characters.cast import Casting
from training.material import Material
from training.preparing.film import FilmMaker, Look, Part, look_at
from training.preparing.nothing import why_nothing
from training.preparing.ownership import make
from training.preparing.plan import FilmPlan, chosen, planned
from training.preparing.wishes import Wishes, digest, identity
from training.skipped import Fault, Skips
from training.splits import splits

Item = TypeVar("Item")

PARTS = "parts"
AFTER: Ms = 10_000
"""A film that doesn't say how long it is goes on for so long after its last description."""


class Watcher:
    """Told what happens. Does nothing by itself."""

    def begin(self, step: str, total: int) -> None:
        """A step over so many films begins."""

    def film(self, name: str, examples: int) -> None:
        """One of them is done."""


@dataclass(slots=True)
class Run:
    """Makes the parts of a data set."""

    folder: Path
    wishes: Wishes
    skips: Skips
    watcher: Watcher
    jobs: int
    casting: Casting | None = None
    parts: dict[str, Part] = field(default_factory=dict)
    """By the film's slug."""

    async def films(self, materials: Sequence[Material]) -> list[FilmPlan]:
        """All parts are there when this returns. Raises InputError where nothing can be made."""
        make(self.folder / PARTS)
        plans = await self._planned(materials)
        keys = chosen(plans, self.wishes.shares, self.wishes.manner.seed, self.wishes.budget)
        if not keys["train"]:
            raise InputError(why_nothing(plans, self.wishes.shares, self.skips.line()))
        wanted = [(plan, keys[plan.split] & {key for key, _ in plan.kinds()}) for plan in plans]
        wanted = [(plan, found) for plan, found in wanted if found]
        self.watcher.begin("examples", len(wanted))
        maker = FilmMaker(self.folder / PARTS, self.wishes.looks, self.wishes.sound, self.casting)
        await self._each(wanted, lambda one: self._part(maker, *one))
        return [plan for plan, _ in wanted]

    async def _planned(self, materials: Sequence[Material]) -> list[FilmPlan]:
        self.watcher.begin("films", len(materials))
        lengths: dict[str, Ms] = {}

        async def look(material: Material) -> None:
            seen = await self._look(material)
            self.skips.listed.extend(seen.skips)
            ends = [event.when.end for event in material.events]
            if not seen.skips:
                lengths[material.id] = seen.length or max(ends, default=0) + AFTER
            self.watcher.film(material.id, 0)

        await self._each(materials, look)
        usable = [material for material in materials if material.id in lengths]
        films = [(one.film, one.films) for one in usable]
        wishes = self.wishes
        where = splits(
            films, seed=wishes.manner.seed, validation=wishes.validation, share=wishes.share
        )
        return [self._plan(one, where[one.film], lengths[one.id]) for one in usable]

    async def _look(self, material: Material) -> Look:
        """A look that an earlier run has taken will do, while the file is the same."""
        record = self.folder / PARTS / f"{material.slug}.look.json"
        fingerprint = digest([identity(material), self.wishes.sound])
        kept = _kept(record, fingerprint, _LOOK)
        if kept is not None:
            return kept.look
        look = await look_at(material.media, material.id, sound=self.wishes.sound)
        text = _LOOK.dump_json(_KeptLook(fingerprint, look)).decode()
        write_text(record, text, overwrite=True)
        return look

    def _plan(self, material: Material, split: str, length: Ms) -> FilmPlan:
        plan = planned(material, split, length, self.wishes.manner)
        lost = len(material.segments) - len(plan.shots)
        if lost:
            why = f"{lost} descriptions after its end"
            self.skips.add(Fault.OUTSIDE_MEDIA, material.id, why)
        return plan

    async def _part(self, maker: FilmMaker, plan: FilmPlan, keys: set[str]) -> None:
        """Made, or there already."""
        slug = plan.material.slug
        parts = [identity(plan.material), plan.length, sorted(keys), self.wishes]
        fingerprint = digest(parts)
        record = self.folder / PARTS / f"{slug}.json"
        part = _kept(record, fingerprint, _PART)
        if part is None:
            part = await maker.part(plan, keys, fingerprint)
            write_text(record, _PART.dump_json(part).decode(), overwrite=True)
        self.parts[slug] = part
        self.watcher.film(plan.material.id, len(part.entries))

    async def _each(self, items: Iterable[Item], work: Callable[[Item], Awaitable[None]]) -> None:
        """Work on all of them, ``jobs`` at a time."""
        left = iter(items)

        async def worker() -> None:
            for item in left:
                await work(item)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.jobs):
                    group.create_task(worker())
        except BaseExceptionGroup as group:
            raise cause_of(group) from None


@dataclass(frozen=True, slots=True)
class _KeptLook:
    fingerprint: str
    look: Look


Kept = TypeVar("Kept", Part, _KeptLook)


def _kept(record: Path, fingerprint: str, form: TypeAdapter[Kept]) -> Kept | None:
    """What an earlier run has written down, if it would be the same."""
    if not record.is_file():
        return None
    try:
        found = form.validate_json(read_text(record))
    except ValidationError:
        return None
    return found if found.fingerprint == fingerprint else None


_PART: TypeAdapter[Part] = TypeAdapter(Part)
_LOOK: TypeAdapter[_KeptLook] = TypeAdapter(_KeptLook)

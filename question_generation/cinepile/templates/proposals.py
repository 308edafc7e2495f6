"""Four templates of each cluster, told by a model from some of its questions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from question_generation.ask import Ask
from question_generation.cinepile.category import Category
from question_generation.cinepile.template import Kind
from question_generation.cinepile.templates.clusters import Cluster
from question_generation.drop import Drop
from question_generation.options import same
from question_generation.prompt import prompt
from question_generation.provenance import Traced
from question_generation.stage import WRITER, Desk
from strad.questions import Filled
from strad.record import Record

PROMPT = "cinepile-templates.v1"
WANTED = 4
_SLOT = re.compile(r"\[([^\[\]]+)\]")
_CODES = tuple(Category)


class Told(Record):
    """One kind of question."""

    name: str
    """Two to four words."""
    category: str
    """CRD, NPA, STA, TEMP or TH."""
    template: str
    """The question with [slots] for what changes from film to film."""
    prototype: str
    """One question of this kind, slots filled."""
    needs: str = ""
    """What a scene must hold for it."""


class Templates(Record):
    """All of them."""

    templates: tuple[Told, ...]


class Proposal(Traced):
    """A template that waits for a person to look at it."""

    name: Filled
    category: Category
    kind: Kind = "reasoning"
    template: Filled
    prototype: Filled
    needs: str = ""
    cluster: str
    source: str
    size: int
    """Questions of the cluster."""
    shown: tuple[str, ...] = ()
    """Those that it was made from."""
    like: str = ""
    """The template of the bank, or of a proposal before it, that is nearest."""
    likeness: float | None = None
    """How near: 1 is the same."""


@dataclass(frozen=True, slots=True)
class Propose:
    """A cluster to its proposals."""

    wanted: int = WANTED
    name: str = "proposals"
    version: str = "1"
    roles: Sequence[str] = (WRITER,)
    reads: type[Cluster] = Cluster
    writes: type[Proposal] = Proposal

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"wanted": self.wanted}

    async def work(self, record: Cluster, desk: Desk) -> Sequence[Proposal] | Drop:
        """See ``Stage``."""
        blanks = {
            "questions": "\n".join(f"- {question}" for question in record.shown),
            "count": str(self.wanted),
        }
        ask = Ask(prompt(PROMPT), blanks, Templates, self._fault, max_tokens=1500)
        answered = await desk.ask(ask)
        if isinstance(answered, Drop):
            return answered
        told = answered.value.templates[: self.wanted]
        return [
            _proposal(record, at, one).traced(answered.made) for at, one in enumerate(told, start=1)
        ]

    def _fault(self, found: Templates) -> str:
        if len(found.templates) < self.wanted:
            return f"not {self.wanted} templates"
        if len({same(one.name) for one in found.templates}) < len(found.templates):
            return "two templates have the same name"
        return next((wrong for one in found.templates if (wrong := fault(one))), "")


def fault(told: Told) -> str:
    """What is wrong with one template, in a few words; empty: nothing."""
    if not same(told.name) or not same(told.template) or not same(told.prototype):
        return "a template without words"
    if told.category.strip().upper() not in _CODES:
        return "no such category"
    if not _SLOT.search(told.template) or "[" in _SLOT.sub("", told.template):
        return "a template without slots"
    if _SLOT.search(told.prototype) or not told.prototype.rstrip().endswith("?"):
        return "a prototype that is no question"
    return ""


def _proposal(cluster: Cluster, at: int, told: Told) -> Proposal:
    category = Category(told.category.strip().upper())
    return Proposal(
        id=f"{cluster.id}-{at}",
        name=_plain(told.name),
        category=category,
        kind="temporal" if category is Category.TEMP else "reasoning",
        template=_plain(told.template),
        prototype=_plain(told.prototype),
        needs=_plain(told.needs),
        cluster=cluster.id,
        source=cluster.source,
        size=cluster.size,
        shown=cluster.shown,
    )


def _plain(text: str) -> str:
    return " ".join(text.replace("*", " ").replace("`", " ").split())

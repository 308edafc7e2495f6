"""The five passes in order: each only where it isn't there yet, made from the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from strad.passes import (
    ENTITIES,
    GUESSES,
    LISTEN,
    LOOK,
    WHOLE,
    WRITE,
    AnyLine,
    PassFile,
    PassHeader,
    PassName,
    Spoken,
    Written,
)
from strad.run_lock import only_run
from strad.timeline import Ms, from_seconds, to_seconds
from streaming.tasks.document.folder import Finished, PassFolder, inputs_hash
from streaming.tasks.document.listening import listen
from streaming.tasks.document.looking import look
from streaming.tasks.document.naming import name
from streaming.tasks.document.prompts import prompt_hash
from streaming.tasks.document.who import givens
from streaming.tasks.document.whole import finish
from streaming.tasks.document.workshop import Workshop
from streaming.tasks.document.writing import write

FORMAT = 1
"""Of how passes are made: another one, and all are made again."""
ORDER: tuple[PassFile[Any], ...] = (LISTEN, LOOK, ENTITIES, WRITE, WHOLE)


@dataclass(slots=True)
class Outcome:
    """What came of a run."""

    spoken: list[Spoken] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    made: list[PassName] = field(default_factory=list)
    """Passes that were made in this run; the others were there."""
    corrected: list[PassName] = field(default_factory=list)
    """Passes that a person has corrected, and that were used as they are."""
    kept: list[Path] = field(default_factory=list)
    """Corrected passes that had to be made again: they lie here now."""


async def describe_document(
    shop: Workshop, folder: PassFolder, again: PassName | None = None
) -> Outcome:
    """Go through the passes. ``again``: make this one and all after it anew.

    Raises EngineError and MediaError (what is done stays), FormatError for a pass that a person
    has broken, WorkError where another run works in the folder.
    """
    run = _Run(shop, folder)
    folder.make()
    with only_run(folder.folder):
        if again is not None:
            for stage in ORDER[list(PassName).index(again) :]:
                run.retire(stage)
        return await run.passes()


class _Run:
    def __init__(self, shop: Workshop, folder: PassFolder) -> None:
        self._shop = shop
        self._folder = folder
        self._outcome = Outcome()

    async def passes(self) -> Outcome:
        """All five."""
        shop, folder = self._shop, self._folder
        heard = await self._pass(LISTEN, self._basis(ears=shop.ears_name), self._listen)
        end = from_seconds(heard.header.duration or 0)
        seen = await self._pass(
            LOOK,
            self._asked("look", heard=heard.hash),
            lambda inputs: look(shop, heard.lines, end, folder.unfinished(LOOK, inputs)),
        )
        who = await self._pass(
            ENTITIES,
            self._asked("entities", heard=heard.hash, seen=seen.hash),
            lambda inputs: name(shop, heard.lines, seen.lines, folder.unfinished(GUESSES, inputs)),
        )
        wrote = await self._pass(
            WRITE,
            self._asked("write", heard=heard.hash, seen=seen.hash, who=who.hash),
            lambda inputs: write(
                shop, heard.lines, end, seen.lines, who.lines, folder.unfinished(WRITE, inputs)
            ),
        )
        spoken = await self._pass(
            WHOLE,
            self._asked(
                "shorten", heard=heard.hash, seen=seen.hash, who=who.hash, wrote=wrote.hash
            ),
            lambda inputs: finish(
                shop,
                wrote.lines,
                who.lines,
                givens(heard.lines, seen.lines),
                end,
                folder.unfinished(WHOLE, inputs),
            ),
        )
        self._outcome.spoken, self._outcome.written = spoken.lines, wrote.lines
        return self._outcome

    def retire(self, stage: PassFile[Any]) -> None:
        """Take a pass out of the way, and tell where, if it had been corrected."""
        kept = self._folder.retire(stage)
        if kept is not None:
            self._outcome.kept.append(kept)

    async def _pass(
        self,
        stage: PassFile[AnyLine],
        basis: dict[str, Any],
        make: Callable[[str], Awaitable[list[AnyLine]]],
    ) -> Finished[AnyLine]:
        """The pass as it lies there, where it was made from the same; else made."""
        inputs = inputs_hash(basis)
        there = self._folder.finished(stage)
        if there is not None and there.header.inputs == inputs:
            if there.corrected:
                self._outcome.corrected.append(stage.name)
            return there
        if there is not None:
            self.retire(stage)
        self._outcome.made.append(stage.name)
        return self._finish(stage, inputs, await make(inputs))

    def _finish(
        self, stage: PassFile[AnyLine], inputs: str, lines: list[AnyLine]
    ) -> Finished[AnyLine]:
        header = PassHeader(strad="document-pass", version=1, stage=stage.name, inputs=inputs)
        if stage.name is PassName.LISTEN:
            header = header.model_copy(update={"duration": to_seconds(self._duration)})
        return self._folder.finish(stage, lines, header)

    _duration: Ms = 0

    async def _listen(self, inputs: str) -> list[Any]:
        del inputs
        lines, self._duration = await listen(self._shop)
        return lines

    def _basis(self, **more: str) -> dict[str, Any]:
        config = asdict(self._shop.config)
        return {"format": FORMAT, "media": self._shop.mark, "config": config, **more}

    def _asked(self, *prompts: str, **more: str) -> dict[str, Any]:
        model = self._shop.asker.engine.name
        return self._basis(model=model, prompts=" ".join(prompt_hash(*prompts)), **more)

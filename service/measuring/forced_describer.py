"""A describer whose model always describes: for weights that mean nothing, to know their speed."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from service.measuring.engine_log import EngineLog
from strad.decision import Decision, Describe
from strad.timeline import Interval, Ms
from streaming.describers.describer import Describer
from streaming.prompt.profile import Profile
from streaming.window import Window

LENGTH: Ms = 2_000
"""Of what is described, up to the cursor."""

SYLLABLES = ("ka", "lo", "mi", "tu", "re", "sa", "vi", "no")


@dataclass(slots=True)
class ForcedDescriber:
    """Tells the engine's log, before each window, the line that its answer counts as."""

    describer: Describer
    profile: Profile
    log: EngineLog
    _count: itertools.count[int] = field(default_factory=itertools.count)

    @property
    def name(self) -> str:
        return f"{self.describer.name} (forced)"

    @property
    def draft(self) -> bool:
        return True

    async def decide(self, window: Window) -> Decision:
        """See ``Describer``. What is said is new every time, and means nothing."""
        word = "".join(SYLLABLES[int(digit)] for digit in f"{next(self._count):05o}")
        when = Interval(max(window.when.start, window.when.end - LENGTH), window.when.end)
        said = Describe((f"A {word} walks to the {word} door.",), when)
        self.log.forced = self.profile.line(said, window)
        return await self.describer.decide(window)

    async def aclose(self) -> None:
        await self.describer.aclose()

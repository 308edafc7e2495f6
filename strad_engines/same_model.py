"""Whether a server that was away, and is back, serves what it served before.

A name says little: a server started again may give the same name to other weights.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from strad_engines.engine_errors import EngineRefusedError
from strad_engines.server_facts import ServerFacts
from strad_engines.server_talk import ServerTalk, member


@dataclass(frozen=True, slots=True)
class SameModel:
    """The model that was there at first, as the server's ``facts`` had it."""

    talk: ServerTalk
    model: str
    facts: ServerFacts

    async def check(self) -> None:
        """Raises EngineRefusedError where other weights have its name, or it isn't served.

        EngineBusyError where the server is out of reach or not ready yet. A server that tells no
        weights is believed.
        """
        now = await self._checkpoint()
        if now and self.facts.checkpoint and now != self.facts.checkpoint:
            raise EngineRefusedError(
                f"{self.talk.address.base_url} came back with other weights for {self.model!r}: "
                f"{now}, not {self.facts.checkpoint}"
            )

    async def _checkpoint(self) -> str | None:
        match self.facts.kind:
            case "vllm":
                return await self._listed()
            case "llama-server":
                props = await self.talk.told(f"{self.talk.address.root}/props")
                return member(props, "model_path", str)
            case "other":
                return None

    async def _listed(self) -> str | None:
        url = f"{self.talk.address.base_url}/models"
        status, data = await self.talk.ask(url)
        self.talk.must_be_fine(status, data, url)
        try:
            cards = {str(card["id"]): card for card in json.loads(data)["data"]}
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
        if self.model not in cards:
            served = ", ".join(sorted(cards)[:8]) or "nothing"
            raise EngineRefusedError(f"{url} lists no {self.model!r} any more; it serves: {served}")
        return member(cards[self.model], "root", str)

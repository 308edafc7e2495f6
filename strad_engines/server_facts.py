"""What a server said of itself and its model when it was asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from strad_engines.abilities import Abilities

ServerKind: TypeAlias = Literal["vllm", "llama-server", "other"]
"""What tells which members a request may have beyond OpenAI's own."""

UNKNOWN = Abilities(
    video=None, images=None, audio=None, regex=False, log_probabilities=None, schema=None
)
"""Of a server nobody asked: everything but what must be kept is tried."""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """One model of one server."""

    kind: ServerKind = "other"
    abilities: Abilities = UNKNOWN
    version: str = ""
    """The server's own; empty where it tells none."""
    checkpoint: str = ""
    """The folder or repository of the weights, as the server calls it; empty where unknown."""
    adapter_of: str = ""
    """The model whose adapter this is, loaded beside it; empty for a model of its own."""
    counts_tokens: bool = False
    """Whether it offers its tokenizer."""
    listed: bool = False
    """Whether the server said that it serves the model; if not, the first request will show."""

    def said(self, model: str) -> str:
        """One line for a person."""
        if self.kind == "other":
            return (
                f"{model} on a server that does not say what it takes: images and sound are tried"
            )
        server = f"{self.kind} {self.version}".strip()
        able = self.abilities
        takes = {"video": able.video, "images": able.images, "sound": able.audio}
        words = [word for word, can in takes.items() if can] or ["text"]
        limit = f", {able.context} tokens" if able.context else ""
        of = f", an adapter of {self.adapter_of}" if self.adapter_of else ""
        return f"{model}{of} on {server}: takes {' and '.join(words)}{limit}"

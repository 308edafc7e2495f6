"""An engine that is ready, and what one may want otherwise when it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from strad_engines.abilities import Abilities
from strad_engines.engine import ChatEngine
from strad_engines.server_facts import ServerKind
from strad_engines.token_counter import TokenCounter


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What one may want otherwise."""

    extra: Mapping[str, Any] = field(default_factory=dict)
    """HTTP: members of each request."""
    server: ServerKind | None = None
    """HTTP: what the server is, where it hides it."""
    patience_s: float = 20.0
    """HTTP: how long the server may take to say what it is."""
    known: Path | None = None
    """A file of ``known_answer``: the engine must give that answer before anything else is asked.
    Without one an adapter, loaded beside its base, is refused."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """In this process: handed to the engine as they are."""


@dataclass(frozen=True, slots=True)
class OpenedEngine:
    """An engine that is ready, and what is known of it."""

    engine: ChatEngine
    abilities: Abilities
    counter: TokenCounter | None = None
    said: tuple[str, ...] = ()
    """Lines for a person: what serves the model, how, and what is slow about it."""


Opened: TypeAlias = AbstractAsyncContextManager[OpenedEngine]

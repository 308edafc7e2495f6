"""The length of a prompt, counted by the server that will read it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from strad_engines.dialects import prompt_members
from strad_engines.engine_errors import EngineAnswerError, EngineSlowError
from strad_engines.messages import Message
from strad_engines.openai_wire import messages_json, shown
from strad_engines.server_facts import ServerFacts, ServerKind
from strad_engines.server_talk import ServerTalk


def counting_url(talk: ServerTalk, kind: ServerKind) -> str:
    """Where a server of this kind counts chat prompts."""
    if kind == "vllm":
        return f"{talk.address.root}/tokenize"
    return f"{talk.address.base_url}/chat/completions/input_tokens"


@dataclass(frozen=True, slots=True)
class ServerTokenCounter:
    """A ``TokenCounter`` behind HTTP. One request a count: for trimming, not for each word."""

    talk: ServerTalk
    model: str
    facts: ServerFacts
    extra: Mapping[str, Any] = field(default_factory=dict)
    """As the engine's; those members that change the template change the count."""

    async def count(self, messages: Sequence[Message], *, deadline_s: float) -> int:
        """See ``TokenCounter``. One try."""
        url = counting_url(self.talk, self.facts.kind)
        body = {
            "model": self.model,
            "messages": messages_json(messages),
            **prompt_members(messages, self.facts),
            **{k: v for k, v in self.extra.items() if k in _TEMPLATE},
        }
        try:
            async with asyncio.timeout(deadline_s):
                status, data = await self.talk.ask(url, body)
        except TimeoutError:
            raise EngineSlowError(f"{url}: no answer in {deadline_s:g} s") from None
        self.talk.must_be_fine(status, data, url)
        return _counted(url, data)


_TEMPLATE = ("chat_template", "chat_template_kwargs", "mm_processor_kwargs", "media_io_kwargs")


def _counted(url: str, data: bytes) -> int:
    try:
        told = json.loads(data)
        found = told["count"] if "count" in told else told["input_tokens"]
    except (ValueError, KeyError, TypeError, RecursionError):
        found = None
    if type(found) is not int or found < 0:
        raise EngineAnswerError(f"{url}: not a count of tokens: {shown(data)}")
    return found

"""A server is asked what it is before anything depends on it: who serves the model, and how able.

``/v1/models`` says whether the model is there and who owns it; vLLM then tells its version, health
and, by counting a prompt of each kind, what the model takes; llama-server tells its properties.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import wave
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from strad_engines.abilities import Abilities
from strad_engines.dialects import VLLM_FPS, VLLM_FRAMES
from strad_engines.engine_errors import EngineAnswerError, EngineRefusedError, EngineSlowError
from strad_engines.messages import Audio, Image, Message, Part, Text, Video
from strad_engines.openai_wire import messages_json, shown
from strad_engines.server_address import ServerAddress
from strad_engines.server_facts import UNKNOWN, ServerFacts, ServerKind
from strad_engines.server_talk import ServerTalk, member
from strad_engines.server_tokens import counting_url

PATIENCE_S = 20.0

_HELLO = Text("a")
_GREY = Image(
    b64decode(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI//////////////////////"
        "//////////////////////////////wAALCABAAEABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAA"
        "AAAAAAAAAAAD/2gAIAQEAAD8AAAAAAAAAAAAAAAAAAAAAAP/Z"
    )
)
"""64 by 64 pixels."""
PAIR = 2
"""Qwen's processor writes one time for so many frames."""
_FRAMES = Video((_GREY,) * 2 * PAIR)
_TIME = re.compile(r"<(\d+\.\d) seconds>")


async def ask_server(
    address: ServerAddress,
    model: str,
    *,
    kind: ServerKind | None = None,
    patience_s: float = PATIENCE_S,
) -> ServerFacts:
    """What the server says of itself and ``model``, all within ``patience_s`` seconds.

    ``kind`` for a server that hides what it is, behind a proxy say. Raises EngineRefusedError for a
    wrong key or a model that isn't served, EngineBusyError where it is out of reach, still loading
    or dead, EngineSlowError where it hangs, EngineAnswerError for what is no such server.
    """
    try:
        async with asyncio.timeout(patience_s), address.client() as client:
            inquiry = _Inquiry(ServerTalk(address, client), model)
            card = await inquiry.card()
            facts = ServerFacts(kind or _kind(card or {}), listed=card is not None)
            match facts.kind:
                case "vllm":
                    return await inquiry.vllm(facts, card or {})
                case "llama-server":
                    return await inquiry.llama_server(facts)
                case "other":
                    return replace(facts, abilities=replace(UNKNOWN, video=False))
    except TimeoutError:
        raise EngineSlowError(
            f"{address.base_url} was asked what it serves and did not answer in {patience_s:g} s"
        ) from None


@dataclass(frozen=True, slots=True)
class _Inquiry:
    talk: ServerTalk
    model: str

    async def card(self) -> dict[str, Any] | None:
        """The model's entry; None where the server lists nothing. Raises if it isn't served."""
        url = f"{self.talk.address.base_url}/models"
        status, data = await self.talk.ask(url)
        if status in (404, 405, 501):
            await self._must_be_a_server(url)
            return None
        self.talk.must_be_fine(status, data, url)
        try:
            cards = {str(card["id"]): dict(card) for card in json.loads(data)["data"]}
        except (ValueError, KeyError, TypeError, RecursionError):
            said = self.talk.address.without_key(shown(data))
            raise EngineAnswerError(f"{url} lists no models: {said}") from None
        if self.model not in cards:
            served = ", ".join(sorted(cards)[:8]) or "nothing"
            raise EngineRefusedError(f"{url} does not list {self.model!r}; it serves: {served}")
        return cards[self.model]

    async def vllm(self, facts: ServerFacts, card: Mapping[str, Any]) -> ServerFacts:
        """Its version and health, and what it makes a prompt of."""
        await self._must_be_healthy()
        version = await self.talk.told(f"{self.talk.address.root}/version")
        told = await self._takes(_FRAMES, {"video": {"fps": VLLM_FPS, "num_frames": -1}})
        fps, most = (None, None) if told else await self._reading()
        abilities = Abilities(
            video=told or await self._takes(_FRAMES),
            images=await self._takes(_GREY),
            audio=await self._takes(Audio(_silence())),
            regex=True,
            log_probabilities=True,
            context=member(card, "max_model_len", int),
            most_frames=most,
            video_fps=fps,
            schema=True,
        )
        return replace(
            facts,
            abilities=abilities,
            version=member(version, "version", str) or "",
            checkpoint=member(card, "root", str) or "",
            adapter_of=member(card, "parent", str) or "",
            counts_tokens=bool(await self._takes(_HELLO)),
        )

    async def llama_server(self, facts: ServerFacts) -> ServerFacts:
        """Its properties."""
        await self._must_be_healthy()
        props = await self.talk.told(f"{self.talk.address.root}/props")
        takes = member(props, "modalities", dict) or {}
        settings = member(props, "default_generation_settings", dict) or {}
        abilities = Abilities(
            video=False,
            images=member(takes, "vision", bool),
            audio=member(takes, "audio", bool),
            regex=True,
            log_probabilities=True,
            context=member(settings, "n_ctx", int),
            schema=True,
        )
        counting = counting_url(self.talk, facts.kind)
        status, _ = await self.talk.ask(counting, self._asking(_HELLO))
        return replace(
            facts,
            abilities=abilities,
            version=member(props, "build_info", str) or "",
            checkpoint=member(props, "model_path", str) or "",
            counts_tokens=status == 200,
        )

    async def _must_be_healthy(self) -> None:
        """A server whose engine died, or which is loading still, says so here."""
        url = f"{self.talk.address.root}/health"
        status, data = await self.talk.ask(url)
        if status != 404:
            self.talk.must_be_fine(status, data, url)

    async def _reading(self) -> tuple[float, int]:
        """Frames a second and the most of them, as vLLM takes lists of frames unless told.

        Its own defaults, unless the times that the model's processor writes into the prompt show
        that the server was started with others (--media-io-kwargs).
        """
        said = self._asking(_FRAMES) | {"return_token_strs": True}
        _, data = await self.talk.ask(counting_url(self.talk, "vllm"), said)
        times = [float(time) for time in _TIME.findall(_tokens(data))]
        match times:
            case [first, second] if second > first:
                return round(PAIR / (second - first), 2), VLLM_FRAMES
            case [_]:
                return VLLM_FPS, PAIR
            case _:
                return VLLM_FPS, VLLM_FRAMES

    async def _takes(self, part: Part, media: Mapping[str, Any] | None = None) -> bool | None:
        """Whether vLLM makes a prompt of it; None where that can't be asked."""
        said = self._asking(part) | ({"media_io_kwargs": media} if media else {})
        status, _ = await self.talk.ask(counting_url(self.talk, "vllm"), said)
        return {200: True, 400: False}.get(status)

    def _asking(self, part: Part) -> dict[str, Any]:
        parts = (part,) if part is _HELLO else (part, _HELLO)
        return {"model": self.model, "messages": messages_json([Message("user", parts)])}

    async def _must_be_a_server(self, url: str) -> None:
        """A server without a list of models must at least know the chat's address."""
        chat = f"{self.talk.address.base_url}/chat/completions"
        status, data = await self.talk.ask(chat, {})
        if status == 404:
            raise EngineRefusedError(
                f"neither {url} nor {chat} is there (HTTP 404): does the URL want /v1 at its end?"
            )
        if status in (401, 403) or status >= 500:
            self.talk.must_be_fine(status, data, chat)


def _tokens(data: bytes) -> str:
    """The text of a tokenized prompt; byte-level tokens write a space as U+0120."""
    try:
        return "".join(json.loads(data)["token_strs"]).replace("\u0120", " ")
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def _silence() -> bytes:
    """Half a second at 16 kHz, as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16_000)
        sound.writeframes(bytes(16_000))
    return file.getvalue()


def _kind(card: Mapping[str, Any]) -> ServerKind:
    match card.get("owned_by"):
        case "vllm":
            return "vllm"
        case "llamacpp":
            return "llama-server"
        case _:
            return "other"

"""Describing a whole video in several passes: what ``strad describe --task document`` does."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from service.loading import load_listener
from service.model_choice import ModelChoice
from service.opened_model import IN_PROCESS
from strad.errors import InputError
from strad.passes import PassName
from strad.speech import Word
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions
from strad_engines.weights import Weights
from streaming.ears import Ears
from streaming.ingest import IngestOptions
from streaming.listen import Listener
from streaming.sources import FileSource, Source, UrlSource
from streaming.tasks.document.asker import Asker
from streaming.tasks.document.config import DocumentConfig
from streaming.tasks.document.folder import PassFolder
from streaming.tasks.document.listening import needs_ears
from streaming.tasks.document.run import Outcome, describe_document
from streaming.tasks.document.workshop import ToldProgress, Workshop
from streaming.voices.estimate import EstimateVoice

DESCRIBER = "strad-document"
PIECE = 1 << 20
"""Bytes of a file's beginning, middle and end that tell it from others."""


@dataclass(frozen=True, slots=True)
class DocumentOrder:
    """What is to be described, and how."""

    source: Source
    config: DocumentConfig
    captions: Sequence[Word] | None
    asr: str
    folder: Path
    again: PassName | None
    """Make this pass and all after it anew."""


@dataclass(frozen=True, slots=True)
class DocumentWork:
    """A run with all it needs opened."""

    shop: Workshop
    order: DocumentOrder
    model: str
    said: tuple[str, ...]
    """Lines for a person: what serves the model, and how."""

    async def run(self) -> Outcome:
        """All passes that aren't there. Raises MediaError, EngineError, FormatError."""
        return await describe_document(self.shop, PassFolder(self.order.folder), self.order.again)


@asynccontextmanager
async def prepared_document(
    order: DocumentOrder, choice: ModelChoice, weights: Weights, told: ToldProgress
) -> AsyncIterator[DocumentWork]:
    """Everything opened. Raises InputError, MissingModelError, and what ``open_engine`` raises."""
    choice_must_ask(choice)
    settings = {"weights": weights} if choice.engine in IN_PROCESS else {}
    options = EngineOptions(server=choice.server, settings=settings)
    mark = await asyncio.to_thread(media_mark, order.source, order.captions)
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(
            open_engine(choice.engine, choice.model, key=choice.key or None, options=options)
        )
        if opened.abilities.images is False:
            raise InputError(f"a document needs images, which {choice.engine} does not take")
        listener = None
        captioned = order.captions is not None
        if needs_ears(order.config, captioned=captioned):
            asr = "off" if captioned else order.asr
            listener = await stack.enter_async_context(load_listener(weights, asr))
        shop = Workshop(
            source=order.source,
            mark=mark,
            config=order.config,
            captions=order.captions,
            ears=lambda: _ears(listener, order.config),
            ears_name="captions" if captioned else order.asr,
            asker=Asker(
                opened.engine,
                order.config.tries,
                context=opened.abilities.context,
                held=opened.abilities.schema is not False,
            ),
            voice=EstimateVoice(),
            told=told,
            ingest=_ingest(choice),
        )
        yield DocumentWork(shop, order, choice.model or opened.engine.name, opened.said)


def choice_must_ask(choice: ModelChoice) -> None:
    """Raises InputError where no engine or model was chosen."""
    if not choice.engine:
        raise InputError(
            "--task document asks a model: give --engine (openai:URL, vllm or transformers) and "
            "--model"
        )
    if not choice.model and not choice.engine.startswith("scripted:"):
        raise InputError(f"--engine {choice.engine} needs --model: the model's name or folder")


def media_mark(source: Source, captions: Sequence[Word] | None) -> str:
    """Tells this media with these captions from others: by what is in a file, by a URL's name."""
    mark = hashlib.sha256()
    match source:
        case FileSource(path):
            mark.update(_sample(path))
        case UrlSource(url):
            mark.update(url.encode())
        case _:
            mark.update(source.name.encode())
    for word in captions or ():
        mark.update(f"\n{word.when.start} {word.when.end} {word.text}".encode())
    return mark.hexdigest()


def _sample(path: Path) -> bytes:
    """Its size and three pieces of it: a film of many gigabytes is not read twice for this."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            pieces = [str(size).encode()]
            for start in (0, size // 2, max(0, size - PIECE)):
                file.seek(start)
                pieces.append(file.read(PIECE))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: can't be read: {why}") from None
    return b"".join(pieces)


def _ears(listener: Listener | None, config: DocumentConfig) -> Ears | None:
    if listener is None:
        return None
    return listener.ears(config.language, patient=True, protect=config.protect)


def _ingest(choice: ModelChoice) -> IngestOptions | None:
    return IngestOptions(max_width=choice.preset.width) if choice.preset else None

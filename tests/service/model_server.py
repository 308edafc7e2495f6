"""The scripted chat server in a thread of its own, for commands that run their own event loop."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.strad_engines.chat_server import ChatServer, completion, http, serving

MODEL = "tiny-describer"


@contextmanager
def model_server(
    lines: Sequence[str | int], *, model: str = MODEL, status: int = 200
) -> Iterator[ChatServer]:
    """Serves ``model`` like any unknown server; answers line by line, the last one for ever.

    A number is an HTTP status in place of an answer.
    """
    card = {"data": [{"id": model, "owned_by": "tests"}]}
    pages = {"/v1/models": http(status, json.dumps(card).encode())}
    answers = [
        http(line, b"{}") if isinstance(line, int) else http(200, completion(line))
        for line in lines
    ]
    started: list[ChatServer] = []
    ready, stop = threading.Event(), threading.Event()

    async def serve() -> None:
        async with serving(*answers, pages=pages) as server:
            started.append(server)
            ready.set()
            await asyncio.to_thread(stop.wait, 120)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(60)
        yield started[0]
    finally:
        stop.set()
        thread.join(60)

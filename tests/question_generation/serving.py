"""A site of forms, served over real HTTP for a test."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from question_generation.item import Item
from question_generation.pages.server import PageServer, Site


@contextmanager
def served(site: Site) -> Iterator[httpx.Client]:
    """A client of it."""
    with PageServer(site) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            with httpx.Client(base_url=server.url, trust_env=False, timeout=20) as client:
                yield client
        finally:
            server.shutdown()
            thread.join(10)


def items(count: int, clips: int = 1) -> list[Item]:
    """Some, over so many clips; B is right."""
    return [
        Item(
            id=f"i{at}",
            video_id=f"clip{at % clips}",
            question=f"What is <{at}>?",
            options=("one", "two", "three"),
            answer="two",
            category="Temporal" if at % 2 else "Theme Exploration",
            segment=(1.0, 65.0),
        )
        for at in range(count)
    ]

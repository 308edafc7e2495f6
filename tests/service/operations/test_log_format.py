"""Log lines as JSON: what a line holds, and what it never does."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from service.operations.log_format import FIELDS, set_up_logging
from service.settings import Settings
from strad.errors import InputError
from tests.fakes import EveryWindowDescriber
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, live_service
from tests.service.publishing import publishing, watched
from tests.service.test_server import until

pytestmark = pytest.mark.service

MARKED = "zyzzyva"
"""In all that is said, spoken or shown, and nowhere else."""


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """All that is logged, as JSON."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    out = io.StringIO()
    set_up_logging("json", out)
    yield out
    root.handlers[:] = before
    root.setLevel(level)


def logged(out: io.StringIO) -> list[dict[str, str]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_is_one_object_with_time_level_and_fields(lines: io.StringIO) -> None:
    log = logging.getLogger("service.test")
    log.info("stream %s\nbegins", "news", extra={"stream": "news", "code": "ok", "other": 1})
    log.debug("not told")
    log.error("failed", exc_info=InputError("wrong"))
    first, second = logged(lines)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first.pop("time"))
    assert first == {
        "level": "info",
        "logger": "service.test",
        "message": "stream news\nbegins",
        "stream": "news",
        "code": "ok",
    }
    assert "InputError: wrong" in second["error"]


def test_a_whole_stream_leaves_its_states_and_nothing_that_was_said(lines: io.StringIO) -> None:
    """Captions, descriptions, a token, a lost connection, a refusal, an end."""
    workshop = Workshop(lambda: EveryWindowDescriber(text=lambda n: f"{MARKED}{n} falls"))
    settings = replace(SETTINGS, limits=replace(SETTINGS.limits, grace=10.0))

    async def go() -> str:
        async with live_service(workshop.equipment(), settings) as live:
            async with publishing(live.address(), transcript="captions") as publisher:
                ready = await publisher.until("ready")
                cue = {"start": 3.0, "end": 4.0, "text": f"{MARKED} spoken"}
                await publisher.tell(type="captions", cues=[cue], until=5.0)
                await publisher.tell(type="captions", cues=[cue], until=1.0)
                await publisher.tell(type=MARKED)
                await publisher.media(b"q" * 10)
                await publisher.until("progress", live_edge=9.0)
                publisher.break_off()
            await until(lambda: "interrupted" in lines.getvalue())
            async with publishing(live.address(), resume=ready["resume"]) as again:
                await again.until("ready")
                await again.media(b"q" * 4)
                await again.tell(type="finish")
                await again.rest()
            _, ads, _ = await watched(live.address())
            assert any(MARKED in ad.text for ad in ads)
            async with publishing(live.address("other"), describer=MARKED) as refused:
                await refused.rest()
        return str(ready["resume"])

    token = asyncio.run(go())
    assert MARKED not in lines.getvalue()
    assert token not in lines.getvalue()
    assert token.partition(".")[2] not in lines.getvalue()
    of_stream = [line for line in logged(lines) if line.get("stream") == "news"]
    told = " / ".join(line["message"].removeprefix("stream news: ") for line in of_stream)
    assert re.match(r"begins, .* / interrupted .*/ resumed .*/ ends after ", told), told
    assert of_stream[-1]["code"] == "ok"
    (refusal,) = [line for line in logged(lines) if line.get("stream") == "other"]
    assert refusal["code"] == "bad-input"
    assert re.fullmatch(r"127\.0\.0\.1:\d+", refusal["peer"])
    assert FIELDS == ("stream", "peer", "code")


def test_a_format_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="log_format must be text or json"):
        Settings(log_format="xml")

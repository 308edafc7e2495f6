"""Schemathesis against the running service: what it describes is what it does."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clients.python.publisher import publish
from tests.service.fakes import Workshop
from tests.service.live import live_service
from tests.service.test_server import HELLO, letters

PROGRAM = shutil.which("schemathesis", path=str(Path(sys.executable).parent))

pytestmark = [
    pytest.mark.service,
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="needs the [dev] extra's schemathesis"),
]

EXAMPLES = 4
"""Of each kind, an operation."""

NOT_ASKED = (
    "positive_data_acceptance",  # which sources are opened is a matter of policy
    "ensure_resource_availability",  # a job's result is not there before it is done
    "use_after_free",  # DELETE cancels a job, whose record stays
)

WATCHED = 0.05
"""Wall seconds after its beginning at which an answer of Server-Sent Events is ended here: else it
waits on."""

BEGUN = 20.0
"""Wall seconds in which it begins."""


class EndsEvents:
    """Ends what would go on for as long as nobody publishes; all before that is as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith("/events"):
            await self._app(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        begun = over = False

        async def told(message: Message) -> None:
            nonlocal begun, over
            if not begun:
                limit.reschedule(loop.time() + WATCHED)
            begun = True
            over = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

        try:
            async with asyncio.timeout(BEGUN) as limit:
                await self._app(scope, receive, told)
        except TimeoutError:
            assert begun, "an answer begins at once"
            if not over:
                await send({"type": "http.response.body", "body": b"", "more_body": False})


def end_events(app: FastAPI) -> None:
    app.add_middleware(EndsEvents)


def test_the_service_does_what_it_describes(tmp_path: Path) -> None:
    async def go() -> tuple[int | None, str]:
        assert PROGRAM is not None
        async with live_service(Workshop().equipment(), around=end_events) as live:
            await publish(live.address("0"), HELLO, letters("q" * 20))
            process = await asyncio.create_subprocess_exec(
                PROGRAM,
                "run",
                f"http://127.0.0.1:{live.port}/openapi.json",
                *("--max-examples", str(EXAMPLES), "--generation-deterministic"),
                *("--exclude-checks", ",".join(NOT_ASKED)),
                *("--request-timeout", "10", "--no-color"),
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                cwd=tmp_path,
            )
            async with asyncio.timeout(240):
                output, _ = await process.communicate()
        return process.returncode, output.decode()

    code, output = asyncio.run(go())
    assert code == 0, output[-9_000:]

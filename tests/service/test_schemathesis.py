"""Schemathesis against the running service: what it describes is what it does."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import pytest

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

EXAMPLES = 25
"""Of each kind, an operation."""

NOT_ASKED = (
    "positive_data_acceptance",  # which sources are opened is a matter of policy
    "ensure_resource_availability",  # a job's result is not there before it is done
    "use_after_free",  # DELETE cancels a job, whose record stays
)

ENDLESS = "/v1/streams/{stream}/events"
"""Waits for a publisher: test_event_stream.py has it."""


def test_the_service_does_what_it_describes(tmp_path: Path) -> None:
    async def go() -> tuple[int | None, str]:
        assert PROGRAM is not None
        async with live_service(Workshop().equipment()) as live:
            await publish(live.address("0"), HELLO, letters("q" * 20))
            process = await asyncio.create_subprocess_exec(
                PROGRAM,
                "run",
                f"http://127.0.0.1:{live.port}/openapi.json",
                *("--exclude-path", ENDLESS),
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
    assert code == 0, output[-6_000:]

"""The outbox keeps order, keeps only the newest progress, and never more than its room."""

from __future__ import annotations

import asyncio

import pytest

from service.outbox import Outbox
from strad.wire.answering import Answer, Progress, Warning

pytestmark = pytest.mark.unit


def progress(edge: float) -> Progress:
    return Progress(live_edge=edge, cursor=0.0, behind=0.0)


def warning(n: int) -> Warning:
    return Warning(code="c", at=0.0, message=str(n))


async def taken(outbox: Outbox) -> list[Answer]:
    said: list[Answer] = []
    while (message := await outbox.take()) is not None:
        said.append(message)
    return said


def test_messages_come_in_order_and_of_progress_in_a_row_only_the_newest() -> None:
    outbox = Outbox()
    for message in (warning(1), progress(1), progress(2), warning(2), progress(3)):
        assert outbox.put(message)
    outbox.close()
    expected = [warning(1), progress(2), warning(2), progress(3)]
    assert asyncio.run(taken(outbox)) == expected


def test_a_full_outbox_takes_nothing_but_newer_progress() -> None:
    outbox = Outbox(most=2)
    said = [warning(1), progress(1), progress(2), warning(2), progress(3)]
    assert [outbox.put(message) for message in said] == [True, True, True, False, True]


def test_a_closed_outbox_takes_nothing() -> None:
    outbox = Outbox()
    outbox.close()
    assert not outbox.put(warning(1))


def test_taking_waits_for_a_message() -> None:
    async def go() -> Answer | None:
        outbox = Outbox()
        async with asyncio.TaskGroup() as tasks:
            taking = tasks.create_task(outbox.take())
            await asyncio.sleep(0)
            outbox.put(warning(7))
        return taking.result()

    assert asyncio.run(go()) == warning(7)

"""The inlet holds what it may, in order, and makes the pusher wait for the rest."""

from __future__ import annotations

import asyncio

import pytest

from service.inlet import Inlet
from strad.errors import DecoderError
from tests.virtual_time import run as run_virtual

pytestmark = pytest.mark.unit


async def drained(inlet: Inlet) -> list[bytes]:
    return [chunk async for chunk in inlet.chunks()]


def test_bytes_come_out_in_order_until_finished() -> None:
    async def go() -> list[bytes]:
        inlet = Inlet()
        await inlet.push(b"one")
        await inlet.push(b"")
        await inlet.push(b"two")
        inlet.finish()
        await inlet.push(b"late")
        return await drained(inlet)

    assert run_virtual(go()) == [b"one", b"two"]


def test_a_full_inlet_makes_the_pusher_wait_for_the_taker() -> None:
    async def go() -> int:
        inlet = Inlet(high_water=10, patience=5)
        most = 0

        async def push() -> None:
            nonlocal most
            for _ in range(50):
                await inlet.push(b"1234")
                most = max(most, inlet.waiting)
            inlet.finish()

        async def take() -> int:
            taken = 0
            async for chunk in inlet.chunks():
                taken += len(chunk)
                await asyncio.sleep(1)
            return taken

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(push())
            taking = tasks.create_task(take())
        assert taking.result() == 200
        return most

    assert run_virtual(go()) <= 13


def test_a_taker_that_hangs_is_an_error_of_the_decoder() -> None:
    async def go() -> None:
        inlet = Inlet(high_water=1, patience=30)
        await inlet.push(b"1234")
        await inlet.push(b"1234")

    with pytest.raises(DecoderError, match="no media for 30 s"):
        run_virtual(go())


def test_finishing_lets_a_waiting_pusher_go() -> None:
    async def go() -> list[bytes]:
        inlet = Inlet(high_water=1)
        await inlet.push(b"1234")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(inlet.push(b"dropped"))
            await asyncio.sleep(1)
            inlet.finish()
        return await drained(inlet)

    assert run_virtual(go()) == [b"1234"]

"""A revoked key ends what is open by it, within a stated time, though nobody says a word."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from clients.python.address import StreamAddress
from clients.python.viewer import watch
from service.security.caller import Scope
from service.security.keys import new_key, read_keys, write_keys
from strad.errors import InputError
from tests.service.live import LiveService
from tests.service.security.test_gate import bearer, client, guarded, is_ready, refusal, socket

pytestmark = pytest.mark.service


def test_a_revoked_key_ends_its_connections(tmp_path: Path) -> None:
    async def go() -> None:
        file = tmp_path / "keys.json"
        key, record = new_key([Scope.PUBLISH, Scope.SUBSCRIBE])
        write_keys(file, [record])
        async with guarded(keys=str(file)) as live, socket(live, token=key) as publisher:
            assert await is_ready(publisher)
            assert read_keys(file) == (record,)
            write_keys(file, [])
            assert (await refusal(publisher))[:2] == ("expired", 1008), "though it says nothing"
            with pytest.raises(InputError, match="not known here"):
                await anext(watch(StreamAddress.parse(address(live), key)))

    asyncio.run(go())


def test_a_revoked_key_puts_out_those_who_only_listen(tmp_path: Path) -> None:
    async def go() -> None:
        file = tmp_path / "keys.json"
        key, record = new_key([Scope.SUBSCRIBE])
        other, kept = new_key([Scope.SUBSCRIBE])
        write_keys(file, [record, kept])
        events = "/v1/streams/news/events"
        async with (
            guarded(keys=str(file)) as live,
            client(live) as http,
            socket(live, events, token=key) as viewer,
            socket(live, events, token=other) as welcome,
            http.stream("GET", events, headers=bearer(key)) as answer,
        ):
            assert answer.status_code == 200
            write_keys(file, [kept])
            code, closed, reason = await refusal(viewer)
            assert (code, closed) == ("", 1008)
            assert "was revoked" in reason
            with pytest.raises(httpx.RemoteProtocolError):
                async with asyncio.timeout(10):
                    [chunk async for chunk in answer.aiter_bytes()]
            assert (await http.get(events, headers=bearer(key))).status_code == 401
            await welcome.send('{"type": "scene"}')
            while json.loads(await welcome.recv())["type"] != "scene":
                pass

    asyncio.run(go())


def address(live: LiveService) -> str:
    return f"http://127.0.0.1:{live.port}/v1/streams/news"

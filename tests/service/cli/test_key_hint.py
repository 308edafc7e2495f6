"""Who shows no key to a service that asks for one is told at once, and by which option."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from clients.python.address import StreamAddress
from clients.python.publisher import publish
from service.cli.key_hint import key_named, must_need_no_key
from service.cli.listen import listen_to
from service.settings import Auth
from strad.errors import ForbiddenError, InputError, UnauthorizedError
from strad.wire.asking import Wishes
from strad.wire.publishing import Container, Hello
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, live_service
from tests.service.security.issuer import AUDIENCE, ISSUER, SECRET, hs256
from tests.service.test_server import letters

pytestmark = pytest.mark.service

WAIT = 90.0
"""Seconds for which a key is waited for: no test is to last so long."""
NAMED = "give --token, or set STRAD_TOKEN"
AUTH = Auth(secret=SECRET, issuer=ISSUER, audience=AUDIENCE, wait=WAIT)


def test_the_option_is_named_at_once() -> None:
    async def go() -> None:
        settings = replace(SETTINGS, auth=AUTH)
        async with live_service(Workshop().equipment(), settings) as live, asyncio.timeout(WAIT):
            nobody = live.address()
            with pytest.raises(UnauthorizedError, match=NAMED), key_named(nobody):
                await listen_to(nobody, Wishes(), as_json=True)
            with pytest.raises(UnauthorizedError, match=NAMED), key_named(nobody):
                await publish(nobody, Hello(container=Container.WEBM), letters("a"))
            wrong = replace(nobody, token="x")
            with pytest.raises(UnauthorizedError, match=r"^(?!.*STRAD_TOKEN)"), key_named(wrong):
                await listen_to(wrong, Wishes(), as_json=True)
            other = replace(nobody, token=hs256(scope="subscribe"))
            with pytest.raises(ForbiddenError), key_named(other):
                await publish(other, Hello(container=Container.WEBM), letters("a"))

    asyncio.run(go())


def test_where_none_is_needed_nothing_is_said() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live:
            await must_need_no_key(live.address())
        await must_need_no_key(live.address())  # gone: watching it will tell

    asyncio.run(go())


def test_what_can_be_no_hosts_name_is_said_so() -> None:
    with pytest.raises(InputError, match="http://xn--: no host is called so"):
        asyncio.run(must_need_no_key(StreamAddress.parse("http://xn--/news")))

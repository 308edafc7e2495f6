"""Which option gives a key, where the service asks for one and none was given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from clients.python.address import StreamAddress
from strad.errors import ForbiddenError, StradError, UnauthorizedError

LIMIT = 10.0
"""Seconds the service has to say whether it asks for a key."""


@contextmanager
def key_named(address: StreamAddress) -> Iterator[None]:
    """Raises UnauthorizedError that names the option, in place of one that names the header."""
    try:
        yield
    except UnauthorizedError as error:
        if address.token or isinstance(error, ForbiddenError):
            raise
        raise UnauthorizedError(
            "the service asks for a key: give --token, or set STRAD_TOKEN"
        ) from None


async def must_need_no_key(address: StreamAddress) -> None:
    """Raises UnauthorizedError where a key is asked for and there is none.

    Who watches without one is else waited for: it may still send a message with it. Whatever is
    wrong otherwise, watching tells.
    """
    if address.token:
        return
    from clients.python.pulling import ask, open_http  # httpx, which listening else does without

    async with open_http(address) as http:
        try:
            await ask(http, "GET", "/v1/streams", LIMIT)
        except StradError as error:
            if isinstance(error, UnauthorizedError):
                raise

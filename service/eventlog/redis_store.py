"""The connection to Redis: what is asked of it, again while it is away, and what it must keep."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, ReadOnlyError, RedisError, ResponseError
from redis.exceptions import ConnectionError as AwayError
from redis.exceptions import TimeoutError as SilentError

from service.eventlog.entry import Entry
from service.eventlog.redis_scripts import PREFIX, VERSION
from strad.errors import InputError, LogError

logger = logging.getLogger(__name__)

SCHEMA = "1"
"""The version of the keys in ``redis_scripts``."""

ANSWER = 3.0
"""Wall seconds Redis may take to answer before the connection is made anew."""

BLOCK = 1_500
"""Milliseconds a reader waits in Redis for the next message; less than ``ANSWER``."""

AWAY = 20.0
"""Wall seconds for which an append waits for Redis to come back, by default."""

BACKOFF = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Wall seconds between two tries; the last again and again."""

CONNECTIONS = 4_096
"""The most there may be: one for each stream that is watched here, and a few."""


Answer: TypeAlias = Any
"""What a script answers: as Lua made it."""

T = TypeVar("T")


async def uncancelled(asked: Awaitable[T]) -> T:
    """What ``asked`` gives. Raises CancelledError also where it lost the cancellation.

    redis-py sends by ``asyncio.wait_for``, and Python 3.11's drops a cancellation that comes just
    as it is done: who waits for the cancelled task's end would wait for ever.
    """
    task = asyncio.current_task()
    before = task.cancelling() if task is not None else 0
    try:
        return await asked
    finally:
        if task is not None and task.cancelling() > before:
            raise asyncio.CancelledError


class RedisStore:
    """Runs scripts. Each may be sent again where its answer got lost."""

    def __init__(self, client: Redis, where: str, away: float) -> None:
        self._client: Any = client
        self._where = where
        self._away = away

    async def run(self, script: str, *words: str | int) -> Answer:
        """What the script answers. Waits while Redis is away, within a limit. Raises LogError."""
        try:
            async with asyncio.timeout(self._away):
                return await self._run(script, words)
        except TimeoutError:
            raise LogError(f"{self._where} has been away for {self._away:g} s") from None
        except AuthenticationError as error:
            raise LogError(f"{self._where} lets nobody in with this password: {error}") from None
        except RedisError as error:
            raise LogError(f"{self._where}: {error}") from None

    async def _run(self, script: str, words: Sequence[str | int]) -> Answer:
        for turn in range(1_000_000):
            try:
                return await uncancelled(self._client.register_script(script)(args=words))
            except (AwayError, SilentError, ReadOnlyError, OSError) as error:
                if isinstance(error, AuthenticationError):
                    raise
                if turn == 1:
                    logger.warning("%s is away, waiting for it: %s", self._where, error)
                await asyncio.sleep(BACKOFF[min(turn, len(BACKOFF) - 1)])
        raise AssertionError("the time limit ends this")

    async def next(self, log: str, after: int) -> Sequence[tuple[int, str]]:
        """The messages after number ``after`` of ``log``; none where none comes for a while."""
        words = ("XREAD", "COUNT", 500, "BLOCK", BLOCK, "STREAMS", f"{PREFIX}log:{log}")
        try:
            reading = self._client.execute_command(*words, f"{after}-0")
            answer = await uncancelled(reading)
        except RedisError as error:
            raise LogError(f"{self._where}: {error}") from None
        found = answer[0][1] if answer else []
        return [(int(key.partition("-")[0]), fields["m"]) for key, fields in found]

    async def check(self, *, strict: bool) -> None:
        """Raises LogError where Redis is not what a log can stand on."""
        version = await self.run(VERSION, SCHEMA)
        if version != SCHEMA:
            raise LogError(
                f"{self._where} holds the event log of another version (its schema is "
                f"{version}, this version knows {SCHEMA}): use another database number"
            )
        try:
            settings: dict[str, str] = {}
            for name in ("appendonly", "appendfsync", "maxmemory-policy"):
                settings |= await uncancelled(self._client.config_get(name))
        except ResponseError:
            logger.warning("%s does not tell how it keeps data: see to it yourself", self._where)
            return
        except RedisError as error:
            raise LogError(f"{self._where}: {error}") from None
        self._judge(settings, strict=strict)

    def _judge(self, settings: dict[str, str], *, strict: bool) -> None:
        policy = settings.get("maxmemory-policy", "noeviction")
        if settings.get("appendonly") == "no":
            what = "loses its data when it dies: start it with --appendonly yes"
        elif policy.startswith("allkeys"):
            what = f"throws keys away when memory is short ({policy}): set noeviction"
        else:
            if settings.get("appendfsync") != "always":
                logger.warning(
                    "%s has appendfsync %s: when it dies, what it took in the last two seconds "
                    "may be lost; with always nothing is",
                    self._where,
                    settings.get("appendfsync"),
                )
            return
        if strict:
            raise LogError(f"{self._where} {what}, or add ?keep=maybe to its address")
        logger.warning("%s %s", self._where, what)


@asynccontextmanager
async def open_redis(address: str) -> AsyncIterator[RedisStore]:
    """The Redis at ``redis://HOST:PORT/DB``, checked. Raises InputError, LogError.

    ``?keep=maybe`` takes one that may lose its data; ``?away=SECONDS`` says how long an
    append waits for one that has gone away.
    """
    address, options = _options(address)
    client, where = _client(address)
    try:
        store = RedisStore(client, where, float(options.get("away", AWAY)))
        await store.check(strict=options.get("keep") != "maybe")
        yield store
    finally:
        await client.aclose()


def _options(address: str) -> tuple[str, dict[str, str]]:
    parts = urlsplit(address)
    options = dict(parse_qsl(parts.query))
    away = options.get("away", "1")
    known = options.keys() <= {"keep", "away"} and options.get("keep", "maybe") == "maybe"
    if not known or not away.replace(".", "", 1).isdigit() or not 0 < float(away) <= 3_600:
        raise InputError("an event log in Redis has the options keep=maybe and away=SECONDS only")
    return urlunsplit(parts._replace(query="")), options


def _client(address: str) -> tuple[Redis, str]:
    """The client, and what people call the place it leads to."""
    try:
        parts = urlsplit(address)
        where = f"Redis at {parts.hostname}:{parts.port or 6379}"
        client = Redis.from_url(
            address,
            decode_responses=True,
            protocol=2,
            socket_timeout=ANSWER,
            socket_connect_timeout=ANSWER,
            max_connections=CONNECTIONS,
            retry=Retry(NoBackoff(), 0),
        )
    except ValueError as error:
        raise InputError(f"the event log's Redis has no such address: {error}") from None
    if not parts.hostname:
        raise InputError("the event log's Redis needs an address: redis://HOST:PORT/DB")
    return client, where


def entries_of(jsons: Sequence[str]) -> list[Entry]:
    """Messages as Redis keeps them."""
    return [Entry.parse(json) for json in jsons]

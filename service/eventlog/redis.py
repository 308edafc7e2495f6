"""The event log in Redis: for many processes, any of which owns streams and serves viewers."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from weakref import WeakValueDictionary

from service.eventlog import redis_scripts
from service.eventlog.background import Start, background
from service.eventlog.entry import Entry
from service.eventlog.keeper import ApartError
from service.eventlog.kept_log import PAGE, KeptLog
from service.eventlog.lease import Lease, Leases, taken
from service.eventlog.redis_flags import RedisFlags
from service.eventlog.redis_store import BACKOFF, RedisStore, entries_of, open_redis
from service.eventlog.retention import Retention
from service.eventlog.standing import Listed, Standing
from service.eventlog.tail import Tail
from strad.errors import LogError, UnknownLogError

logger = logging.getLogger(__name__)

LEASE = 15.0
"""Wall seconds after which the stream of an owner that died may be taken by anybody."""

RENEW_EVERY = 3.0

RELEASE_WAIT = 3.0
"""Wall seconds to give a lease back in; else it runs out."""


class RedisKeeper:
    """Keeps one log's messages in Redis, and brings those of other processes to the tail."""

    def __init__(
        self, stream: str, name: str, store: RedisStore, tail: Tail, most: int, start: Start
    ) -> None:
        self._stream = stream
        self._name = name
        self._store = store
        self._tail = tail
        self._most = most
        self._start = start
        self._catching_up = asyncio.Lock()
        self._watching = 0
        self._reading = False
        self.flags = RedisFlags(name, store)

    async def persist(self, entry: Entry, standing: Standing, lease: Lease) -> None:
        """Return once Redis has it."""
        lease.check()
        what = (entry.seq, entry.json, standing.to_json(), int(standing.ended), self._most)
        owner = (lease.stream, self._name, lease.token)
        answer, last = await self._store.run(redis_scripts.APPEND, *owner, *what)
        if answer == "lost":
            lease.lose()
            lease.check()
        if answer == "apart":
            raise ApartError(int(last))

    async def page(self, after: int, most: int) -> Sequence[Entry]:
        """Up to ``most`` kept messages after number ``after``, in order."""
        after = max(0, after)
        return entries_of(await self._store.run(redis_scripts.PAGE, self._name, after, most))

    @contextmanager
    def watching(self) -> Iterator[None]:
        """One reader a log, however many watch it; it stops soon after the last has left."""
        self._watching += 1
        if not self._reading:
            self._reading = True
            self._start(self._read_on())
        try:
            yield
        finally:
            self._watching -= 1

    async def keep(self, state: str, lease: Lease) -> None:
        """Keep the owner's resume state in place of an earlier one."""
        lease.check()
        owner = (lease.stream, self._name, lease.token)
        if not await self._store.run(redis_scripts.KEEP, *owner, state):
            lease.lose()
            lease.check()

    async def kept(self) -> str | None:
        """The newest resume state, or None."""
        state: str | None = await self._store.run(redis_scripts.KEPT, self._name)
        return state

    async def catch_up(self) -> None:
        """Bring the tail to where Redis stands; nothing to do where a reader sees to that."""
        async with self._catching_up:
            if not (self._reading and self._tail.last):
                await self._catch_up()

    async def _catch_up(self) -> None:
        last, standing = await self._store.run(redis_scripts.STANDS, self._name)
        if self._tail.last == 0 and int(last) > 0:
            held = self._tail.most
            newest = await self.page(int(last) - held, held)
            if self._tail.last == 0:
                self._tail.load(int(last), Standing.parse(standing), newest)
        while self._tail.last < int(last) and (page := await self.page(self._tail.last, PAGE)):
            self._take(page)

    async def _read_on(self) -> None:
        turn = 0
        while self._watching:
            try:
                if self._tail.last == 0:
                    await self._store.run(redis_scripts.EXPECT, self._stream, self._name)
                found = await self._store.next(self._name, self._tail.last)
                turn = 0
            except LogError as away:
                if turn == len(BACKOFF):
                    logger.warning("viewers wait: %s", away)
                await asyncio.sleep(BACKOFF[min(turn, len(BACKOFF) - 1)])
                turn += 1
                continue
            try:
                self._take(Entry.parse(json) for seq, json in found if seq > self._tail.last)
            except LogError as error:
                logger.error("viewers are let go: %s", error)  # noqa: TRY400 - one line says it
                self._tail.shut()
                break
        self._reading = False

    def _take(self, entries: Iterator[Entry] | Sequence[Entry]) -> None:
        for entry in entries:
            self._tail.add(entry)


class RedisLog(KeptLog):
    """One log, before the keeper that knows how to bring it up to date."""

    def __init__(
        self, stream: str, name: str, store: RedisStore, retention: Retention, start: Start
    ) -> None:
        tail = Tail(retention.held)
        self.keeper = RedisKeeper(stream, name, store, tail, retention.messages, start)
        super().__init__(name, tail, self.keeper, retention.messages)


class RedisEventLog:
    """All streams' logs, in one Redis that any number of processes share."""

    lasting = True

    def __init__(self, store: RedisStore, retention: Retention, start: Start) -> None:
        self._store = store
        self._retention = retention
        self._start = start
        self._leases = Leases()
        self._logs: WeakValueDictionary[str, RedisLog] = WeakValueDictionary()

    async def find(self, stream: str) -> RedisLog | None:
        """The newest log of ``stream``, to read; None where it was never published."""
        name = await self._store.run(redis_scripts.NAME, stream, "")
        return await self._of(stream, name) if name else None

    async def expect(self, stream: str) -> RedisLog:
        """The newest log of ``stream``; where there is none, the one to come."""
        name = await self._store.run(redis_scripts.NAME, stream, secrets.token_hex(8))
        return await self._of(stream, name)

    @asynccontextmanager
    async def own(
        self, stream: str, *, resume: str | None = None, take_over: bool = False
    ) -> AsyncIterator[KeptLog]:
        """The log of ``stream``, owned for as long as the context is open."""
        lease = Lease(stream)
        name = await self._take(lease, resume, take_over=take_over)
        self._leases.put(lease)
        try:
            async with lease.minded(self._renew(lease, name)):
                log = await self._of(stream, name)
                yield log.owned_by(lease)
        finally:
            self._leases.give_back(lease)
            await self._release(lease)

    async def owned(self, stream: str) -> bool:
        """Whether somebody appends to the stream's log now."""
        return bool(await self._store.run(redis_scripts.OWNED, stream))

    async def try_out(self) -> None:
        """Write some kilobytes that nobody reads. Raises LogError where nothing can be kept."""
        await self._store.run(redis_scripts.TRY_OUT)

    async def spend(self, ticket: str, seconds: float) -> bool:
        """Note that a single-use ticket is used; False where it was before, on any replica."""
        use = (ticket, secrets.token_hex(8), max(1, int(seconds * 1_000)))
        return bool(await self._store.run(redis_scripts.SPEND, *use))

    async def listed(self) -> Sequence[Listed]:
        """Every stream that has a log, oldest log first."""
        return [
            Listed(stream, log, int(last), Standing.parse(standing), bool(owned))
            for stream, log, last, standing, owned in await self._store.run(redis_scripts.LISTED)
        ]

    async def _take(self, lease: Lease, resume: str | None, *, take_over: bool) -> str:
        words = (lease.stream, lease.token, int(LEASE * 1_000), int(take_over), resume or "")
        fresh = secrets.token_hex(8)
        answer, name = await self._store.run(redis_scripts.OWN, *words, fresh)
        match answer:
            case "held":
                raise taken(lease.stream)
            case "unknown":
                raise UnknownLogError(f"stream {lease.stream} has no log {resume} to go on with")
            case "ended":
                raise UnknownLogError(f"stream {lease.stream} has ended: publish it anew")
        return str(name)

    async def _renew(self, lease: Lease, name: str) -> None:
        while lease.held:
            await asyncio.sleep(RENEW_EVERY)
            words = (lease.stream, name, lease.token, int(LEASE * 1_000))
            try:
                if not await self._store.run(redis_scripts.RENEW, *words):
                    lease.lose()
            except LogError as away:
                logger.warning("the lease of stream %s waits: %s", lease.stream, away)

    async def _release(self, lease: Lease) -> None:
        try:
            async with asyncio.timeout(RELEASE_WAIT):
                await self._store.run(redis_scripts.RELEASE, lease.stream, lease.token)
                await self._store.run(redis_scripts.FORGET, self._retention.logs)
        except (LogError, TimeoutError) as away:
            logger.warning("the lease of stream %s runs out by itself: %s", lease.stream, away)

    async def _of(self, stream: str, name: str) -> RedisLog:
        log = self._logs.get(name)
        if log is None:
            log = RedisLog(stream, name, self._store, self._retention, self._start)
            self._logs[name] = log
        await log.keeper.catch_up()
        return log


@asynccontextmanager
async def open_redis_log(
    address: str, retention: Retention | None = None
) -> AsyncIterator[RedisEventLog]:
    """The event log in the Redis at ``address``. Raises InputError, LogError."""
    async with open_redis(address) as store, background() as start:
        yield RedisEventLog(store, retention or Retention(), start)

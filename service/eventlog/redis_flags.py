"""Flags in Redis, beside the messages of their log; let go with it."""

from __future__ import annotations

from collections.abc import Sequence

from service.eventlog import redis_scripts
from service.eventlog.flags import MOST_FLAGS, KeptFlag, full, gone
from service.eventlog.redis_store import RedisStore


class RedisFlags:
    """Of one log. A hash has no order: they come by AD, and then by what was found."""

    def __init__(self, log: str, store: RedisStore) -> None:
        self._log = log
        self._store = store

    async def put(self, flag: KeptFlag) -> bool:
        """See ``FlagBook``. Sent twice, since an answer got lost, it may be told as known."""
        words = (self._log, flag.key, flag.to_json(), MOST_FLAGS)
        answer = await self._store.run(redis_scripts.FLAG, *words)
        if answer == "full":
            raise full()
        if answer == "gone":
            raise gone()
        return bool(answer == "again")

    async def all(self) -> Sequence[KeptFlag]:
        """See ``FlagBook``."""
        kept = await self._store.run(redis_scripts.FLAGS, self._log)
        return sorted(map(KeptFlag.parse, kept), key=lambda flag: (flag.ad.seq, flag.key))

    async def count(self) -> int:
        """See ``FlagBook``."""
        return int(await self._store.run(redis_scripts.FLAG_COUNT, self._log))

"""Raw answers of models by what was asked: nothing is paid twice, whatever ends a run.

One SQLite file. Answers that come in one turn of the event loop go in together, at its end: before
the process waits for anything again. What a killed process loses is what it had not waited after.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from weakref import WeakValueDictionary

from strad.errors import InputError, WorkError
from strad_engines.messages import Audio, Generated, Image, Message, Part, Sampling, Text, Video

MOST_PENDING = 1000
"""Answers that wait for the end of a turn."""
_TABLE = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer TEXT) WITHOUT ROWID"


class AnswerCache:
    """Use as a context manager. Without a path it is held in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._base: sqlite3.Connection | None = None
        self._pending: dict[bytes, Generated] = {}
        self._failed = False
        self._turns = WeakValueDictionary[bytes, asyncio.Lock]()

    def __enter__(self) -> AnswerCache:
        try:
            if self._path is not None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(self._path or ":memory:", isolation_level=None, timeout=60)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._base.execute(_TABLE)
        except (sqlite3.Error, OSError) as error:
            raise InputError(f"{self._path}: no file of kept answers: {error}") from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.keep()
        finally:
            base, self._base = self._base, None
            if base is not None:
                base.close()

    def turn(self, key: bytes) -> asyncio.Lock:
        """To be held while it is asked for: who asks the same at once waits, and finds it."""
        return self._turns.setdefault(key, asyncio.Lock())

    def get(self, key: bytes) -> Generated | None:
        """The answer, if it was given before. Raises WorkError when the file can't be read."""
        assert self._base is not None
        if key in self._pending:
            return self._pending[key]
        try:
            row = self._base.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise WorkError(f"{self._path}: kept answers can't be read: {error}") from None
        if row is None:
            return None
        text, finish, prompt_tokens, completion_tokens = json.loads(row[0])
        return Generated(text, (), finish, prompt_tokens, completion_tokens)

    def put(self, key: bytes, answer: Generated) -> None:
        """Keep it: at the end of this turn of the event loop, or now where there is none.

        Raises WorkError when the disk has failed; the answer waits with the others then.
        """
        first = not self._pending
        self._pending[key] = answer
        if self._failed or len(self._pending) >= MOST_PENDING:
            self.keep()
        elif first:
            self._later()

    def keep(self) -> None:
        """All that is not in the file yet. Raises WorkError when the disk fails."""
        assert self._base is not None
        if not self._pending:
            return
        rows = [(key, _row(answer)) for key, answer in self._pending.items()]
        try:
            self._base.execute("BEGIN")
            self._base.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            self._failed = True
            raise WorkError(f"{self._path}: an answer can't be kept: {error}") from None
        self._pending.clear()
        self._failed = False

    def _later(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.keep()
        else:
            loop.call_soon(self._try)

    def _try(self) -> None:
        """A failure is told to whoever puts or ends next."""
        if self._base is not None:
            with suppress(WorkError):
                self.keep()


def _row(answer: Generated) -> str:
    counts = (answer.prompt_tokens, answer.completion_tokens)
    told = ", ".join(["null" if count is None else str(count) for count in counts])
    return f"[{json.dumps(answer.text)}, {json.dumps(answer.finish)}, {told}]"


def key_of(model: str, messages: Sequence[Message], sampling: Sampling, draw: int) -> bytes:
    """Of all that the answer hangs on."""
    told = ", ".join(map(_message, messages))
    return hashlib.sha256(f"[{_head(model, sampling, draw)}, {told}]".encode()).digest()[:20]


@lru_cache(maxsize=256)
def _head(model: str, sampling: Sampling, draw: int) -> str:
    drawn = [
        sampling.max_tokens,
        sampling.temperature,
        sampling.top_p,
        sampling.seed,
        sampling.schema,
    ]
    return json.dumps([model, draw, drawn])[1:-1]


def _message(message: Message) -> str:
    """As JSON."""
    return _instructions(message) if message.role == "system" else _plain_message(message)


def _plain_message(message: Message) -> str:
    return f'["{message.role}", {", ".join(map(_part, message.parts))}]'


_instructions = lru_cache(maxsize=64)(_plain_message)
"""The same in thousands of questions."""


def _part(part: Part) -> str:
    match part:
        case Text(text):
            return f'["text", {json.dumps(text)}]'
        case Image(data) | Audio(data):
            return json.dumps([type(part).__name__, hashlib.sha256(data).hexdigest()])
        case Video(frames, fps):
            digest = hashlib.sha256()
            for frame in frames:
                digest.update(hashlib.sha256(frame.data).digest())
            return json.dumps(["video", str(fps), digest.hexdigest()])

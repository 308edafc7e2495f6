"""Raw answers of models by what was asked: nothing is paid twice, whatever ends a run.

One SQLite file; each answer is in it before it is used. A killed process loses none.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from strad.errors import InputError, WorkError
from strad_engines.messages import Audio, Generated, Image, Message, Part, Sampling, Text, Video

_TABLE = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer TEXT) WITHOUT ROWID"


class AnswerCache:
    """Use as a context manager. Without a path it is held in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._base: sqlite3.Connection | None = None

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
        base, self._base = self._base, None
        if base is not None:
            base.close()

    def get(self, key: bytes) -> Generated | None:
        """The answer, if it was given before."""
        assert self._base is not None
        row = self._base.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        text, finish, prompt_tokens, completion_tokens = json.loads(row[0])
        return Generated(text, (), finish, prompt_tokens, completion_tokens)

    def put(self, key: bytes, answer: Generated) -> None:
        """Keep it. Raises WorkError when the disk fails."""
        assert self._base is not None
        told = [answer.text, answer.finish, answer.prompt_tokens, answer.completion_tokens]
        try:
            self._base.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, json.dumps(told))
            )
        except sqlite3.Error as error:
            raise WorkError(f"{self._path}: an answer can't be kept: {error}") from None


def key_of(model: str, messages: Sequence[Message], sampling: Sampling, draw: int) -> bytes:
    """Of all that the answer hangs on."""
    told: list[Any] = [model, draw, _sampling(sampling)]
    told += [[message.role, *map(_part, message.parts)] for message in messages]
    return hashlib.sha256(json.dumps(told).encode()).digest()[:20]


def _sampling(sampling: Sampling) -> list[Any]:
    return [
        sampling.max_tokens,
        sampling.temperature,
        sampling.top_p,
        sampling.seed,
        sampling.schema,
    ]


def _part(part: Part) -> list[str]:
    match part:
        case Text(text):
            return ["text", text]
        case Image(data) | Audio(data):
            return [type(part).__name__, hashlib.sha256(data).hexdigest()]
        case Video(frames, fps):
            digest = hashlib.sha256()
            for frame in frames:
                digest.update(hashlib.sha256(frame.data).digest())
            return ["video", str(fps), digest.hexdigest()]

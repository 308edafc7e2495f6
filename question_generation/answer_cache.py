"""Raw answers of models by what was asked: nothing is paid twice, whatever ends a run.

One SQLite file. Answers that come in one turn of the event loop go in together, at its end: before
the process waits for anything again. What a killed process loses is what it had not waited after.
What is looked up in one turn is read in one transaction: each by itself would lock the file anew.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from question_generation.claims import Claims
from strad.errors import InputError, WorkError
from strad.text_file import refuse_folder, refuse_output
from strad_engines.messages import Generated

_json = json.JSONEncoder().encode
MOST_PENDING = 1000
"""Answers that wait for the end of a turn."""
LOG_PAGES = 8_000
"""Of SQLite's log, 4 KiB each, before they go to their places: keys lie anywhere, so each turn
writes many of the same pages anew."""
_FIRST = b"SQLite format 3\0"
_TABLE = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer TEXT)"
"""Answers lie as they came, only their keys are sorted: fewer pages to write. Earlier files, made
``WITHOUT ROWID``, are read and written by the same words."""


def refuse_cache(path: Path) -> None:
    """Raise InputError where answers can't be kept: to ask before a model is opened."""
    refuse_folder(path.parent)
    if path.parent.is_dir():
        refuse_output(path, overwrite=True)
    if not path.exists():
        return
    if not os.access(path, os.R_OK | os.W_OK):
        raise InputError(f"{path}: can't be read and written: no permission")
    with path.open("rb") as file:
        if file.read(len(_FIRST)) not in (b"", _FIRST):
            raise InputError(f"{path}: is no file of kept answers; name another")


class AnswerCache:
    """Use as a context manager. Without a path it is held in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._base: sqlite3.Connection | None = None
        self._pending: dict[bytes, Generated] = {}
        self._failed = False
        self._ends = False
        self.claims = Claims()
        """Of keys that are asked for: to be held until the answer is put."""

    def __enter__(self) -> AnswerCache:
        try:
            if self._path is not None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(self._path or ":memory:", isolation_level=None, timeout=60)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._base.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
            self._base.execute(_TABLE)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise InputError(f"{self._path}: can't be written: {why}") from None
        except sqlite3.Error as error:
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

    def get(self, key: bytes) -> Generated | None:
        """The answer, if it was given before. Raises WorkError when the file can't be read."""
        assert self._base is not None
        if key in self._pending:
            return self._pending[key]
        try:
            if self._at_turns_end() and not self._base.in_transaction:
                self._base.execute("BEGIN")
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
        self._pending[key] = answer
        if self._failed or len(self._pending) >= MOST_PENDING or not self._at_turns_end():
            self.keep()

    def keep(self) -> None:
        """All that is not in the file yet. Raises WorkError when the disk fails."""
        assert self._base is not None
        rows = [(key, _row(answer)) for key, answer in self._pending.items()]
        try:
            if self._base.in_transaction:
                self._base.execute("COMMIT")
            if not rows:
                return
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

    def _at_turns_end(self) -> bool:
        """See that the turn of the event loop ends with ``_end_turn``; False: there is no loop."""
        if not self._ends:
            try:
                asyncio.get_running_loop().call_soon(self._end_turn)
            except RuntimeError:
                return False
            self._ends = True
        return True

    def _end_turn(self) -> None:
        """A failure is told to whoever puts or ends next."""
        self._ends = False
        if self._base is not None:
            with suppress(WorkError):
                self.keep()


def _row(answer: Generated) -> str:
    counts = (answer.prompt_tokens, answer.completion_tokens)
    told = ", ".join(["null" if count is None else str(count) for count in counts])
    return f"[{_json(answer.text)}, {_json(answer.finish)}, {told}]"

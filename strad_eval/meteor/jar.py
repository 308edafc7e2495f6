"""One long-lived METEOR process, asked many pairs at a time and never waited for without limit."""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import IO

import numpy as np

from strad.errors import WorkError
from strad_eval.java import LOCALE, Jars
from strad_eval.meteor.statistics import WIDTH, Counts

START_TIMEOUT_S = 180.0
"""Loading the paraphrase table takes 4 to 11 s; more on a busy machine."""
ANSWER_TIMEOUT_S = 30.0
"""The longest silence while pairs are outstanding. One pair takes 0.1 to 3 ms."""
BATCH = 128
"""Pairs asked at once. Their answers (about 100 bytes each) must fit the pipe's 64 KiB, or both
sides would wait for each other."""
BATCH_BYTES = 32_768
"""The questions of a batch, in bytes, likewise; a longer pair goes alone."""

_MODE = ("-", "-", "-stdio", "-l", "en", "-norm")

Pair = tuple[str, str]
"""Reference and hypothesis, as tokens joined by spaces."""


class MeteorJar:
    """The counts of pairs, each asked once. Use as a context manager; ``start`` warms it up."""

    def __init__(
        self,
        jars: Jars,
        *,
        start_timeout_s: float = START_TIMEOUT_S,
        answer_timeout_s: float = ANSWER_TIMEOUT_S,
    ) -> None:
        self._jars = jars
        self._start_timeout_s = start_timeout_s
        self._answer_timeout_s = answer_timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None
        self._ready = False
        self._unread = b""
        self._row: dict[Pair, int] = {}
        self._table: Counts = np.empty((0, WIDTH))

    def __enter__(self) -> MeteorJar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def asked(self) -> int:
        """How many different pairs it was asked for."""
        return len(self._row)

    def start(self) -> None:
        """Start the process, if it isn't running; it loads its tables while others work."""
        if self._process is not None:
            return
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 closed in stop()
        self._unread, self._ready = b"", False
        try:
            self._process = subprocess.Popen(
                [self._jars.java, "-Xmx2G", *LOCALE, "-jar", self._jars.meteor.name, *_MODE],
                cwd=self._jars.meteor.parent,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                bufsize=0,
            )
        except OSError as error:
            raise WorkError(f"METEOR did not start: {error}") from error

    def stop(self) -> None:
        """End the process. Safe to call twice."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
        if self._complaints is not None:
            self._complaints.close()
            self._complaints = None

    def counts(self, pairs: Sequence[Pair]) -> Counts:
        """The counts of each (reference, hypothesis), shape (n, 23).

        A process that dies or hangs is started again and asked once more; WorkError after that.
        """
        clean = [(_plain(reference), _plain(hypothesis)) for reference, hypothesis in pairs]
        missing = [pair for pair in dict.fromkeys(clean) if pair not in self._row]
        if missing:
            answers = [line for batch in _batches(missing) for line in self._ask_twice(batch)]
            read = np.array([line.split() for line in answers], dtype=np.float64)
            self._row.update((pair, len(self._table) + n) for n, pair in enumerate(missing))
            self._table = np.concatenate([self._table, read])
        return self._table[[self._row[pair] for pair in clean]]

    def _ask_twice(self, batch: list[Pair]) -> list[str]:
        try:
            return self._ask(batch)
        except WorkError:
            self.stop()
        try:
            return self._ask(batch)
        except WorkError:
            self.stop()
            raise

    def _ask(self, batch: list[Pair]) -> list[str]:
        self.start()
        self._send(b"".join(map(_question, batch)))
        return [self._answer() for _ in batch]

    def _send(self, questions: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        to = self._process.stdin.fileno()
        try:
            while questions:
                if not select.select([], [to], [], self._limit)[1]:
                    raise WorkError(f"METEOR takes no question since {self._limit:.0f} s")
                # A pipe that select calls writable takes PIPE_BUF bytes without blocking.
                questions = questions[os.write(to, questions[: select.PIPE_BUF]) :]
        except OSError as error:
            raise WorkError(f"METEOR stopped: {self._complaint()}") from error

    @property
    def _limit(self) -> float:
        return self._answer_timeout_s if self._ready else self._start_timeout_s

    def _answer(self) -> str:
        line = self._line().decode(errors="replace").strip()
        self._ready = True
        if len(line.split()) != WIDTH:
            raise WorkError(f"METEOR answered {line[:80]!r}")
        return line

    def _line(self) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        out = self._process.stdout.fileno()
        while b"\n" not in self._unread:
            if not select.select([out], [], [], self._limit)[0]:
                raise WorkError(f"METEOR gave no answer in {self._limit:.0f} s")
            read = os.read(out, 65_536)
            if not read:
                raise WorkError(f"METEOR stopped: {self._complaint()}")
            self._unread += read
        line, self._unread = self._unread.split(b"\n", 1)
        return line

    def _complaint(self) -> str:
        """The first line of what the process said on its way out."""
        if self._complaints is None:
            return "no message"
        self._complaints.seek(0)
        text = self._complaints.read(4096).decode(errors="replace").strip()
        return text.splitlines()[0] if text else "no message"


def _question(pair: Pair) -> bytes:
    return f"SCORE ||| {pair[0]} ||| {pair[1]}\n".encode()


def _plain(tokens: str) -> str:
    """Tokens that cannot break the protocol: one line, no separator, single spaces."""
    return " ".join(tokens.replace("|||", " ").split())


def _batches(pairs: Iterable[Pair]) -> Iterable[list[Pair]]:
    batch: list[Pair] = []
    size = 0
    for pair in pairs:
        length = len(_question(pair))
        if batch and (len(batch) == BATCH or size + length > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(pair)
        size += length
    if batch:
        yield batch

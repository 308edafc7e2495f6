"""Counts from one long-lived METEOR process, asked many pairs at a time and none twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType

import numpy as np

from strad.errors import WorkError
from strad_eval.java import Jars
from strad_eval.meteor.process import MeteorProcess
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
        self._timeouts = start_timeout_s, answer_timeout_s
        self._process: MeteorProcess | None = None
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
        if self._process is None:
            self._process = MeteorProcess(self._jars, *self._timeouts)

    def stop(self) -> None:
        """End the process. Safe to call twice."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()

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
        assert self._process is not None
        self._process.send(b"".join(map(_question, batch)))
        answers = [self._process.line() for _ in batch]
        for answer in answers:
            if len(answer.split()) != WIDTH:
                raise WorkError(f"METEOR answered {answer[:80]!r}")
        return answers


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

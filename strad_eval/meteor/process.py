"""The METEOR program as a process: questions in, lines out, never waited for without a limit."""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
from typing import IO

from strad.errors import WorkError
from strad_eval.java import LOCALE, Jars

_MODE = ("-", "-", "-stdio", "-l", "en", "-norm")


class MeteorProcess:
    """One run of the jar. After a WorkError it is of no more use: ``stop`` it.

    ``start_timeout_s`` limits the wait for the first answer, ``answer_timeout_s`` for each later.
    """

    def __init__(self, jars: Jars, start_timeout_s: float, answer_timeout_s: float) -> None:
        self._limit, self._later_limit = start_timeout_s, answer_timeout_s
        self._unread = b""
        self._complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 closed in stop()
        command = [jars.java, "-Xmx2G", *LOCALE, "-jar", jars.meteor.name, *_MODE]
        try:
            self._process = subprocess.Popen(
                command,
                cwd=jars.meteor.parent,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                bufsize=0,
            )
        except OSError as error:
            self._complaints.close()
            raise WorkError(f"METEOR did not start: {error}") from error

    def stop(self) -> None:
        """End it. Safe to call twice."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._complaints):
            if pipe is not None:
                pipe.close()

    def send(self, questions: bytes) -> None:
        """Write the questions. Raises WorkError when they are not taken in time."""
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

    def line(self) -> str:
        """The next line it says. Raises WorkError when none comes in time."""
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
        self._limit = self._later_limit
        return line.decode(errors="replace").strip()

    def _complaint(self) -> str:
        """The first line of what it said on its way out."""
        self._complaints.seek(0)
        text = self._complaints.read(4096).decode(errors="replace").strip()
        return text.splitlines()[0] if text else "no message"

"""A real redis-server for tests: on a free loopback port, in a folder of its own, ended by pid."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PROGRAM = shutil.which("redis-server")

GUARDED = '"$@" <&- & child=$!; trap "kill -9 $child" EXIT; read -r gone; exit 0'
"""Runs a program for as long as somebody holds our standard input open. In a session of its own, so
that no signal meant for the tests ends it before what it guards."""


class RedisServer:
    """May be killed and started again over the same files."""

    def __init__(self, folder: Path, *options: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port: int = probe.getsockname()[1]
        self._folder = folder
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Return once it answers."""
        assert PROGRAM is not None
        words = [
            *(PROGRAM, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""),
            *("--dir", str(self._folder), "--appendonly", "yes", "--appendfsync", "always"),
            *("--pidfile", str(self._folder / "pid"), "--daemonize", "no", *self._options),
        ]
        self._process = subprocess.Popen(
            ["sh", "-c", GUARDED, "redis-guard", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.wait()

    def kill(self) -> None:
        """As ``kill -9`` does."""
        guard, self._process = self._process, None
        if guard is not None:
            assert guard.stdin is not None
            guard.stdin.close()
            guard.wait(10)
        while self._answers():
            time.sleep(0.01)

    def pause(self, paused: bool) -> None:
        """Stop answering, without a word; or go on."""
        pid = int((self._folder / "pid").read_text())
        os.kill(pid, signal.SIGSTOP if paused else signal.SIGCONT)

    def empty(self) -> None:
        """Forget everything."""
        self.ask("FLUSHALL")

    def ask(self, *words: str) -> bytes:
        """One command; the beginning of what it answers."""
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
            parts = b"".join(
                b"$%d\r\n%b\r\n" % (len(word), word) for word in map(str.encode, words)
            )
            connection.sendall(b"*%d\r\n%b" % (len(words), parts))
            return connection.recv(4_096)

    def wait(self, limit: float = 20.0) -> None:
        until = time.monotonic() + limit  # noqa: TID251 - a real process is waited for
        while not self._answers():
            assert time.monotonic() < until, "redis-server does not come up"  # noqa: TID251
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            return self.ask("PING").startswith(b"+PONG")
        except OSError:
            return False


@contextmanager
def running_redis(folder: Path, *options: str) -> Iterator[RedisServer]:
    """A server that is gone when the block, or this process, ends."""
    if PROGRAM is None:
        pytest.skip("redis-server is not installed (Debian package redis-server)")
    server = RedisServer(folder, *options)
    server.start()
    try:
        yield server
    finally:
        server.kill()

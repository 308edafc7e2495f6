"""One run at a time: a folder, or a file, that a run works in is its own while it does.

The kernel holds the lock, so a run that was killed has let go of it, and nothing is left behind.
Processes that it forked don't hold it: they may outlive it for a while.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from strad.errors import InputError, WorkError

_HELD = {errno.EWOULDBLOCK, errno.EACCES}
_open: set[int] = set()


@contextmanager
def only_run(path: Path) -> Iterator[None]:
    """Hold ``path``, which must be there, for this process alone.

    Raises WorkError where another run has it, InputError where it can't be opened. A file system
    that knows no locks (some network ones) holds nobody off.
    """
    try:
        lock = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: can't be opened: {why}") from None
    _open.add(lock)
    try:
        _take(lock, path)
        yield
    finally:
        _close(lock)


def _take(lock: int, path: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _HELD:
            raise WorkError(f"{path}: another run works in it; wait, or name another") from None


def _close(lock: int) -> None:
    if lock in _open:  # a forked process has closed its own
        _open.discard(lock)
        os.close(lock)


def _let_go() -> None:
    for lock in tuple(_open):
        _close(lock)


os.register_at_fork(after_in_child=_let_go)

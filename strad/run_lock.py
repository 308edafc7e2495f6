"""One run at a time: a folder, or a file, that a run works in is its own while it does.

The kernel holds the lock, so a run that was killed has let go of it, and nothing is left behind.
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
    try:
        _take(lock, path)
        yield
    finally:
        os.close(lock)


def _take(lock: int, path: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _HELD:
            raise WorkError(f"{path}: another run works in it; wait, or name another") from None

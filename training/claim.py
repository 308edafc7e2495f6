"""Whose a run's folder is: of these choices and this data, and one process's while it runs."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from strad.errors import InputError, WorkError
from strad.run_lock import only_run
from training.config import FitConfig
from training.run_folder import RunFolder

_FAULTS_OF_DISKS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
_NOT_ALLOWED = {errno.EACCES, errno.EPERM, errno.EROFS}


@contextmanager
def claimed(folder: Path, config: FitConfig, made_of: Mapping[str, str]) -> Iterator[RunFolder]:
    """The folder, made or found to be this run's, and nobody else's until the end.

    ``made_of``: digests of what it is made of, beside its choices. Of a run in several processes
    the first one sees to all of this. Raises InputError where it is another's or can't be written,
    WorkError where another run works in it, or the disk is full.
    """
    run = RunFolder(folder)
    with _in_one_line(folder):
        if os.environ.get("RANK", "0") != "0":
            yield run
            return
        _made(folder)
        with only_run(folder):
            run.begin(config, made_of)
            yield run


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"{folder}: is a file; name a folder") from None
    except OSError as error:
        raise InputError(f"{folder}: can't be made: {_why(error)}") from None


@contextmanager
def _in_one_line(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        told = f"{error.filename or folder}: {_why(error)}"
        if error.errno in _NOT_ALLOWED:
            raise InputError(told) from error
        if error.errno in _FAULTS_OF_DISKS:
            raise WorkError(told) from error
        raise


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()

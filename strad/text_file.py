"""Text files: read with errors a person can act on, written whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from strad.errors import FormatError, InputError, WorkError

_DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def read_text(path: Path) -> str:
    """The file's text, line ends as they are, without a byte order mark.

    Raises InputError if it can't be read, FormatError with the line of a byte that isn't UTF-8.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: can't be read: {_why(error)}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        what = f"not UTF-8: byte 0x{error.object[error.start]:02x}"
        raise FormatError(what, file=str(path), line=line) from None


def write_text(path: Path, text: str, *, overwrite: bool = False) -> None:
    """Write the whole file at once. Errors are ``staged``'s."""
    with staged(path, overwrite=overwrite) as file:
        file.write(text)


@contextmanager
def staged(path: Path, *, overwrite: bool = False) -> Iterator[TextIO]:
    """A file to write to, which gets its name ``path`` when the block ends without an error.

    Until then it lies beside it under another name; after an error nothing is left. Raises
    ``refuse_output``'s errors before the block starts, WorkError when the disk fails or is full.
    """
    _refuse(path, overwrite=overwrite)
    target = Path(os.path.realpath(path))
    draft = _draft(target)
    try:
        with _create(draft, path) as file:
            yield file
        _refuse(path, overwrite=overwrite)
        draft.replace(target)
    except OSError as error:
        if error.errno in _DISK_ERRORS:
            raise WorkError(f"{path}: can't be written: {_why(error)}") from None
        raise
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


def refuse_output(path: Path, *, overwrite: bool = False, option: str = "") -> None:
    """Raise InputError if ``path`` can't be written: to ask before the work, not after it.

    It must not exist unless ``overwrite``; a folder, device or pipe is never replaced. A file is
    made beside it and taken away: no permission says as surely what a file system lets be made.

    ``option``: by which a person asks to replace it, for the message.
    """
    _refuse(path, overwrite=overwrite, option=option)
    trial = _draft(Path(os.path.realpath(path)))
    _create(trial, path).close()
    trial.unlink(missing_ok=True)


def require_folder(path: Path) -> None:
    """Raise InputError where the folder that is to be read is not there."""
    if not path.is_dir():
        why = "is no folder" if path.exists() else "can't be read: no such file or directory"
        raise InputError(f"{path}: {why}")


def refuse_folder(path: Path) -> None:
    """Raise InputError if no file can be written in the folder ``path``, nor it be made.

    To ask before the work: nothing is left behind. The folders above it may have to be made too.
    """
    try:
        above = (path, *path.absolute().parents)
        there = next(one for one in above if one.exists() or one.is_symlink())
        if not there.is_dir():
            raise InputError(f"{path}: can't be written: {there} is no folder")
        if not os.access(there, os.W_OK | os.X_OK):
            raise InputError(f"{path}: can't be written: no permission in {there}")
    except OSError as error:
        raise InputError(f"{path}: can't be written: {_why(error)}") from None
    trial = _draft(there / "folder")
    _create(trial, path).close()
    trial.unlink(missing_ok=True)


def _refuse(path: Path, *, overwrite: bool, option: str = "") -> None:
    try:
        exists, regular, folder = path.exists(), path.is_file(), path.is_dir()
    except OSError as error:
        raise InputError(f"{path}: can't be written: {_why(error)}") from None
    if folder:
        raise InputError(f"{path}: is a folder; name a file in it")
    if exists and not regular:
        raise InputError(f"{path}: is not a regular file")
    if exists and not overwrite:
        how = f"replace it with {option}" if option else "ask to replace it"
        raise InputError(f"{path}: exists already; name another file, or {how}")
    known = path.parent.is_dir()
    if not known or not os.access(path.parent, os.W_OK | os.X_OK):
        why = "no permission in" if known else "there is no folder"
        raise InputError(f"{path}: can't be written: {why} {path.parent}")


def _draft(target: Path) -> Path:
    """What ``target`` is called until it is whole."""
    return target.with_name(f".strad-{secrets.token_hex(8)}.part")


def _create(draft: Path, path: Path) -> TextIO:
    try:
        return draft.open("x", encoding="utf-8", newline="")
    except OSError as error:
        kind = WorkError if error.errno in _DISK_ERRORS else InputError
        raise kind(f"{path}: can't be written: {_why(error)}") from None


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()

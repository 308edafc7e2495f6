"""A data set's folder: what in it is ours, so that nothing of somebody else's is written over.

A folder without a data set is ours from the mark that the first run leaves in it to the end of the
one that finishes. Files are known by their names; others are left where they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from strad.errors import InputError
from strad.text_file import read_text, refuse_folder, write_text
from training.dataset import DATASET, SPLITS

BEGUN = ".begun"
"""The mark of a data set that isn't finished."""
TRANSCRIPTS = "transcripts"
"""What was recognised is kept there, before there is anything else."""
_SHARD = re.compile(rf"({'|'.join(SPLITS)})-[0-9]{{5,}}\.tar")
_TRIAL = re.compile(r"\.strad-[0-9a-f]{16}\.part")
"""A file that was not finished, or only tried: it says nothing of whose the folder is."""
_PART = re.compile(
    rf"[A-Za-z0-9-]*[0-9a-f]{{8}}(\.look\.json|\.json|-[0-9]{{5,}}\.tar)|{_TRIAL.pattern}"
)


@contextmanager
def made_for_work(folder: Path) -> Iterator[None]:
    """``make`` it; what was made and is still empty goes again where the work is refused."""
    new = [path for path in (folder, *folder.absolute().parents) if not path.exists()]
    make(folder)
    try:
        yield
    except InputError:
        for path in new:
            with suppress(OSError):
                path.rmdir()
        raise


def make(folder: Path) -> None:
    """The folder, where it isn't there. Raises InputError where it can't be written."""
    refuse_folder(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {(error.strerror or str(error)).lower()}") from None


def must_be_ours(folder: Path) -> None:
    """Raise InputError unless the folder holds nothing, or a data set that is whole or begun."""
    if (folder / DATASET).exists():
        if not _is_data_set(folder / DATASET):
            raise InputError(f"{folder}: its {DATASET} is not of examples: name another folder")
        return
    try:
        names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    except OSError as error:
        raise InputError(f"{folder}: {(error.strerror or str(error)).lower()}") from None
    other = sorted(name for name in names - {TRANSCRIPTS} if not _TRIAL.fullmatch(name))
    if other and BEGUN not in names:
        raise InputError(f"{folder}: holds {other[0]}, and no data set: name another folder")


def is_ours(folder: Path) -> bool:
    """Whether it holds a data set that is whole or begun; ``must_be_ours`` has let it pass."""
    return (folder / DATASET).exists() or (folder / BEGUN).exists()


def begin(folder: Path) -> None:
    """Mark it as ours. Raises InputError where it can't be written."""
    write_text(folder / BEGUN, "strad-train works here\n", overwrite=True)


def end(folder: Path) -> None:
    """The data set is finished, and tells itself whose the folder is."""
    (folder / BEGUN).unlink(missing_ok=True)


def shards_in(folder: Path) -> list[Path]:
    """Those of ``prepare``; those of corrections are not among them."""
    return [path for path in folder.iterdir() if _SHARD.fullmatch(path.name)]


def parts_in(folder: Path) -> list[Path]:
    """What a run has put into the folder of parts."""
    return [path for path in folder.iterdir() if _PART.fullmatch(path.name)]


def _is_data_set(path: Path) -> bool:
    try:
        about = json.loads(read_text(path))
    except ValueError:
        return False
    return isinstance(about, dict) and about.get("strad") == "training-data"

"""What a command can know to be wrong before it opens a model, makes a folder or hears a film."""

from __future__ import annotations

from pathlib import Path

from question_generation.answer_cache import refuse_cache
from question_generation.ray_crew import require_ray
from question_generation.run import Run
from strad.errors import InputError


def must_begin(job: Run, cache: Path, actors: int = 0, clips: Path | None = None) -> None:
    """Raise InputError for input or output of no use, MissingModelError without what it needs.

    The first step need not be ready. When it is, ``Run.check`` finds what is left.
    """
    if clips is not None:
        must_be_folder(clips)
    job.check_files()
    refuse_cache(cache)
    if actors:
        require_ray()


def must_be_folder(path: Path) -> None:
    """Raise InputError where the folder that is to be read is not there."""
    if not path.is_dir():
        why = "is no folder" if path.exists() else "can't be read: no such file or directory"
        raise InputError(f"{path}: {why}")

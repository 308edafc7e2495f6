"""What a command can know to be wrong before it opens a model, makes a folder or hears a film."""

from __future__ import annotations

from pathlib import Path

from question_generation.answer_cache import refuse_cache
from question_generation.intake import require_records
from question_generation.ray_crew import require_ray
from question_generation.run import Run
from question_generation.run_about import refuse_loss
from strad.errors import InputError
from strad.text_file import refuse_folder


def must_work(job: Run, cache: Path, actors: int = 0) -> None:
    """Raise InputError for input or output of no use, MissingModelError without what it needs."""
    job.check()
    refuse_cache(cache)
    if actors:
        require_ray()


def must_begin(job: Run, cache: Path, actors: int, clips: Path | None) -> None:
    """The same of a run whose first step is not ready yet: what can be known of it so early."""
    if clips is not None:
        must_be_folder(clips)
    refuse_folder(job.folder)
    refuse_loss(job.folder, job.source)
    require_records(job.source, job.pipeline.steps[0].reads, job.limit)
    refuse_cache(cache)
    if actors:
        require_ray()


def must_be_folder(path: Path) -> None:
    """Raise InputError where the folder that is to be read is not there."""
    if not path.is_dir():
        why = "is no folder" if path.exists() else "can't be read: no such file or directory"
        raise InputError(f"{path}: {why}")

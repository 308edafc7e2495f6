"""What a command can know to be wrong before it opens a model, makes a folder or hears a film."""

from __future__ import annotations

from pathlib import Path

from question_generation.answer_cache import refuse_cache
from question_generation.ray_crew import require_ray
from question_generation.run import Run
from strad.text_file import require_folder


def must_begin(job: Run, cache: Path, actors: int = 0, clips: Path | None = None) -> None:
    """Raise InputError for input or output of no use, MissingModelError without what it needs.

    The first step need not be ready. When it is, ``Run.check`` finds what is left.
    """
    if clips is not None:
        require_folder(clips)
    job.check_files()
    refuse_cache(cache)
    if actors:
        require_ray()

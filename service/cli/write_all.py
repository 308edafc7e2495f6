"""Writing all that a command leaves behind: what fails costs only itself."""

from __future__ import annotations

from collections.abc import Callable

from strad.errors import StradError, WorkError


def write_all(*writes: Callable[[], None]) -> None:
    """Each file in turn, whatever became of those before it: the most needed comes first.

    Raises WorkError that names all that could not be written. A pipe whose reader went away
    raises BrokenPipeError, after the others.
    """
    failed: list[str] = []
    broken: BrokenPipeError | None = None
    for write in writes:
        try:
            write()
        except BrokenPipeError as error:
            broken = error
        except StradError as error:
            failed.append(str(error))
        except OSError as error:
            failed.append(f"{error.filename or 'output'}: {(error.strerror or str(error)).lower()}")
    if failed:
        rest = "; all else is written" if broken is None and len(failed) < len(writes) else ""
        raise WorkError("; ".join(failed) + rest)
    if broken is not None:
        raise broken

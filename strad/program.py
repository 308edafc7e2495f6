"""How a program ends on an error: one line on standard error, and a code that scripts can test."""

from __future__ import annotations

import sys
from collections.abc import Callable

from strad.errors import StradError, WorkError


def run_program(name: str, program: Callable[[], object]) -> None:
    """Call ``program``; exit by what it raises: 2 for bad usage or input, 1 where work failed.

    ``name`` begins the line. Where the reader of the output has gone there is nobody to tell.
    """
    try:
        program()
    except StradError as error:
        sys.stderr.write(f"{name}: {error}\n")
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        # A full or closed output, a file that vanished: the system's own word for it.
        where = f"{error.filename}: " if error.filename else "output: "
        sys.stderr.write(f"{name}: {where}{(error.strerror or str(error)).lower()}\n")
        sys.exit(WorkError.exit_code)

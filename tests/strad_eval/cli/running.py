"""The program as people run it."""

from __future__ import annotations

import sys

from strad_eval.cli import main as program


def run(*arguments: object) -> int:
    """The exit status of ``strad-eval`` with these arguments."""
    before, sys.argv = sys.argv, ["strad-eval", *map(str, arguments)]
    try:
        program.main()
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        sys.argv = before
    return 0

"""The ``strad`` command line: one file a command.

``main`` is what the console script calls. It is light, so that Ctrl-C is heard while the commands
and their libraries are still being imported.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType


def main() -> None:
    """Run a command; see ``service.cli.main``."""
    signal.signal(signal.SIGINT, _leave)
    from service.cli.main import main as command

    try:
        command()
    except SystemExit as ended:
        if ended.code == 128 + signal.SIGINT:
            _leave(signal.SIGINT, None)
        raise


def _leave(number: int, frame: FrameType | None) -> None:
    """Go at once: model threads that are still at work would abort an orderly end."""
    del frame
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            pass
    os._exit(128 + number)

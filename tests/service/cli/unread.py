"""``strad`` as a process whose standard output nobody reads any more."""

from __future__ import annotations

import os
import subprocess
import sys

from tests import tree


def unread(*words: str) -> int:
    """Its exit code."""
    reading, writing = os.pipe()
    os.close(reading)
    program = [sys.executable, "-c", "from service.cli import main; main()", *words]
    try:
        ended = subprocess.run(program, cwd=tree.ROOT, stdout=writing, timeout=120, check=False)
    finally:
        os.close(writing)
    return ended.returncode

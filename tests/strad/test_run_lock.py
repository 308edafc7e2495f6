"""Only one run works in a folder; one that was killed has let go of it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from strad.errors import InputError, WorkError
from strad.run_lock import only_run

pytestmark = pytest.mark.unit

HOLD = """
import sys
from pathlib import Path
from strad.run_lock import only_run
with only_run(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_another_run_is_refused_and_a_killed_one_leaves_nothing(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"held\n"
        with pytest.raises(WorkError, match="another run works in it"), only_run(tmp_path):
            pass
        run.send_signal(signal.SIGKILL)
    with only_run(tmp_path):
        assert list(tmp_path.iterdir()) == []
    with only_run(tmp_path):
        pass


FORK = HOLD.replace("import sys", "import os, sys").replace(
    "    print", "    if not os.fork():\n        os._exit(len(sys.stdin.read()))\n    print"
)


def test_a_forked_reader_that_outlives_a_killed_run_does_not_hold_it(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FORK, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"held\n"
        run.send_signal(signal.SIGKILL)
        run.wait(60)
        with only_run(tmp_path):
            pass


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be opened"), only_run(tmp_path / "none"):
        pass

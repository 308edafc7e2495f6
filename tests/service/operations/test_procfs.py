"""What Linux says of a process: from files written as it writes them, and the real ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.operations.procfs import cores, memory_used, usage

pytestmark = pytest.mark.unit

STAT = "{pid} (a (b) name) S 1 1 1 0 -1 0 0 0 0 0 {u} {s} {cu} {cs} 20 0 1 0 5 0 0"


def write(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_time_is_that_of_the_process_and_of_the_children_that_live(tmp_path: Path) -> None:
    write(tmp_path, self__stat=STAT.format(pid=1, u=100, s=20, cu=3, cs=7))
    write(tmp_path / "self" / "task" / "1", children="7 8 9 ")
    write(tmp_path / "7", stat=STAT.format(pid=7, u=50, s=0, cu=0, cs=0))
    write(tmp_path / "8", stat=STAT.format(pid=8, u=0, s=20, cu=0, cs=0))
    found = usage(tmp_path)
    assert found is not None
    assert found.cpu * os.sysconf("SC_CLK_TCK") == pytest.approx(200)
    assert found.children == 2, "9 was gone when it was looked at"


def test_the_real_process_has_its_children() -> None:
    before = usage()
    if before is None:
        pytest.skip("this system has no /proc")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        now = usage()
        assert now is not None
        child.communicate(b"\n")
    assert now.children == before.children + 1
    assert now.cpu >= before.cpu


@pytest.mark.parametrize(
    ("quota", "wanted"), [("50000 100000", 0.5), ("max 100000", None), ("", None)]
)
def test_cores_are_those_of_the_quota(tmp_path: Path, quota: str, wanted: float | None) -> None:
    write(tmp_path, **{"cpu.max": quota})
    assert cores(tmp_path) == (wanted or len(os.sched_getaffinity(0)))


def test_the_containers_memory_counts_without_what_could_be_dropped(tmp_path: Path) -> None:
    group = write(
        tmp_path / "2",
        **{"memory.current": "900", "memory.max": "1000", "memory.stat": "inactive_file 300\n"},
    )
    assert memory_used(tmp_path, group) == pytest.approx(0.6)
    group = write(
        tmp_path / "1",
        **{
            "memory/memory.usage_in_bytes": "900",
            "memory/memory.limit_in_bytes": "1000",
            "memory/memory.stat": "total_inactive_file 500\n",
        },
    )
    assert memory_used(tmp_path, group) == pytest.approx(0.4)


def test_the_machines_memory_counts_where_it_is_scarcer(tmp_path: Path) -> None:
    write(tmp_path, meminfo="MemTotal:  1000 kB\nMemFree: 10 kB\nMemAvailable: 250 kB\n")
    group = write(tmp_path / "2", **{"memory.current": "1", "memory.max": "max"})
    assert memory_used(tmp_path, group) == pytest.approx(0.75)


def test_a_system_that_says_nothing_decides_nothing(tmp_path: Path) -> None:
    assert usage(tmp_path) is None
    assert memory_used(tmp_path, tmp_path) is None

"""What Linux says of this process: its processor time, its children, its memory and limits.

Nothing is known elsewhere: then every figure is None or empty, and nothing is decided by it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
CGROUP = Path("/sys/fs/cgroup")

UNLIMITED = 1 << 60
"""Version 1 of cgroups says no limit by a number above any memory."""


class Usage(NamedTuple):
    """Of the process and its children that live."""

    cpu: float
    """Seconds so far; those of children that are gone are counted."""
    children: int


def usage(proc: Path = PROC) -> Usage | None:
    """Of this process; None where the system doesn't say."""
    own = _stat(proc / "self" / "stat")
    if own is None:
        return None
    ticks, children = own, 0
    for pid in _children(proc):
        # A child that is gone by now is counted with the parent from the next look on.
        if (theirs := _stat(proc / str(pid) / "stat")) is not None:
            ticks += theirs
            children += 1
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), children)


def cores(cgroup: Path = CGROUP) -> float:
    """How many this process may use, by its affinity and its container's quota."""
    allowed = float(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)
    quota = _read(cgroup / "cpu.max").split()
    if len(quota) == 2 and quota[0].isdigit() and int(quota[1]):
        return max(0.1, min(allowed, int(quota[0]) / int(quota[1])))
    return allowed


def memory_used(proc: Path = PROC, cgroup: Path = CGROUP) -> float | None:
    """The part of the memory that is taken, 0 to 1: the container's, else the machine's."""
    shares = [s for s in (_container(cgroup), _machine(proc / "meminfo")) if s is not None]
    return max(shares, default=None)


def _container(cgroup: Path) -> float | None:
    for now, limit, key in (
        ("memory.current", "memory.max", "inactive_file"),
        ("memory/memory.usage_in_bytes", "memory/memory.limit_in_bytes", "total_inactive_file"),
    ):
        used, most = _read(cgroup / now), _read(cgroup / limit)
        if used.isdigit() and most.isdigit() and 0 < int(most) < UNLIMITED:
            stat = _fields((cgroup / now).parent / "memory.stat")
            return max(0, int(used) - stat.get(key, 0)) / int(most)
    return None


def _machine(meminfo: Path) -> float | None:
    known = _fields(meminfo)
    total, free = known.get("MemTotal:"), known.get("MemAvailable:")
    return None if not total or free is None else 1 - free / total


def _stat(stat: Path) -> int | None:
    """Clock ticks used by a process and by those of its children that it has waited for."""
    fields = _read(stat).rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) if len(fields) > 15 else None


def _children(proc: Path) -> set[int]:
    found: set[int] = set()
    for task in (proc / "self" / "task").glob("*/children"):
        found.update(int(pid) for pid in _read(task).split())
    return found


def _fields(file: Path) -> dict[str, int]:
    """A file of lines such as ``MemTotal: 24000 kB``."""
    lines = (line.split() for line in _read(file).splitlines())
    return {words[0]: int(words[1]) for words in lines if len(words) > 1 and words[1].isdigit()}


def _read(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""

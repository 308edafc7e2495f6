"""Whether a model fits, told before it is loaded rather than by the kernel's killer after."""

from __future__ import annotations

from pathlib import Path

from strad.errors import WorkError

ROOM = 1.15
"""What a loaded model takes beside its weights, as a factor; what grows with use is apart."""
_GIB = 1 << 30


def free_memory() -> int | None:
    """Bytes that programs may still take here, by the kernel's word; None where it says nothing."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    except OSError:
        return None
    known = dict(line.split(":", 1) for line in lines if ":" in line)
    found = known.get("MemAvailable", "").split()
    return int(found[0]) * 1024 if found else None


def require_memory(name: str, weights: int, beside: int, free: int | None, where: str) -> None:
    """Raise WorkError where ``weights`` and ``beside`` bytes don't fit into ``free``."""
    needed = int(weights * ROOM) + beside
    if free is not None and needed > free:
        raise WorkError(
            f"too little memory {where} for {name}: it needs about {needed / _GIB:.1f} GiB, "
            f"{free / _GIB:.1f} GiB are free; take a smaller model or another machine"
        )

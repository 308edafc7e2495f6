"""An hour of virtual playback through the web clients' narrator: what stays on the heap.

Targets: every description spoken; over the last half of the hour the heap grows by less than
500 KB; under 1 % of an hour of one processor.

Exit status: 0 all targets met, or blank without node; 1 one missed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

CLIENTS = Path(__file__).parents[1] / "clients"
MOST_GROWTH = 500_000
MOST_BUSY = 36_000.0


def main() -> int:
    if shutil.which("node") is None or not (CLIENTS / "node_modules" / "esbuild").exists():
        print("blank: needs node and the pinned packages: make clients")
        return 0
    done = subprocess.run(
        ["node", "--expose-gc", "web/bench.js"],
        cwd=CLIENTS,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    hour = json.loads(done.stdout)
    heap = hour["heap"]
    growth = heap[-1] - heap[len(heap) // 2 - 1]
    print(f"spoken {hour['spoken']} of {hour['offered']}, timers left {hour['timers']}")
    print(f"heap {heap[0] / 1e6:.2f} to {heap[-1] / 1e6:.2f} MB; last half {growth / 1e3:+.0f} KB")
    print(f"processor {hour['busy']:.0f} ms of the hour")
    met = hour["spoken"] == hour["offered"] and growth < MOST_GROWTH and hour["busy"] < MOST_BUSY
    print("met" if met else "MISSED")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())

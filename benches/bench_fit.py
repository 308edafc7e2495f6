"""Training: the share of a step's time that is spent waiting for data, on a tiny Qwen3.5.

All of the paper's augmentations, one process that reads. Needs strad[train] (``make models-env``,
then ``.venv-models/bin/python -m benches.bench_fit``); elsewhere it says so and measures nothing.
Exit status: 0 target met or nothing measured, 1 missed.
"""

from __future__ import annotations

import csv
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from strad_engines.messages import Text

sys.path.insert(0, str(Path(__file__).parents[1]))

MOST_SHARE = 0.05
STEPS, BATCH = 16, 8
NEEDS = ("torch", "transformers", "peft", "accelerate", "tensorboard", "llguidance")


def texts(data: Path) -> Iterator[str]:
    """What prompts and answers say, so that they are as few tokens as with a real tokenizer."""
    from streaming.prompt.profiles import profile
    from training.dataset import Dataset
    from training.rendering import rendered

    for example in Dataset.open(data).split("train")[:100]:
        shown = rendered(example, profile("qwen35-video"))
        yield shown.answer
        yield from (p.text for m in shown.messages for p in m.parts if isinstance(p, Text))


def main() -> int:
    if any(find_spec(module) is None for module in NEEDS):
        print(f"nothing measured: {', '.join(NEEDS)} are not all installed here")
        return 0
    from strad_engines.transformers_engine.dummy import write_dummy
    from tests.models.lesson_data import write_lessons
    from training.config import FitConfig
    from training.data import splits_of
    from training.fitting import fit

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_lessons(folder / "data", {"train": STEPS * BATCH, "validation": 2})
        (folder / "model").mkdir()
        write_dummy("tiny", folder / "model", texts(folder / "data"))
        config = FitConfig(
            folder / "data",
            str(folder / "model"),
            folder / "run",
            epochs=1.0,
            at_once=BATCH,
            evaluate_every=STEPS,
            samples=0,
            checkpointing=False,
            workers=1,
            device="cpu",
        )
        found = fit(config, splits_of(config.data), lambda *_: None, time.perf_counter)
        with found.folder.log.open(newline="") as lines:
            rows = [row for row in csv.DictReader(lines) if row["loss"]]
    # The first step waits for the process that reads to start.
    seconds = [float(row["seconds"]) for row in rows[1:]]
    waited = [float(row["data_wait_share"]) * float(row["seconds"]) for row in rows[1:]]
    share = sum(waited) / sum(seconds)
    print(f"{len(seconds)} steps of {BATCH} examples, {sum(seconds) / len(seconds):.2f} s each")
    print(f"waiting for data {share:.1%} of it, wanted at most {MOST_SHARE:.0%}")
    return 0 if share <= MOST_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())

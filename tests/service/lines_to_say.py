"""``strad serve`` with a scripted describer that has a line for every two seconds."""

from __future__ import annotations

from pathlib import Path

from strad.cues import Cue
from strad.predictions import PREDICTIONS, Prediction
from strad.timeline import Interval

LINES = 40


def serve_words(folder: Path, port: int, log: str = "") -> tuple[str, ...]:
    """The words that start it, as ``strad``'s. ``log``: else an SQLite file in the folder."""
    script = folder / "lines.jsonl"
    cues = [Cue(Interval(n * 2_000, n * 2_000 + 1_500), f"Line {n} of many.") for n in range(LINES)]
    script.write_text(PREDICTIONS.write(Prediction.of("news", cue) for cue in cues))
    config = folder / "strad.toml"
    log = log or f"sqlite:{folder / 'log.sqlite'}"
    config.write_text(f'log = "{log}"\n')
    return (
        *("serve", "--port", str(port), "--describer", f"scripted:{script}"),
        *("--asr", "off", "--config", str(config)),
    )

"""Published annotations, where they lie beside the project: segment scores stand in their order."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.strad_eval.cli.running import run

CMDAD = Path(__file__).parents[4] / "shared/data/ad/cmdad_anno.csv"
pytestmark = [
    pytest.mark.eval,
    pytest.mark.slow,
    pytest.mark.skipif(not CMDAD.is_file(), reason=f"needs {CMDAD}"),
]


def _scores(folder: Path, say: Callable[[list[str], int], str]) -> dict[str, float]:
    with CMDAD.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[:1500]
    texts = [row["text"] for row in rows]
    given, report = folder / "given.csv", folder / "r.json"
    with given.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["vid", "start", "end", "text_gt", "text_gen"])
        for at, row in enumerate(rows):
            times = (row["cmd_filename"], row["start"], row["end"])
            table.writerow([*times, row["text"], say(texts, at)])
    assert run("segment", given, "--json", report, "--quiet", "--force") == 0
    figures = json.loads(report.read_text())["figures"]
    return {name: figure["value"] for name, figure in figures.items()}


def test_themselves_are_best_then_cut_ones_then_neighbours(tmp_path: Path) -> None:
    themselves = _scores(tmp_path, lambda texts, at: texts[at])
    cut = _scores(tmp_path, lambda texts, at: " ".join(texts[at].split()[:4]))
    neighbours = _scores(tmp_path, lambda texts, at: texts[(at + 1) % len(texts)])
    assert themselves["rouge_l"] == 1.0
    for name, value in themselves.items():
        assert value > cut[name] > neighbours[name] >= 0

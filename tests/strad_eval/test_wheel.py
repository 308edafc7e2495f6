"""The built wheel with the core's dependencies alone scores a set."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.strad_eval.toy import DURATIONS, PREDICTIONS, REFERENCES

pytestmark = [pytest.mark.eval, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
RUN = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from strad_eval.cli.main import main
sys.argv[0] = "strad-eval"
main()
"""


def test_it_scores_in_an_empty_environment(tmp_path: Path) -> None:
    place = tmp_path / "site"
    place.mkdir()
    requirements = _unpack_wheel(tmp_path, place)
    _link(requirements, place)
    refs, preds, report = _toy(tmp_path)
    command = [sys.executable, "-I", "-S", "-c", RUN, place, "stream", refs, preds]
    done = subprocess.run(
        [*map(str, command), "--json", str(report)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "pip install 'strad[eval]'" in " ".join(done.stdout.split()) or "no java" in done.stdout
    figures = json.loads(report.read_text())["figures"]
    assert figures["cider"]["by_threshold"]["0.1"] == pytest.approx(0.606112, abs=1e-6)
    for absent in ("av", "torch", "fastapi", "pycocoevalcap"):
        assert not (place / absent).exists()


def _unpack_wheel(tmp_path: Path, place: Path) -> list[str]:
    """The wheel's content in ``place``; what its core requires."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(place)
        metadata = next(n for n in wheel.namelist() if n.endswith("METADATA"))
        lines = wheel.read(metadata).decode().splitlines()
    wanted = [line.removeprefix("Requires-Dist: ") for line in lines if "Requires-Dist" in line]
    return [one for one in wanted if "extra ==" not in one]


def _link(requirements: list[str], place: Path) -> None:
    """The installed packages that these need, and no others, in ``place``."""
    waiting, seen = list(requirements), set()
    while waiting:
        one = Requirement(waiting.pop())
        if one.name.lower() in seen or (one.marker and not one.marker.evaluate({"extra": ""})):
            continue
        seen.add(one.name.lower())
        try:
            found = distribution(one.name)
        except PackageNotFoundError:
            continue
        waiting += found.requires or []
        for top in {file.parts[0] for file in found.files or () if file.parts[0] != ".."}:
            source = Path(str(found.locate_file(top)))
            if source.exists() and not (place / top).exists():
                (place / top).symlink_to(source)


def _toy(folder: Path) -> tuple[Path, Path, Path]:
    videos = [
        {
            "id": name,
            "duration": DURATIONS[name],
            "ad": [{"start": s, "end": e, "text": t} for s, e, t in said],
        }
        for name, said in REFERENCES.items()
    ]
    refs, preds = folder / "refs.json", folder / "preds.jsonl"
    refs.write_text(json.dumps({"version": 1, "name": "toy", "videos": videos}))
    lines = [
        json.dumps({"video_id": name, "start": s, "end": e, "text": t})
        for name, said in PREDICTIONS.items()
        for s, e, t in said
    ]
    preds.write_text("\n".join(lines))
    return refs, preds, folder / "report.json"

"""From films to a served model, all by the command lines: prepared, fitted, exported, described.

What it is taught is in no base model: left and right as on a stage. Against a variant trained alike
without pictures, over films that neither has seen.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from service.cli.main import main as strad
from strad.efficiency import EFFICIENCY
from strad.predictions import PREDICTIONS
from strad_eval.cli.main import main as strad_eval
from strad_eval.java import MissingJavaError, find_jars
from tests.models.films import Film, film, manifest, wait_f1
from tests.models.vllm_server import VllmServer
from training.cli.main import main as strad_train

log = logging.getLogger(__name__)
pytestmark = [
    pytest.mark.models,
    pytest.mark.slow,
    pytest.mark.usefixtures("one_thread"),
]

ALIKE = (
    *("--learning-rate", "3e-3", "--steps", "56", "--at-once", "8", "--evaluate-every", "56"),
    *("--samples", "8", "--validated", "16", "--no-checkpointing"),
    *("--workers", "0", "--device", "cpu"),
)
"""How both are trained. The variant has augmentations too, of which only those of words tell."""


@dataclass(frozen=True, slots=True)
class Chain:
    """What each step left."""

    data: Path
    run: Path
    model: Path
    bare: Path
    """The variant without pictures: what it said, and its report."""
    held: list[Film]
    references: Path
    server: VllmServer
    """With the model."""


def ran(main: Callable[[], object], *words: object) -> None:
    """A command line, to its good end."""
    before, sys.argv = sys.argv, [main.__module__, *map(str, words)]
    try:
        with pytest.raises(SystemExit) as ended:
            main()
    finally:
        sys.argv = before
    assert ended.value.code == 0, words


@pytest.fixture(scope="module")
def chain(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chain]:
    """Prepared, fitted with pictures, exported, served; and the same without pictures."""
    try:
        find_jars()
    except MissingJavaError as error:
        pytest.skip(f"SODA can't be scored: {error}")
    folder = tmp_path_factory.mktemp("chain")
    taught = manifest(folder / "taught.json", [film(folder, seed) for seed in range(100, 107)])
    held = [film(folder, seed, 108_000) for seed in (200, 201)]
    references = manifest(folder / "held.json", held)
    data, run, model, bare = (folder / name for name in ("data", "run", "model", "bare"))
    media = ["--media", folder]
    ran(
        strad_train,
        *("prepare", data, "--manifest", taught, *media, "--no-sound", "--jobs", 1),
        *("--stride", 2, 2, "--share", 0.15),
    )
    ran(strad_train, "fit", data, trained, run, *ALIKE, "--augment", "none")
    ran(strad_train, "export", run, model)
    server = VllmServer(model, folder / "server.log")
    try:
        server.launch()  # it begins while the variant is trained
        ran(
            strad_train,
            *("ablate", data, trained, bare, "--manifest", references, *media),
            *(*ALIKE, "--variant", "no-video"),
        )
        server.wait()
        yield Chain(data, run, model, bare / "no-video", held, references, server)
    finally:
        server.kill()


def soda(report: Path) -> float:
    return float(json.loads(report.read_text())["figures"]["soda"]["value"])


def test_what_is_exported_is_served_and_sees(chain: Chain, tmp_path: Path) -> None:
    """By a real vLLM; SODA at least three times that of the variant, WAIT's F1 at least 0.9."""
    out, report = tmp_path / "said", tmp_path / "report.json"
    ran(
        strad,
        *("describe", "--manifest", chain.references, "--media", chain.references.parent),
        *("--describer", "strad-ft", "--engine", f"openai:{chain.server.url}", "--model", "base"),
        *("--model-file", chain.model / "strad-model.json", "--protocol", "strad", "-o", out),
    )
    told = ["--efficiency", out / "efficiency.jsonl", "--json", report, "--quiet"]
    ran(strad_eval, "stream", chain.references, out / "predictions.jsonl", *told)
    found = json.loads(report.read_text())
    assert found["strad_score"]
    sees, bare = soda(report), soda(chain.bare / "report.json")
    lines = (out / "efficiency.jsonl").read_text().splitlines()
    windows = list(EFFICIENCY.each(lines))
    waits = wait_f1(chain.held, windows)
    log.info("SODA %.3f, without pictures %.3f, WAIT F1 %.3f", sees, bare, waits)
    assert sees >= 0.4
    assert sees >= 3 * bare
    assert waits >= 0.9


def test_its_card_tells_of_the_check_and_the_variant_can_only_guess(chain: Chain) -> None:
    card = (chain.model / "README.md").read_text()
    assert "20 of 20 windows" in card
    assert "taught.json" in card
    _, guessed = PREDICTIONS.read((chain.bare / "predictions.jsonl").read_text().splitlines())
    wanted = {(one.name, cue.text) for one in chain.held for cue in one.described}
    right = [one for one in guessed if (one.video_id, one.text) in wanted]
    assert 2 * len(right) <= len(wanted)

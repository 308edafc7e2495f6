"""The coreference program: its answers, and every way in which it may have none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from strad.errors import MissingModelError
from strad_eval.metrics.critic import critic, document
from strad_eval.neural.coreference import resolve_all

pytestmark = pytest.mark.eval

PYTHON = os.environ.get("STRAD_TEST_COREF_PYTHON", sys.executable)
"""One that has fastcoref and transformers 4."""
SENTENCES = ["Ann and Bob sit.", "She opens the window."]


def _program(folder: Path, says: str) -> str:
    """A Python that isn't one: whatever it is told to run, it does this."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{says}\n")
    path.chmod(0o755)
    return str(path)


def test_clusters_come_back_for_each_text(tmp_path: Path) -> None:
    says = """printf '{"weights": "%064d", "clusters": [[[[0, 3], [17, 20]]]]}' 7"""
    resolve = resolve_all(["Ann. Ann sits."] * 2, "m", _program(tmp_path, says))
    assert resolve("Ann. Ann sits.") == [[(0, 3), (17, 20)]]
    assert resolve.said.startswith("m (weights 0000")


@pytest.mark.parametrize(
    ("says", "complaint"),
    [
        ("""printf '{"error": "ImportError: no fastcoref"}'""", "no fastcoref"),
        ("echo boom >&2; exit 3", "exit status 3 boom"),
        ("exec sleep 60", "no answer in 0 s"),
    ],
)
def test_what_fails_or_hangs_is_said_to(says: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(MissingModelError, match=complaint):
        resolve_all(["x"], "m", _program(tmp_path, says), timeout_s=0.3)


def test_a_python_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingModelError, match="can't be run"):
        resolve_all(["x"], "m", str(tmp_path / "none"))


@pytest.mark.slow
def test_a_tiny_model_resolves_and_critic_reads_it(tmp_path: Path) -> None:
    probe = "import fastcoref, transformers; assert int(transformers.__version__[0]) < 5"
    if subprocess.run([PYTHON, "-c", probe], capture_output=True, timeout=120).returncode:
        pytest.skip("no fastcoref with transformers 4: name one by STRAD_TEST_COREF_PYTHON")
    folder = tmp_path / "tiny"
    maker = Path(__file__).with_name("tiny_coreference.py")
    subprocess.run([PYTHON, maker, folder], check=True, capture_output=True, timeout=120)
    text, _ = document(["Ann", "Bob"], SENTENCES)
    resolve = resolve_all([text], str(folder), PYTHON, timeout_s=120)
    for cluster in resolve(text):
        assert all(0 <= start < end <= len(text) for start, end in cluster)
    share = critic(["Ann", "Bob"], SENTENCES, SENTENCES, resolve)
    assert 0 <= share.part <= share.whole <= len(SENTENCES)
    with pytest.raises(MissingModelError, match="coreference failed"):
        resolve_all([text], str(tmp_path / "none"), PYTHON, timeout_s=120)

"""Coreference by ``fastcoref``'s FCoref, the model that CRITIC was defined with.

It is run as a program of its own: the package works with transformers 4 only, so it may need
another Python than the one that scores. All texts go in at once; no wait is without a limit.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strad.errors import MissingModelError
from strad_eval.metrics.critic import Mention

MODEL = "biu-nlp/f-coref"
TIMEOUT_S = 3600.0
"""For a whole set."""
_PROGRAM = Path(__file__).with_name("coreference_program.py")


@dataclass(frozen=True, slots=True)
class FastCoreference:
    """The clusters of texts that were resolved before."""

    said: str
    """What reports print of the model."""
    clusters: Mapping[str, Sequence[Sequence[Mention]]]

    def __call__(self, text: str) -> Sequence[Sequence[Mention]]:
        """The text's clusters. KeyError for one that was not resolved."""
        return self.clusters[text]


def resolve_all(
    texts: Sequence[str], model: str = MODEL, python: str = "", timeout_s: float = TIMEOUT_S
) -> FastCoreference:
    """Each text's clusters. ``python`` is one that has fastcoref; else this one.

    Raises MissingModelError where package or model are not there, or it fails or hangs.
    """
    different = list(dict.fromkeys(texts))
    asked = json.dumps({"model": model, "texts": different}).encode()
    command = [python or sys.executable, str(_PROGRAM)]
    try:
        done = subprocess.run(command, input=asked, capture_output=True, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        what = f"coreference gave no answer in {timeout_s:.0f} s"
        raise MissingModelError(what) from None
    except OSError as error:
        raise MissingModelError(f"{command[0]} can't be run: {error.strerror}") from None
    answer = _read(done)
    known = zip(different, answer["clusters"], strict=True)
    clusters = {text: [[(a, b) for a, b in one] for one in found] for text, found in known}
    return FastCoreference(f"{model} (weights {answer['weights'][:16]})", clusters)


def _read(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        answer = {"error": f"exit status {done.returncode} {' '.join(last)}"}
    if "error" in answer:
        why = " ".join(str(answer["error"]).split())[:200]
        hint = "an environment with pip install 'strad[coref]', named by --model coref-python=PATH"
        raise MissingModelError(f"coreference failed ({why}): it needs {hint}")
    found: dict[str, Any] = answer
    return found

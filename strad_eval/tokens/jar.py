"""Penn Treebank tokens from the jar itself, all captions in one run of it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from strad.errors import WorkError
from strad_eval.java import LOCALE, Jars
from strad_eval.tokens.lines import one_line
from strad_eval.tokens.ptb import PUNCTUATION

TIMEOUT_S = 120.0
"""Ten thousand captions take about a second."""


def tokenize_all(captions: Sequence[str], jars: Jars, timeout_s: float = TIMEOUT_S) -> list[str]:
    """The tokens that count of each caption. Raises WorkError when the jar fails or hangs."""
    text = "\n".join(one_line(caption) for caption in captions) + "\n"
    command = [jars.java, *LOCALE, "-cp", str(jars.tokenizer)]
    command += ["edu.stanford.nlp.process.PTBTokenizer", "-preserveLines", "-lowerCase"]
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=timeout_s, check=True
        )
    except subprocess.TimeoutExpired as error:
        raise WorkError(f"the tokenizer jar gave no answer in {timeout_s:.0f} s") from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise WorkError(f"the tokenizer jar failed: {error}") from error
    lines = done.stdout.decode().split("\n")
    if len(lines) < len(captions):
        raise WorkError(f"the tokenizer jar lost lines: {len(lines)} for {len(captions)} captions")
    return [" ".join(_counted(line)) for line in lines[: len(captions)]]


def _counted(line: str) -> list[str]:
    return [token for token in line.split(" ") if token and token not in PUNCTUATION]

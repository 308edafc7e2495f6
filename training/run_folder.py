"""The folder of a training run: where what is, and what of it is whole.

``config.json``, ``log.csv``, ``tensorboard/``, ``samples.jsonl``, ``checkpoints/``, and ``best/``
and ``last/``, each an ``adapter/`` and a ``state.json``.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strad.errors import InputError
from strad_engines.checkpoint import read_json
from training.config import FitConfig

COLUMNS = (
    "step",
    "epoch",
    "loss",
    "learning_rate",
    "gradient",
    "data_wait_share",
    "seconds",
    "validation_loss",
)
"""Of ``log.csv``. A row a step; one more for each evaluation, with ``validation_loss`` alone."""
MADE_OF = {
    "data_sha256": "examples",
    "prompt_sha256": "prompts",
    "references_sha256": "references",
    "films_sha256": "films",
}
"""What a run is made of beside its choices, in ``config.json`` and in words."""
_STEP = re.compile(r"checkpoint-(\d+)")
_MAKING = re.compile(r"\..+\.\d+\.making")
"""A file that a run was killed over."""
_STATE = "trainer_state.json"
_DONE = "done.json"


@dataclass(frozen=True, slots=True)
class RunFolder:
    """One run's."""

    folder: Path

    @property
    def log(self) -> Path:
        """A row a step."""
        return self.folder / "log.csv"

    @property
    def samples(self) -> Path:
        """Answers and scores, a line an evaluation."""
        return self.folder / "samples.jsonl"

    @property
    def checkpoints(self) -> Path:
        """What a run goes on from."""
        return self.folder / "checkpoints"

    @property
    def tensorboard(self) -> Path:
        """For ``tensorboard --logdir``."""
        return self.folder / "tensorboard"

    def begin(self, config: FitConfig, made_of: Mapping[str, str]) -> None:
        """Write in it whose it is, or find that it is this run's. Raises InputError if it is not.

        ``made_of``: digests of what the run is made of beside its choices, by ``MADE_OF``.
        """
        path = self.folder / "config.json"
        lying = list(self.folder.iterdir())
        left = [one for one in lying if _MAKING.fullmatch(one.name)]
        if path.is_file():
            stored = read_json(path)
            _refuse_others(self.folder, config.differences(stored))
            _refuse_other_parts(self.folder, {**(self.state("last") or {}), **stored}, made_of)
        elif len(left) < len(lying):
            raise InputError(f"{self.folder} is not empty, and holds no run: name another folder")
        for making in left:
            making.unlink()
        _write_json(path, {**config.as_json(), **made_of})

    def newest(self) -> tuple[Path, int] | None:
        """The newest whole checkpoint and its step. One is whole once its state is written."""
        found = [
            (int(match[1]), path)
            for path in self.checkpoints.glob("checkpoint-*")
            if (match := _STEP.fullmatch(path.name)) and _is_whole(path)
        ]
        return max((path, step) for step, path in [max(found)]) if found else None

    def go_on_from(self, step: int) -> None:
        """Forget what was logged after ``step``: it will be logged again."""
        for broken in self.checkpoints.glob("checkpoint-*"):
            match = _STEP.fullmatch(broken.name)
            if match and (int(match[1]) > step or not _is_whole(broken)):
                shutil.rmtree(broken)
        if self.log.is_file():
            rows = csv.DictReader(_whole_lines(self.log))
            kept = [row for row in rows if _step_of(row["step"]) <= step]
            _replace(self.log, _as_csv(kept))
        if self.samples.is_file():
            lines = _whole_lines(self.samples)
            _replace(self.samples, "".join(line for line in lines if _step_in(line) <= step))

    def done(self) -> dict[str, Any] | None:
        """What a run that came to its end said of it."""
        path = self.folder / _DONE
        return read_json(path) if path.is_file() else None

    def end(self, figures: Mapping[str, Any]) -> None:
        """It came to its end."""
        _write_json(self.folder / _DONE, dict(figures))

    def append(self, row: Mapping[str, object]) -> None:
        """One row of the log."""
        fresh = not self.log.is_file()
        with self.log.open("a", encoding="utf-8", newline="") as out:
            out.write(_as_csv([row], titled=fresh))

    def keep(self, name: str, write: Callable[[Path], None]) -> None:
        """Have ``best`` or ``last`` written anew, beside the old one, and put in its place."""
        target, making = self.folder / name, self.folder / f".{name}.making"
        old = self.folder / f".{name}.old"
        for left in (making, old):
            shutil.rmtree(left, ignore_errors=True)
        making.mkdir(parents=True)
        write(making)
        if target.exists():
            os.replace(target, old)
        os.replace(making, target)
        shutil.rmtree(old, ignore_errors=True)

    def state(self, name: str) -> dict[str, Any] | None:
        """``state.json`` of ``best`` or ``last``, where there is one."""
        path = self.folder / name / "state.json"
        return read_json(path) if path.is_file() else None


def write_state(folder: Path, state: Mapping[str, Any]) -> None:
    """The ``state.json`` of one that is kept."""
    _write_json(folder / "state.json", dict(state))


def _refuse_others(folder: Path, differs: list[str]) -> None:
    if differs:
        raise InputError(
            f"{folder} holds another run ({', '.join(differs)} differ): "
            "name another folder, or the same choices to go on"
        )


def _refuse_other_parts(folder: Path, known: Mapping[str, Any], now: Mapping[str, str]) -> None:
    other = [MADE_OF[name] for name, digest in now.items() if known.get(name, digest) != digest]
    if other:
        raise InputError(
            f"{folder} holds a run over other {' and '.join(other)} than there are now: "
            "name another folder"
        )


def _is_whole(checkpoint: Path) -> bool:
    try:
        json.loads((checkpoint / _STATE).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return True


def _whole_lines(path: Path) -> list[str]:
    """With their ends. One that was not finished is left out; an answer may have U+2028 in it."""
    with path.open(encoding="utf-8", newline="") as file:
        *lines, _ = file.read().split("\n")
    return [f"{line}\n" for line in lines]


def _as_csv(rows: Iterable[Mapping[str, object]], *, titled: bool = True) -> str:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, restval="")
    if titled:
        writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _step_of(text: str) -> int:
    return int(text) if text.isdigit() else 1 << 60


def _step_in(line: str) -> int:
    try:
        return int(json.loads(line)["step"])
    except (ValueError, KeyError, TypeError):
        return 1 << 60


def _write_json(path: Path, value: dict[str, Any]) -> None:
    _replace(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _replace(path: Path, text: str) -> None:
    making = path.with_name(f".{path.name}.{os.getpid()}.making")
    making.write_text(text, "utf-8", newline="")
    os.replace(making, path)

"""From files to a report: questions, answers, and what is read how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strad.errors import InputError, MissingModelError
from strad_eval.mcq.item import Item
from strad_eval.mcq.questions import Benchmark, read_questions
from strad_eval.mcq.readings import McqReadings, mcq_readings
from strad_eval.mcq.replies import read_replies
from strad_eval.mcq.report import McqMade, mcq_document
from strad_eval.mcq.score import McqScore, raw_pairs, score_replies
from strad_eval.neural.bertscore import BertScore
from strad_eval.neural.checkpoint import load_checkpoint
from strad_eval.provenance import fingerprint, versions


def checked(benchmark: str) -> Benchmark:
    """The benchmark of that name. Raises InputError."""
    known: dict[str, Benchmark] = {"cinepile": "cinepile", "jointav": "jointav"}
    if benchmark not in known:
        raise InputError(f"--benchmark {benchmark}: choose from {', '.join(known)}")
    return known[benchmark]


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions, whose they are, and how their answers are read."""

    path: Path
    benchmark: Benchmark
    key: Path | None = None
    changes: tuple[str, ...] = ()

    def read(self) -> list[Item]:
        """Raises the readers' errors."""
        return read_questions(self.path, self.benchmark, mcq_readings(self.changes), self.key)


def score_answers(
    given: QuestionSet, answers: Sequence[Path], bertscore_model: str = ""
) -> dict[str, Any]:
    """The report on these files."""
    readings, benchmark = mcq_readings(given.changes), given.benchmark
    items = given.read()
    ignore = readings.unknown == "ignore"
    scores = []
    for path in answers:
        replies = read_replies(path, items, ignore_unknown=ignore)
        scores.append(score_replies(items, replies, benchmark, readings))
    models = _bertscore(items, scores, bertscore_model, readings) if bertscore_model else {}
    inputs = {"questions": fingerprint(given.path)}
    inputs |= {f"answers {path.stem}": fingerprint(path) for path in answers}
    made = McqMade(benchmark, readings, inputs, versions(), models)
    return mcq_document(items, scores, made)


def _bertscore(
    items: Sequence[Item], scores: Sequence[McqScore], name: str, readings: McqReadings
) -> dict[str, str]:
    """Add it to each score; what the report says of the model, or why there is none."""
    try:
        model = BertScore(load_checkpoint(name))
    except MissingModelError as error:
        return {"BERTScore": f"not scored: {error}"}
    for one in scores:
        values = model.pairs(raw_pairs(items, one.replies, readings))
        one.texts["BERTScore"] = sum(values) / len(values)
    return {"BERTScore": model.said}

"""From what a person asks for to instruments: models loaded, judges asked; or why not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from strad.errors import InputError, MissingModelError
from strad_engines.openai_engine import OpenAIEngine
from strad_eval.java import MissingJavaError, find_jars
from strad_eval.judges.answer_book import AnswerBook
from strad_eval.judges.engine_judge import EngineJudge
from strad_eval.judges.panel import AT_ONCE
from strad_eval.meteor.jar import MeteorJar
from strad_eval.metrics.critic import document
from strad_eval.metrics.llm_ad_eval import ScaleReading
from strad_eval.neural.bertscore import BertScore
from strad_eval.neural.checkpoint import load_checkpoint
from strad_eval.neural.coreference import resolve_all
from strad_eval.neural.sentence_embedder import SentenceEmbedder
from strad_eval.neural.verbs import load_verbs
from strad_eval.segments.files import SegmentFiles, read_casts
from strad_eval.segments.gold_actions import read_actions
from strad_eval.segments.instruments import Actions, Casts, Instruments
from strad_eval.segments.judging import judge_rows, scales
from strad_eval.segments.readings import SegmentReadings
from strad_eval.segments.row import Row, Rows

_Loaded = TypeVar("_Loaded")
RECALL, CRITIC, LLM, ACTIONS = "recall", "critic", "llm-ad-eval", "action-score"
COSTLY = (RECALL, CRITIC, LLM, ACTIONS)
OF_PAIRS = (LLM, ACTIONS)
"""Those that ``stream`` has too."""

ROLES = {
    "bertscore": "roberta-large",
    "coreference": "biu-nlp/f-coref",
    "coref-python": "",
    "embedder": "Alibaba-NLP/gte-Qwen2-7B-instruct",
    "verbs": "en_core_web_lg",
    "judge": "",
}
"""Who does what, and the papers' choice. ``coref-python`` is the Python that has fastcoref, else
this one. Judges are the models of a server, any number of them."""


@dataclass(frozen=True, slots=True)
class Models:
    """A model for each role."""

    of: Mapping[str, str]
    judges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeServer:
    """Where language models that judge are."""

    url: str = ""
    key: str | None = field(default=None, repr=False)
    answers: Path | None = None
    """The book of answers: a run that breaks off goes on from there."""
    at_once: int = AT_ONCE
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Members for each request."""

    def of(self, judge: str) -> tuple[str, str]:
        """A judge's model and address: ``model@http://...`` names one of its own."""
        model, at, url = judge.rpartition("@")
        own = at and url.startswith(("http://", "https://"))
        return (model, url) if own else (judge, self.url)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which costly metrics, and with what models."""

    metrics: tuple[str, ...] = ()
    models: Models = Models(ROLES)
    server: JudgeServer = JudgeServer()


def models(chosen: tuple[str, ...]) -> Models:
    """From ROLE=NAME, each. Raises InputError for a role that isn't one."""
    of, judges = dict(ROLES), []
    for one in chosen:
        role, equals, name = one.partition("=")
        if role not in ROLES or not equals or not name:
            raise InputError(f"--model {one}: want ROLE=NAME, ROLE from {', '.join(ROLES)}")
        if role == "judge":
            judges.append(name)
        else:
            of[role] = name
    return Models(of, tuple(judges))


def check(wanted: Wanted, files: SegmentFiles, among: tuple[str, ...] = COSTLY) -> None:
    """Refuse before the work what can't work. Raises InputError."""
    for metric in wanted.metrics:
        if metric not in among:
            raise InputError(f"--with {metric}: choose from {', '.join(among)}")
    judges, server = wanted.models.judges, wanted.server
    needs = (
        (CRITIC, files.casts is not None, "--casts FILE, the films' characters"),
        (ACTIONS, files.actions is not None, "--actions FILE, what happens in each reference"),
        (
            LLM,
            judges and all(server.of(one)[1] for one in judges),
            "--judge-url and --model judge=NAME",
        ),
        (LLM, wanted.server.answers is not None, "--answers FILE, to keep the judge's answers in"),
    )
    for metric, there, what in needs:
        if metric in wanted.metrics and not there:
            raise InputError(f"--with {metric} needs {what}")


def gather(
    rows: Rows, readings: SegmentReadings, wanted: Wanted, files: SegmentFiles, running: ExitStack
) -> Instruments:
    """All that was asked for and can be had; METEOR always, where Java is."""
    found = Instruments()
    try:
        found.meteor = running.enter_context(MeteorJar(find_jars()))
        found.meteor.start()
    except MissingJavaError as error:
        found.absent.append(f"METEOR is not scored: {error}")
    if RECALL in wanted.metrics:
        found.likeness = try_to(found, "Recall@k/N", lambda: _bertscore(found, wanted))
    if CRITIC in wanted.metrics:
        found.casts = try_to(found, "CRITIC", lambda: _casts(found, rows, wanted, files))
    if ACTIONS in wanted.metrics:
        found.actions = try_to(found, "ActionScore", lambda: _actions(found, rows, wanted, files))
    if LLM in wanted.metrics:
        ask_judges(found, rows.rows, readings.scale, wanted)
    return found


def try_to(found: Instruments, what: str, load: Callable[[], _Loaded]) -> _Loaded | None:
    try:
        return load()
    except MissingModelError as error:
        found.absent.append(f"{what} is not scored: {error}")
        return None


def _bertscore(found: Instruments, wanted: Wanted) -> BertScore:
    model = BertScore(load_checkpoint(wanted.models.of["bertscore"]))
    found.models["BERTScore"] = model.said
    return model


def _casts(found: Instruments, rows: Rows, wanted: Wanted, files: SegmentFiles) -> Casts:
    assert files.casts is not None
    names = read_casts(files.casts)
    texts = []
    for film, listed in rows.by_film().items():
        if names.get(film):
            both = ([row.reference.text for row in listed], [row.description for row in listed])
            texts += [document(names[film], sentences)[0] for sentences in both]
    of = wanted.models.of
    model = resolve_all(texts, of["coreference"], of["coref-python"])
    found.models["coreference"] = model.said
    return Casts(model, names)


def _actions(found: Instruments, rows: Rows, wanted: Wanted, files: SegmentFiles) -> Actions:
    assert files.actions is not None
    known, errors = read_actions(files.actions, [row.reference.text for row in rows.rows])
    if errors:
        rows.odd["label errors among the actions (left out)"] = errors
    return load_actions(found, known, wanted)


def load_actions(found: Instruments, known: Sequence[Sequence[str]], wanted: Wanted) -> Actions:
    """With the models that compare them. Raises MissingModelError."""
    parser = load_verbs(wanted.models.of["verbs"])
    embedder = SentenceEmbedder(load_checkpoint(wanted.models.of["embedder"]))
    found.models |= {"verbs": parser.said, "embedder": embedder.said}
    return Actions(known, embedder, parser)


def ask_judges(
    found: Instruments, rows: Sequence[Row], scale: ScaleReading, wanted: Wanted
) -> None:
    """Each judge of the server on each scale, into ``found``. Raises what ``ask_all`` raises."""
    asyncio.run(_judge(found, rows, scale, wanted))


async def _judge(
    found: Instruments, rows: Sequence[Row], scale: ScaleReading, wanted: Wanted
) -> None:
    server = wanted.server
    assert server.answers is not None
    with AnswerBook(server.answers) as book:
        for named in wanted.models.judges:
            model, url = server.of(named)
            async with OpenAIEngine(
                url, model, key=server.key, extra=server.extra, stream=False
            ) as engine:
                found.models[f"judge {engine.name}"] = f"at {url}, greedy, seed 0"
                judge = EngineJudge(engine)
                found.judged += [
                    await judge_rows(rows, one, judge, book, at_once=server.at_once)
                    for one in scales(scale)
                ]

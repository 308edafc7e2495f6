"""The file formats and the wire as JSON Schema, for tools that don't run Python."""

from __future__ import annotations

import json
from typing import Any, cast

from pydantic import TypeAdapter

from strad.efficiency import EfficiencyHeader, WindowLog
from strad.flag import FlaggedEvent, FlagsHeader
from strad.manifest import Manifest
from strad.model_file import ModelFile
from strad.passes import Heard, Looked, PassHeader, Person, Spoken, Written
from strad.predictions import Prediction, PredictionsHeader
from strad.questions import AnswerKey, AnswersHeader, Question, QuestionsHeader
from strad.wire.answering import AnswerMessage
from strad.wire.asking import AskMessage
from strad.wire.auth import Auth
from strad.wire.publishing import PublisherMessage
from strad.wire.viewing import ViewerMessage

FORMATS: dict[str, Any] = {
    "manifest": Manifest,
    "predictions": PredictionsHeader | Prediction,
    "efficiency": EfficiencyHeader | WindowLog,
    "model": ModelFile,
    "questions": QuestionsHeader | Question,
    "answers": AnswersHeader | AnswerKey,
    "flags": FlagsHeader | FlaggedEvent,
    "pass-listen": PassHeader | Heard,
    "pass-look": PassHeader | Looked,
    "pass-entities": PassHeader | Person,
    "pass-write": PassHeader | Written,
    "pass-whole": PassHeader | Spoken,
    "wire-publishing": PublisherMessage,
    "wire-answering": AnswerMessage,
    "wire-viewing": ViewerMessage,
    "wire-asking": AskMessage,
    "wire-auth": Auth,
}
"""By name: what the whole file (manifest), one line of it, or one message of the wire holds."""


def schema_text(form: object) -> str:
    """The JSON Schema of a model or a union of models, indented, to be kept in docs/schema."""
    adapter: TypeAdapter[Any] = TypeAdapter(cast("Any", form))
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps(dialect | adapter.json_schema(), indent=2, ensure_ascii=False) + "\n"

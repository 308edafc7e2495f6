"""What training says of a model, ``strad-model.json`` beside its weights: how it must be asked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from strad.record import Id, Record, parse_record
from strad.text_file import read_text

NAME = "strad-model.json"


class ModelFile(Record):
    """A model that describes. What is not written has the paper's value."""

    strad: Literal["model"]
    version: Literal[1]
    profile: Id
    """The prompt profile it was trained with: ``qwen35-video``, ``qwen35-images``, ``phi4mm``."""
    base: str = ""
    """The model it was trained from."""
    threshold: float = 0.0
    """Log-odds of AD against WAIT from which on it describes, as tuned on held-out windows."""
    presence_penalty: Annotated[float, Field(ge=-2, le=2)] = 1.5
    penalty: Literal["always", "on-repeat", "never"] = "always"
    """When the presence penalty is on."""
    release: bool = False
    """Whether it is a fine-tuned release; everything else is a draft and labelled so."""
    check: str = ""
    """A file beside this one with a prompt whose answer is known; asked at start-up."""


def read_model_file(path: Path) -> ModelFile:
    """Raises InputError if it can't be read, FormatError with the line of a fault."""
    return parse_record(ModelFile, read_text(path), file=str(path))

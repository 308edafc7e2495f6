"""What training says of a model, ``strad-model.json`` beside its weights: how it must be asked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from strad.record import Id, Record, parse_record
from strad.text_file import read_text, write_text

NAME = "strad-model.json"


class ModelFile(Record):
    """A model that describes. What is not written has the paper's value."""

    strad: Literal["model"]
    version: Literal[1]
    profile: Id
    """The prompt profile it was trained with: ``qwen35-video``, ``qwen35-images``, ``phi4mm``."""
    prompt: str = ""
    """The name of the instructions it was trained with: ``strad_v1``."""
    prompt_sha256: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")] = ""
    """Of all that the profile made of a few known windows then: instructions, layout, answers."""
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


def write_model_file(path: Path, file: ModelFile, *, overwrite: bool = False) -> None:
    """Raises ``write_text``'s errors."""
    write_text(path, file.model_dump_json(indent=2) + "\n", overwrite=overwrite)


def read_model_file(path: Path) -> ModelFile:
    """Raises InputError if it can't be read, FormatError with the line of a fault."""
    return parse_record(ModelFile, read_text(path), file=str(path))

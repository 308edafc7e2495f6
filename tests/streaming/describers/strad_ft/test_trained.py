"""What a model was trained with is what it is served with, or a clear no; and its known answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from strad.errors import FormatError, InputError
from strad.model_file import ModelFile, read_model_file, write_model_file
from strad_engines.engine_errors import EngineBusyError, EngineRefusedError
from strad_engines.known_answer import must_answer, read_known_answer, write_known_answer
from strad_engines.messages import Audio
from streaming.describers.strad_ft.asking import Asking, Penalty
from streaming.describers.strad_ft.trained import (
    known_answer,
    model_file,
    must_be_trained_with,
    prompt_sha256,
)
from streaming.prompt.profiles import PROFILES
from tests.streaming.describers.strad_ft.engines import AskedEngine, answer
from tests.virtual_time import run

pytestmark = pytest.mark.unit

VIDEO, IMAGES = PROFILES["qwen35-video"], PROFILES["qwen35-images"]
FILE = model_file(VIDEO, base="Qwen/Qwen3.5-4B", asking=Asking(threshold=0.5))
LINE = "AD <1.0> A red square moves. <4.0>"


def changed(**members: object) -> ModelFile:
    return ModelFile.model_validate(FILE.model_dump() | members)


def test_the_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "strad-model.json"
    write_model_file(path, FILE)
    assert read_model_file(path) == FILE
    assert (FILE.profile, FILE.prompt, FILE.base) == ("qwen35-video", "strad_v1", "Qwen/Qwen3.5-4B")
    assert (FILE.threshold, FILE.presence_penalty, FILE.penalty) == (0.5, 1.5, Penalty.ALWAYS)
    assert FILE.release is False


def test_a_hash_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "strad-model.json"
    path.write_text('{"strad": "model", "version": 1, "profile": "x", "prompt_sha256": "abc"}')
    with pytest.raises(FormatError, match="prompt_sha256"):
        read_model_file(path)


def test_the_same_prompts_are_served() -> None:
    must_be_trained_with(VIDEO, FILE)
    must_be_trained_with(VIDEO, changed(prompt="", prompt_sha256=""))


def test_another_profile_is_refused() -> None:
    with pytest.raises(InputError, match="with profile qwen35-video, not qwen35-images: serve it"):
        must_be_trained_with(IMAGES, FILE)


def test_other_instructions_are_refused() -> None:
    with pytest.raises(InputError, match="instructions strad_v0, this version sends strad_v1"):
        must_be_trained_with(VIDEO, changed(prompt="strad_v0"))


def test_other_prompts_of_the_same_name_are_refused() -> None:
    with pytest.raises(InputError, match=r"the prompts of qwen35-video are not .*000000000000"):
        must_be_trained_with(VIDEO, changed(prompt_sha256=64 * "0"))
    with pytest.raises(InputError, match="are not those"):
        must_be_trained_with(replace(VIDEO, most=6), FILE)


def test_the_prompts_stay_as_they_are() -> None:
    """A change here means a new profile or new instructions, and all models trained again."""
    found = {name: prompt_sha256(profile)[:12] for name, profile in PROFILES.items()}
    assert found == {
        "qwen35-video": "9acd87b6f523",
        "qwen35-images": "168091d859b9",
        "phi4mm": "8cc6f99d5fa9",
    }


def test_a_known_answer_is_recorded_kept_and_asked_again(tmp_path: Path) -> None:
    engine = AskedEngine(answer(LINE), answer(LINE), answer("AD <1.0> A cat. <4.0>"))
    path = tmp_path / "check.json"
    write_known_answer(path, run(known_answer(engine, VIDEO)))
    run(must_answer(engine, read_known_answer(path)))
    with pytest.raises(EngineRefusedError, match="does not answer as it did"):
        run(must_answer(engine, read_known_answer(path)))
    recorded, again, _ = engine.asked
    assert again.messages == recorded.messages
    assert again.sampling == recorded.sampling
    assert recorded.sampling.regex == VIDEO.regex(describe=True)


def test_a_known_answer_holds_no_sound() -> None:
    known = run(known_answer(AskedEngine(answer(LINE)), PROFILES["phi4mm"]))
    parts = [part for message in known.messages for part in message.parts]
    assert not [part for part in parts if isinstance(part, Audio)]


def test_no_answer_is_no_known_answer() -> None:
    with pytest.raises(EngineBusyError, match="busy"):
        run(known_answer(AskedEngine(EngineBusyError("busy")), VIDEO))

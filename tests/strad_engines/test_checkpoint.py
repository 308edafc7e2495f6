"""A model's folder: found, read, and refused in one line that says what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from strad.errors import InputError, MissingModelError, StradError, WorkError
from strad_engines.adapters import adapter_of
from strad_engines.checkpoint import Checkpoint, checkpoint
from strad_engines.memory_needed import free_memory, require_memory
from strad_engines.weights import Weights

pytestmark = pytest.mark.unit

GIB = 1 << 30


def model(folder: Path, config: str = '{"model_type": "qwen3_5"}', weights: int = 10) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(config)
    (folder / "model.safetensors").write_bytes(bytes(weights))
    return folder


def test_a_folder_and_a_name_among_the_operators_models_are_found(tmp_path: Path) -> None:
    folder = model(tmp_path / "models" / "mine")
    (folder / "strad-model.json").write_text('{"strad": "model"}')
    by_path = checkpoint(str(folder), Weights(hub=False))
    by_name = checkpoint("mine", Weights(models=tmp_path / "models", hub=False))
    assert by_path.folder == by_name.folder == folder
    assert (by_path.kind, by_path.weight_bytes) == ("qwen3_5", 10)
    assert by_path.other("strad-model.json") == {"strad": "model"}
    assert by_path.other("nothing.json") is None


@pytest.mark.parametrize(
    ("name", "error", "why"),
    [
        ("", InputError, "which model"),
        ("./nowhere", MissingModelError, "no such folder"),
        ("just-a-word", MissingModelError, "no such folder"),
        ("empty", InputError, r"no config\.json"),
        ("bare", InputError, "no .safetensors"),
        ("torn", InputError, "can't be read"),
        ("listed", InputError, "no JSON object"),
        ("nobody/nothing", MissingModelError, "the hub may not be asked|model hub: pip install"),
    ],
)
def test_what_is_no_model_is_told_in_one_line(
    tmp_path: Path, name: str, error: type[StradError], why: str
) -> None:
    (tmp_path / "empty").mkdir()
    model(tmp_path / "bare", weights=0)
    model(tmp_path / "torn", "{")
    model(tmp_path / "listed", "[]")
    with pytest.raises(error, match=why) as raised:
        checkpoint(name, Weights(models=tmp_path, hub=False))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("trained_on", "fits"),
    [("owner/base", True), ("/elsewhere/base", True), ("", True), ("owner/other", False)],
)
def test_an_adapter_belongs_to_its_base(tmp_path: Path, trained_on: str, fits: bool) -> None:
    base = Checkpoint("owner/base", tmp_path / "snapshot", {})
    config = {"base_model_name_or_path": trained_on, "r": 16}
    (tmp_path / "adapter_config.json").write_text(json.dumps(config))
    if fits:
        assert adapter_of(tmp_path, base)["r"] == 16
    else:
        with pytest.raises(InputError, match="was trained on owner/other, not on owner/base"):
            adapter_of(tmp_path, base)


def test_a_folder_without_an_adapter_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no adapter"):
        adapter_of(tmp_path, Checkpoint("base", tmp_path, {}))


def test_what_does_not_fit_is_told_before_it_is_loaded() -> None:
    require_memory("small", GIB, 0, 2 * GIB, "here")
    require_memory("unknown machine", GIB, 0, None, "here")
    with pytest.raises(WorkError, match=r"on the GPU for 4b: it needs about 9\.4 GiB, 8\.0 GiB"):
        require_memory("4b", 8 * GIB, GIB // 4, 8 * GIB, "on the GPU")


def test_free_memory_is_what_the_kernel_says() -> None:
    free = free_memory()
    assert free is None or free > 1 << 20

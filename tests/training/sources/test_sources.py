"""Manifests, the data sets' tables and described videos as material; what is bad is listed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from strad.errors import FormatError
from strad.timeline import Interval
from tests.training import filmed
from training.skipped import Skips
from training.sources.caption_files import read_cues
from training.sources.described import described_material
from training.sources.manifests import manifest_materials
from training.sources.tables import table_materials

pytestmark = pytest.mark.unit

CMDAD = """text,scaled_start,scaled_end,cmd_filename,imdbid
"Anna, in red, leaves.",12.5,15.0,2014/abc,tt0020629
,16,17,2014/abc,tt0020629
Bo sits.,18.0,17.0,2014/abc,tt0020629
Bo stands.,-0.5,2.0,2014/abc,tt0020629
Bo stands.,-0.5,2.0,2014/abc,tt0020629
Bo runs.,x,2.0,2014/abc,tt0020629
Cy waits.,1,2,2015/gone,tt7
"""
CAPTIONS = """WEBVTT

00:00:05.000 --> 00:00:06.000
Hello there.

00:00:09.000 --> 00:00:08.000
Backwards.

00:00:1x.000 --> 00:00:12.000
Broken.

00:00:13.000 --> 00:00:14.000
[music] Goodbye.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "2014").mkdir()
    (tmp_path / "2014" / "abc.mkv").touch()
    (tmp_path / "2014" / "abc.vtt").write_text(CAPTIONS)
    (tmp_path / "cmdad.csv").write_text(CMDAD)
    return tmp_path


def test_cmd_ad_with_captions(folder: Path) -> None:
    skips = Skips()
    (found,) = table_materials(folder / "cmdad.csv", folder, folder, skips)
    assert (found.id, found.film, found.streams) == ("2014/abc", "tt0020629", True)
    assert found.media == folder / "2014" / "abc.mkv"
    assert [cue.text for cue in found.events] == ["Bo stands.", "Anna, in red, leaves."]
    assert [cue.when.start for cue in found.events] == [0, 12_500]
    assert found.unsure == (Interval(16_000, 17_000), Interval(17_000, 18_000))
    assert sorted(one.text for one in found.segments) == ["Anna, in red, leaves.", "Bo stands."]
    assert [word.text for word in found.words] == ["Hello", "there.", "Goodbye."]
    assert skips.counts() == {
        "bad-captions": 1,
        "bad-entry": 1,
        "empty-text": 1,
        "missing-media": 1,
        "reversed-times": 2,
    }
    assert skips.line().startswith("passed over 6: 1 bad-captions, 1 bad-entry, ")
    assert "\n" not in skips.line()


def test_without_captions_there_are_segments_alone(folder: Path) -> None:
    skips = Skips()
    (found,) = table_materials(folder / "cmdad.csv", folder, None, skips)
    assert (found.streams, found.words) == (False, ())
    assert skips.counts()["no-transcript"] == 1


def test_mad_eval_has_a_file_a_row_and_no_stream(tmp_path: Path) -> None:
    rows = "movie,lsmdc_filename,start,end,sentence\n0001_M,0001_a.avi,60.0,63.5,She goes.\n"
    (tmp_path / "mad.csv").write_text(rows)
    (tmp_path / "0001_M").mkdir()
    (tmp_path / "0001_M" / "0001_a.avi").touch()
    (found,) = table_materials(tmp_path / "mad.csv", tmp_path, tmp_path, Skips())
    assert (found.film, found.streams) == ("0001_M", False)
    (segment,) = found.segments
    assert (segment.when, segment.pad) == (Interval(0, 3_500), 0)


def test_episodes_of_one_series_are_one_film(tmp_path: Path) -> None:
    rows = "text,start,end,imdbid,imdbid_pe,tvad_name\nA.,1,2,tt9,tt9_1,x\nB.,1,2,tt9,tt9_2,x\n"
    (tmp_path / "tv.csv").write_text(rows)
    for name in ("tt9_1", "tt9_2"):
        (tmp_path / f"{name}.mp4").touch()
    found = table_materials(tmp_path / "tv.csv", tmp_path, None, Skips())
    assert {one.film for one in found} == {"tt9"}
    assert len({one.slug for one in found}) == 2


def test_a_described_video(tmp_path: Path) -> None:
    video, told, captions = (tmp_path / name for name in ("film.mp4", "ad.srt", "cc.vtt"))
    video.touch()
    told.write_text(
        "1\n00:00:01,000 --> 00:00:03,000\nAnna leaves.\n\n"
        "2\n00:00:09,000 --> 00:00:07,000\nBo leaves.\n\n"
        "3\n00:00:10,000 --> 00:00:12,000\n...\n\n"
        f"4\n00:00:20,000 --> 00:00:30,000\n{'word ' * 61}\n"
    )
    captions.write_text(CAPTIONS)
    skips = Skips()
    found = described_material(video, told, captions, skips)
    assert found
    assert [cue.text for cue in found.events] == ["Anna leaves."]
    assert (found.film, len(found.segments), len(found.words)) == ("film", 1, 3)
    assert skips.counts() == {
        "bad-captions": 1,
        "empty-text": 1,
        "reversed-times": 2,
        "too-long": 1,
    }
    spans = ((7_000, 9_000), (10_000, 12_000), (20_000, 30_000))
    assert found.unsure == tuple(Interval(*span) for span in spans)
    assert described_material(tmp_path / "none.mp4", told, captions, skips) is None


def test_a_file_that_is_no_captions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.vtt").write_text("WEBVTT\n\n" + "no cue at all\n\n" * 200)
    with pytest.raises(FormatError, match="more than 100 bad cues"):
        read_cues(tmp_path / "a.vtt", Skips())


def test_a_manifest_keeps_what_is_sound(tmp_path: Path) -> None:
    good, other = filmed.entry("good"), filmed.entry("other", seed=1)
    for name in ("good", "other"):
        (tmp_path / f"{name}.mp4").touch()
    good["film"] = other["film"] = "one film"
    good["ad"][0]["end"] = 0
    good["ad"][1]["text"] = " "
    source = filmed.manifest(tmp_path, good, other, {"id": "none"})
    skips = Skips()
    found = manifest_materials(source, None, skips)
    assert [one.id for one in found] == ["good", "other"]
    assert {one.film for one in found} == {"one film"}
    assert len(found[0].events) == len(good["ad"]) - 2
    assert len(found[0].unsure) == 2
    assert found[0].unsure[0] == Interval(0, 2_500)
    assert Counter(skips.counts()) == {"bad-entry": 1, "empty-text": 1, "reversed-times": 1}
    (tmp_path / "no.json").write_text("[]")
    with pytest.raises(FormatError):
        manifest_materials(tmp_path / "no.json", None, Skips())


def test_films_without_a_name_are_not_one_film(tmp_path: Path) -> None:
    entries = [{**filmed.entry(name), "film": " "} for name in ("a", "b")]
    for name in ("a", "b"):
        (tmp_path / f"{name}.mp4").touch()
    found = manifest_materials(filmed.manifest(tmp_path, *entries), None, Skips())
    assert [one.films for one in found] == [("a",), ("b",)]

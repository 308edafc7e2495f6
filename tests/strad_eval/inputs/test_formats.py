"""Every input format: what it gives, and which line a refusal names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from strad.errors import FormatError, InputError
from strad_eval.inputs.content import Content, Options
from strad_eval.inputs.formats import FORMATS, format_of, read_any

pytestmark = pytest.mark.eval

CMDAD = """text,start,end,movie,scaled_start,scaled_end,cmd_filename,imdbid,movie_title,cmd_clip_idx
"He nods, twice.",1395.4,1397.3,7212,4.38,6.38,2014/ab,tt1,The Film,1
She smiles.,1,2,7212,-0.4,1.6,2014/ab,tt1,The Film,1
He leaves.,1,2,7212,3,5,2015/cd,tt2,Other,1
"""
MADEVAL = """movie,sentence,movie_duration,start,end,imdbid
0001_Film,Caf\u00e9 doors swing \u2014 open.,5400.5,10.5,12.0,tt1
"""
TVAD = """text,start,end,imdbid,imdbid_pe,season,episode,scaled_end,scaled_start,duration,tvad_name
He sits.,240.25,242.112,tt1,tt9,1,1,242.181,240.181,2,friends_s01e01
"""
PUBLISHED = """vid,start,end,text_gt,text_gen
m1,1.0,2.0,He nods.,A man nods.
m1,3.0,4.0,She sits.,
"""
KRISHNA = {
    "v1": {"duration": 60, "timestamps": [[1, 3.5]], "sentences": ["A man walks."]},
    "v2": {"duration": 30, "timestamps": [], "sentences": []},
}
RESULTS = {"version": "1", "results": {"v1": [{"sentence": "A man.", "timestamp": [0.5, 3]}]}}


def _write(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def _ad(content: Content) -> dict[str, list[tuple[float, float, str]]]:
    assert content.manifest is not None
    return {v.id: [(e.start, e.end, e.text) for e in v.ad] for v in content.manifest.videos}


def test_cmdad_uses_clip_times_and_starts_widened_ones_at_0(tmp_path: Path) -> None:
    path = _write(tmp_path, "cmdad.csv", CMDAD)
    found = read_any(path, Options())
    assert format_of(path) == "cmdad"
    assert _ad(found) == {
        "2014/ab": [(4.38, 6.38, "He nods, twice."), (0.0, 1.6, "She smiles.")],
        "2015/cd": [(3.0, 5.0, "He leaves.")],
    }
    assert found.cut == 1
    assert found.manifest is not None
    assert found.manifest.videos[0].duration == 6.38
    assert (found.manifest.videos[0].model_extra or {})["imdbid"] == "tt1"


def test_madeval_may_be_cp1252(tmp_path: Path) -> None:
    path = _write(tmp_path, "mad.csv", MADEVAL, "cp1252")
    found = read_any(path, Options())
    assert format_of(path) == "madeval"
    assert _ad(found) == {"0001_Film": [(10.5, 12.0, "Caf\u00e9 doors swing \u2014 open.")]}
    assert found.manifest is not None
    assert found.manifest.videos[0].duration == 5400.5


def test_other_data_sets_must_be_utf8(tmp_path: Path) -> None:
    path = _write(tmp_path, "tv.csv", TVAD.replace("He sits", "Caf\u00e9"), "cp1252")
    with pytest.raises(FormatError, match=r"tv\.csv:2: not UTF-8: byte 0xe9"):
        read_any(path, Options())


def test_tvad_is_by_episode(tmp_path: Path) -> None:
    assert _ad(read_any(_write(tmp_path, "tv.csv", TVAD), Options())) == {
        "tt9": [(240.25, 242.112, "He sits.")]
    }


def test_published_predictions_keep_their_empty_ones(tmp_path: Path) -> None:
    found = read_any(_write(tmp_path, "p.csv", PUBLISHED), Options())
    assert found.predictions is not None
    assert [(line, p.text) for line, p in found.predictions] == [(2, "A man nods."), (3, "")]
    assert _ad(found) == {"m1": [(1.0, 2.0, "He nods."), (3.0, 4.0, "She sits.")]}


def test_activitynet_references_and_results(tmp_path: Path) -> None:
    gold = read_any(_write(tmp_path, "gold.json", json.dumps(KRISHNA, indent=1)), Options())
    said = read_any(_write(tmp_path, "said.json", json.dumps(RESULTS)), Options())
    assert _ad(gold) == {"v1": [(1.0, 3.5, "A man walks.")], "v2": []}
    assert said.predictions is not None
    assert [p.line() for _, p in said.predictions] == [
        '{"video_id":"v1","start":0.5,"end":3.0,"text":"A man."}'
    ]


def test_webvtt_is_of_the_video_named_or_the_file(tmp_path: Path) -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:02.500\nHe nods\nslowly.\n"
    path = _write(tmp_path, "film.vtt", text)
    assert _ad(read_any(path, Options())) == {"film": [(1.0, 2.5, "He nods slowly.")]}
    named = read_any(path, Options(video_id="v1", duration=90.0))
    assert named.manifest is not None
    assert [(v.id, v.duration) for v in named.manifest.videos] == [("v1", 90.0)]


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("a.csv", CMDAD.replace("4.38,6.38", "nan,6.38"), r"a\.csv:2: scaled_start: not a time"),
        ("a.csv", CMDAD.replace("3,5,2015", "5,3,2015"), r"a\.csv:4: it ends before it starts"),
        ("a.csv", CMDAD.replace("2015/cd", ""), r"a\.csv:4: no video id"),
        ("a.csv", CMDAD + "half,1", r"a\.csv:5: too few columns"),
        ("a.csv", "x,y\n1,2\n", r"a\.csv:1: none of the CSV formats"),
        ("a.csv", "", r"a\.csv:1: none of the CSV formats"),
        ("a.csv", CMDAD.splitlines()[0] + "\n", r"a\.csv: no descriptions in it"),
        ("a.json", "{", r"a\.json:1: not a format known"),
        ("a.json", "", r"a\.json:1: it is empty"),
        ("a.json", '{"version": 1, "name": "n"}', r"a\.json:1: videos: Field required"),
        ("a.json", '{"v": {"timestamps": [[1, 2]],\n"sentences": []}}', "1 timestamps and 0"),
        ("a.json", '{"v": {"timestamps":\n[[1, "2"]],\n"sentences": ["a"]}}', r"a\.json:2: want"),
        ("a.json", '{"v": {"timestamps":\n[[1, NaN]], "sentences": ["a"]}}', r"a\.json:2: .*NaN"),
        ("a.json", '{"results":\n{"v": [{"timestamp": [1, 2]}]}}', r"a\.json:2: sentence: want"),
        ("a.json", '{"results": []}', r"a\.json:1: results: want an object"),
        ("a.jsonl", '{"video_id": "v", "start": 1, "end": 2}', r"a\.jsonl:1: text"),
        ("a.jsonl", '\n{"video_id": "v", "start": -1, "end": 2, "text": ""}', r"a\.jsonl:2: start"),
        ("a.vtt", "nothing", r"a\.vtt:1:"),
    ],
)
def test_every_refusal_names_file_and_line(
    tmp_path: Path, name: str, text: str, complaint: str
) -> None:
    with pytest.raises(FormatError, match=complaint):
        read_any(_write(tmp_path, name, text), Options())


def test_events_that_end_before_they_start_can_be_turned_round(tmp_path: Path) -> None:
    path = _write(tmp_path, "a.csv", CMDAD.replace("3,5,2015", "5,3,2015"))
    found = read_any(path, Options(reversed_times="swap"))
    assert (found.swapped, _ad(found)["2015/cd"]) == (1, [(3.0, 5.0, "He leaves.")])


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    for name in ("no.csv", "no.json", "no.jsonl", "no.vtt"):
        with pytest.raises(InputError, match="can't be read: no such file"):
            read_any(tmp_path / name, Options())


def test_an_unknown_format_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--from xml: choose from manifest"):
        read_any(tmp_path / "x", Options(), "xml")
    assert "madeval" in FORMATS

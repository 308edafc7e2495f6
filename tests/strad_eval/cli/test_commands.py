"""The commands as people run them: what is written, what is said, how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from strad_eval.cli import main as program
from tests.strad_eval.toy import DURATIONS, PREDICTIONS, REFERENCES

pytestmark = pytest.mark.eval


@pytest.fixture(autouse=True)
def _no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on a machine without Java: these tests are of the rest."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.delenv("JAVA_HOME", raising=False)


@pytest.fixture
def refs(tmp_path: Path) -> Path:
    videos = [
        {
            "id": name,
            "duration": DURATIONS[name],
            "genre": f"genre {name}",
            "ad": [{"start": s, "end": e, "text": t} for s, e, t in said],
            "transcript": [{"start": 13.0, "end": 19.0, "text": "Hello <b>there</b>."}],
        }
        for name, said in REFERENCES.items()
    ]
    path = tmp_path / "refs.json"
    path.write_text(json.dumps({"version": 1, "name": "toy & co", "videos": videos}))
    return path


def _preds(path: Path, shift: float = 0.0) -> Path:
    lines = ['{"strad": "predictions", "version": 1, "describer": "<i>toy</i>", "draft": true}']
    for name, said in PREDICTIONS.items():
        for s, e, t in said:
            event = {"video_id": name, "start": s + shift, "end": e + shift, "text": t}
            lines.append(json.dumps(event))
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def preds(tmp_path: Path) -> Path:
    return _preds(tmp_path / "preds.jsonl")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    window = {"video_id": "v1", "cursor": 5.0, "advance": 2.0, "wall": 1.0, "decision": "ad"}
    late = {**window, "cursor": 130.0, "wall": 50.0, "ad_start": 120.0}
    path.write_text("\n".join(map(json.dumps, [{**window, "ad_start": 2.0}, late])))
    return path


def _run(*arguments: object) -> int:
    """The exit status of the program with these arguments."""
    sys.argv = ["strad-eval", *map(str, arguments)]
    try:
        program.main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def _load(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_stream_writes_every_report_and_says_what_it_could_not_score(
    refs: Path, preds: Path, log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / name for name in ("r.json", "r.md", "r.html")]
    options = ["--json", files[0], "--markdown", files[1], "--html", files[2]]
    assert _run("stream", refs, preds, "--efficiency", log, *options) == 0
    report = _load(files[0])
    assert report["figures"]["cider"]["by_threshold"]["0.5"] == pytest.approx(0.362897, abs=1e-6)
    assert report["figures"]["rtf"]["value"] == 0.5
    assert report["figures"]["lag"]["value"] == 3.0
    assert "soda" not in report["figures"]
    assert report["not_scored"][0].startswith("METEOR and SODA are not scored: no java")
    assert not report["strad_score"]
    assert report["draft"]
    assert report["readings"]["soda_meteor"] == "swapped"
    assert set(report["figures"]["recall"]["by_genre"]) == {"genre v1", "genre v2"}
    out = capsys.readouterr().out
    for said in ("Not a StrAD score", "no java on the PATH", "tious=0.1/0.3/0.5", "Draft quality"):
        assert said in " ".join(out.split())
    assert "| CIDEr | \u2191 | 52.50 |" in files[1].read_text()


def test_the_page_needs_nothing_from_anywhere_and_escapes_all_text(
    refs: Path, preds: Path, tmp_path: Path
) -> None:
    page = tmp_path / "r.html"
    assert _run("stream", refs, preds, "--html", page, "--quiet") == 0
    text = page.read_text()
    for forbidden in ("http://", "https://", "<script", "src=", "<i>toy", "<b>there", "toy & co"):
        assert forbidden not in text
    assert "&lt;i&gt;toy" in text
    assert text.count("<svg") == text.count("</svg>") >= 2 + 2


def test_the_same_input_gives_the_same_bytes(refs: Path, preds: Path, tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        assert _run("stream", refs, preds, "--json", tmp_path / name, "--quiet") == 0
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_output_that_exists_is_refused_before_the_work(
    refs: Path, preds: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = tmp_path / "taken.json"
    taken.write_text("mine")
    assert _run("stream", refs, preds, "--json", taken) == 2
    assert "exists already" in capsys.readouterr().err
    assert taken.read_text() == "mine"
    assert _run("stream", refs, preds, "--json", taken, "--force", "--quiet") == 0
    assert _load(taken)["strad_eval"] == "stream"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (["--compat", "coco"], "--compat coco: choose from"),
        (["--reading", "idf=x"], "choose from unit, set"),
        (["--reading", "tokens=jar"], "no java on the PATH"),
        (["--efficiency", "none.jsonl"], "none.jsonl: can't be read"),
    ],
)
def test_errors_are_one_line(
    refs: Path,
    preds: Path,
    change: list[str],
    complaint: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _run("stream", refs, preds, *change) in (1, 2)
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_a_window_of_an_unknown_video_is_refused_with_its_line(
    refs: Path, preds: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log.write_text(log.read_text() + "\n\n" + log.read_text().splitlines()[0].replace("v1", "v9"))
    assert _run("stream", refs, preds, "--efficiency", log) == 2
    assert "log.jsonl:4: no video 'v9' in toy & co" in capsys.readouterr().err
    ignore = ("--reading", "unknown_ids=ignore", "--quiet")
    assert _run("stream", refs, preds, "--efficiency", log, *ignore) == 0


def test_convert_goes_there_and_back(refs: Path, preds: Path, tmp_path: Path) -> None:
    assert _run("convert", refs, tmp_path / "a.json", "--to", "activitynet") == 0
    assert _run("convert", preds, tmp_path / "p.json", "--to", "activitynet-results") == 0
    assert _run("convert", tmp_path / "a.json", tmp_path / "b.json", "--to", "manifest") == 0
    assert _run("convert", tmp_path / "p.json", tmp_path / "p.jsonl", "--to", "predictions") == 0
    assert [v["ad"] for v in _load(tmp_path / "b.json")["videos"]] == [
        v["ad"] for v in _load(refs)["videos"]
    ]
    for name, given in (("1", (refs, preds)), ("2", (tmp_path / "a.json", tmp_path / "p.json"))):
        assert _run("stream", *given, "--json", tmp_path / f"r{name}.json", "--quiet") == 0
    first, second = (_load(tmp_path / f"r{n}.json")["figures"]["cider"] for n in "12")
    assert first["value"] == second["value"]


def test_convert_refuses_what_a_format_cannot_hold(
    refs: Path, preds: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("convert", refs, tmp_path / "x.vtt", "--to", "webvtt") == 2
    assert "WebVTT and SRT hold one video, here are 2" in capsys.readouterr().err
    assert _run("convert", refs, tmp_path / "x.jsonl", "--to", "predictions") == 2
    assert "no predictions in it" in capsys.readouterr().err
    assert _run("convert", refs, tmp_path / "x.vtt", "--to", "webvtt", "--video-id", "v2") == 0
    assert "00:00:05.000 --> 00:00:07.000\nThe car stops." in (tmp_path / "x.vtt").read_text()
    assert _run("convert", tmp_path / "x.vtt", tmp_path / "y.vtt", "--to", "vtt") == 0
    assert (tmp_path / "y.vtt").read_text() == (tmp_path / "x.vtt").read_text()
    assert _run("convert", refs, tmp_path / "x.srt", "--to", "srt", "--video-id", "v2") == 0
    assert "00:00:05,000 --> 00:00:07,000\nThe car stops." in (tmp_path / "x.srt").read_text()
    capsys.readouterr()
    assert _run("convert", tmp_path / "x.srt", tmp_path / "x.srt", "--to", "srt") == 2
    assert "name another file, or replace it with --force" in capsys.readouterr().err
    assert not (tmp_path / "x.jsonl").exists()


def test_compare_gives_intervals_over_the_same_videos(
    refs: Path, preds: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worse = _preds(tmp_path / "worse.jsonl", shift=1.5)
    for given, name in ((preds, "a.json"), (worse, "b.json")):
        assert _run("stream", refs, given, "--json", tmp_path / name, "--quiet") == 0
    out = tmp_path / "c.json"
    assert _run("compare", tmp_path / "a.json", tmp_path / "b.json", "--json", out) == 0
    recall = _load(out)["figures"]["recall"]
    assert recall["a"] == pytest.approx((0.75 + 0.75 + 0.416667) / 3, abs=1e-6)
    assert recall["low"] <= recall["difference"] <= recall["high"] <= 0
    told = capsys.readouterr().out
    assert "A better" in told
    assert "\u2013 to \u2013" not in told


def test_of_one_video_there_is_no_interval(
    refs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, said = tmp_path / "one.json", tmp_path / "said.jsonl"
    assert _run("convert", refs, one, "--to", "manifest", "--video-id", "v2") == 0
    said.write_text('{"video_id": "v2", "start": 5, "end": 7, "text": "The car stops."}\n')
    assert _run("stream", one, said, "--json", tmp_path / "a.json") == 0
    assert "1 video, 1 chunk, 2 references, 1 prediction" in capsys.readouterr().out
    assert _run("compare", tmp_path / "a.json", tmp_path / "a.json") == 0
    told = capsys.readouterr().out
    assert "too few videos" in told
    assert "\u2013 to \u2013" not in told


def test_compare_refuses_reports_that_were_not_made_alike(
    refs: Path, preds: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("stream", refs, preds, "--json", tmp_path / "a.json", "--quiet") == 0
    assert _run("stream", refs, preds, "--reading", "idf=set", "--json", tmp_path / "b.json") == 0
    capsys.readouterr()
    assert _run("compare", tmp_path / "a.json", tmp_path / "b.json") == 2
    assert "other readings: idf" in capsys.readouterr().err
    assert _run("compare", tmp_path / "a.json", preds) == 2


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"units": []}, "units"),
        ({"figures": {"cider": {}}}, "figures.cider.value"),
        ({"inputs": {}}, "no references"),
        ({"version": 2}, "version"),
        ({"strad_eval": "segment"}, "strad_eval"),
        ({"models": [1]}, "models"),
        ({"prompts": "x"}, "prompts"),
    ],
)
def test_a_broken_report_is_refused(
    refs: Path,
    preds: Path,
    tmp_path: Path,
    change: dict[str, Any],
    complaint: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    good, bad = tmp_path / "a.json", tmp_path / "b.json"
    assert _run("stream", refs, preds, "--json", good, "--quiet") == 0
    bad.write_text(json.dumps({**_load(good), **change}))
    capsys.readouterr()
    assert _run("compare", good, bad) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_a_report_with_a_chunk_twice_is_refused(
    refs: Path, preds: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "a.json", tmp_path / "b.json"
    assert _run("stream", refs, preds, "--json", good, "--quiet") == 0
    report = _load(good)
    bad.write_text(json.dumps({**report, "units": [*report["units"], report["units"][0]]}))
    assert _run("compare", good, bad) == 2
    assert "a chunk stands there twice" in capsys.readouterr().err


def test_windows_that_stand_twice_are_counted_and_none_gives_an_endless_rtf(
    refs: Path, preds: Path, log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    window = json.loads(log.read_text().splitlines()[0])
    log.write_text("\n".join(map(json.dumps, [window, window, {**window, "advance": 5e-324}])))
    report = tmp_path / "r.json"
    assert _run("stream", refs, preds, "--efficiency", log, "--json", report, "--quiet") == 0
    assert _load(report)["doubts"]["duplicate windows"] == 2
    assert _load(report)["figures"]["rtf"]["value"] == 0.5
    log.write_text(json.dumps({**window, "wall": 1e308}))
    assert _run("stream", refs, preds, "--efficiency", log) == 2
    assert "log.jsonl:1: wall" in capsys.readouterr().err


def test_a_bundle_verifies_and_a_forged_one_does_not(
    refs: Path, preds: Path, log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = tmp_path / "b.zip"
    made = ["bundle", refs, preds, bundle, "--efficiency", log]
    assert _run(*made) == 2
    assert "--hardware" in capsys.readouterr().err
    assert _run(*made, "--hardware", "1 A100", "--reading", "late_s=3") == 0
    assert _run("verify", bundle) == 2
    assert "give them with --refs" in capsys.readouterr().err
    assert _run("verify", bundle, "--refs", refs) == 0
    assert "figures hold" in capsys.readouterr().out
    forged = _forged(bundle, tmp_path / "f.zip")
    assert _run("verify", forged, "--refs", refs) == 1
    assert "the report is not what its files give: cider is" in capsys.readouterr().err
    assert _run("verify", preds, "--refs", refs) == 2
    assert "not a bundle" in capsys.readouterr().err


def test_a_bundle_can_hold_the_references_and_is_the_same_each_time(
    refs: Path, preds: Path, tmp_path: Path
) -> None:
    for name in ("a.zip", "b.zip"):
        assert _run("bundle", refs, preds, tmp_path / name, "--with-refs") == 0
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert _run("verify", tmp_path / "a.zip") == 0


def _forged(bundle: Path, to: Path) -> Path:
    import zipfile

    with zipfile.ZipFile(bundle) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "report.json":
                report = json.loads(data)
                report["figures"]["cider"]["value"] = 9.9
                data = json.dumps(report).encode()
            new.writestr(name, data)
    return to


def test_the_program_is_there_and_teaches() -> None:
    code = "import sys; sys.argv=['strad-eval','--help']; import strad_eval.cli.main as m; m.main()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    for name in program.COMMANDS:
        assert name in done.stdout

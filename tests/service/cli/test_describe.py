"""``strad describe``: outputs, figures, wrong input, and what Ctrl-C leaves behind."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.cli.describe import video_name
from service.cli.main import main
from strad.predictions import PREDICTIONS
from strad.srt import read_srt
from strad.webvtt import read_webvtt
from tests.streaming.clips import clip, webm

pytestmark = pytest.mark.service

SCRIPT = """\
{"video_id": "film", "start": 0.5, "end": 1.5, "text": "A door opens."}
{"video_id": "film", "start": 4.0, "end": 5.5, "text": "A woman walks in."}
"""
ROOT = Path(__file__).parents[3]
CAPTIONS = "WEBVTT\n\n00:02.000 --> 00:03.900\nWho is there?\n"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of 10 s, its script and captions, and everything that is no film."""
    folder = tmp_path_factory.mktemp("films")
    film = clip(webm(seconds=10.0, fps=10))
    (folder / "film.webm").write_bytes(film)
    (folder / "script.jsonl").write_text(SCRIPT)
    (folder / "captions.vtt").write_text(CAPTIONS)
    (folder / "empty.mp4").write_bytes(b"")
    (folder / "text.mp4").write_text("not a film\n" * 100)
    (folder / "cut.webm").write_bytes(film[:300])
    (folder / "sound.webm").write_bytes(clip(webm(seconds=3.0, video=False)))
    (folder / "there.vtt").write_text("mine")
    return folder


def strad(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["strad", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def scripted(shelf: Path, *more: str) -> list[str]:
    """Describe the film by its script, without speech recognition."""
    film, script = shelf / "film.webm", shelf / "script.jsonl"
    return ["describe", str(film), "--describer", f"scripted:{script}", "--asr", "off", *more]


def test_the_description_goes_to_standard_output(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = strad(monkeypatch, capsys, *scripted(shelf))
    assert code == 0
    assert err == "2 descriptions: standard output\n"
    cues = read_webvtt(out)
    assert [cue.text for cue in cues] == ["A door opens.", "A woman walks in."]
    assert [cue.when.start for cue in cues] == [500, 4_000]


def test_captions_keep_descriptions_off_the_words(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    captions = ("--captions", str(shelf / "captions.vtt"), "--format", "srt")
    code, out, _ = strad(monkeypatch, capsys, *scripted(shelf, *captions, "--gaps", "transcript"))
    assert code == 0
    first, second = read_srt(out)
    assert first.when.end <= 2_000 - 400
    assert second.when.start >= 3_900 + 100


def test_every_file_asked_for_is_written_and_agrees(
    shelf: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = {name: tmp_path / name for name in ("out.jsonl", "sum.json", "eff.jsonl")}
    options = ["-o", "out.jsonl", "--summary", "sum.json", "--efficiency", "eff.jsonl"]
    monkeypatch.chdir(tmp_path)
    assert strad(monkeypatch, capsys, *scripted(shelf, *options))[0] == 0
    header, found = PREDICTIONS.read(files["out.jsonl"].read_text().splitlines())
    assert header is not None
    assert (header.describer, header.draft, header.protocol) == ("scripted", False, None)
    assert [p.text for p in found] == ["A door opens.", "A woman walks in."]
    figures = json.loads(files["sum.json"].read_text())
    assert figures["events"] == 2
    assert figures["complete"] is True
    assert figures["media_seconds"] == pytest.approx(10.0, abs=0.1)
    lines = [json.loads(line) for line in files["eff.jsonl"].read_text().splitlines()[1:]]
    assert len(lines) == figures["windows"]
    assert sum(line["decision"] == "ad" for line in lines) == 2


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """What the system says of a longer file is what it says of a full disk."""
    was = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)  # Python would keep half a module's
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, was[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, was)


def test_an_output_that_fails_at_the_end_costs_only_itself(
    shelf: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ["-o", "out.vtt", "--efficiency", "eff.jsonl", "--summary", "sum.json"]
    monkeypatch.chdir(tmp_path)
    with files_of_at_most(300):
        code, _, err = strad(monkeypatch, capsys, *scripted(shelf, *options))
    assert code == 1
    why = "can't be written: file too large"
    assert err == f"strad: eff.jsonl: {why}; sum.json: {why}; all else is written\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out.vtt"]
    assert len(read_webvtt((tmp_path / "out.vtt").read_text())) == 2


def test_the_papers_protocol_is_marked_and_raw(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--protocol", "strad", "--captions", str(shelf / "captions.vtt"))
    code, out, _ = strad(monkeypatch, capsys, *scripted(shelf, *options, "--format", "jsonl"))
    assert code == 0
    header, found = PREDICTIONS.read(out.splitlines())
    assert header is not None
    assert header.protocol == "strad"
    assert [(p.start, p.end) for p in found] == [(0.5, 1.5), (4.0, 5.5)]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("{shelf}/none.mp4", 2, "no such file"),
        ("{shelf}", 2, "is a directory"),
        ("{shelf}/empty.mp4 --asr off", 2, "empty"),
        ("{shelf}/text.mp4 --asr off", 2, "{shelf}/text.mp4"),
        ("{shelf}/cut.webm --asr off", 2, "{shelf}/cut.webm"),
        ("{shelf}/sound.webm --asr off", 2, "no video"),
        ("{shelf}/film.webm -o {shelf}/there.vtt", 2, "replace it with --overwrite"),
        ("{shelf}/film.webm -o {shelf}/no/where.vtt", 2, "{shelf}/no"),
        ("{shelf}/film.webm -o {shelf}", 2, "is a folder"),
        ("{shelf}/film.webm --efficiency /proc/x.jsonl", 2, "/proc/x.jsonl: can't be written"),
        ("{shelf}/film.webm -o {shelf}/a.vtt --summary {shelf}/a.vtt", 2, "the same name"),
        ("{shelf}/film.webm --describer oracle", 2, "no describer 'oracle'"),
        ("{shelf}/film.webm --captions {shelf}/none.srt", 2, "none.srt"),
        ("{shelf}/film.webm --captions {shelf}/script.jsonl", 2, "script.jsonl:1"),
        ("{shelf}/film.webm --delay -1", 2, "strad: --delay can't be negative"),
        ("{shelf}/film.webm --stride 99", 2, "strad: --stride must be"),
        ("{shelf}/film.webm --protocol strad", 2, "--captions"),
        ("{shelf}/film.webm --protocol strad --placement fit", 2, "--placement off"),
        ("{shelf}/film.webm --asr no-such-model", 2, "that holds one, base, tiny.en, or off"),
        ("{shelf}/film.webm --asr {shelf}", 1, "holds no Whisper model"),
        ("{shelf}/film.webm --gaps transcript --asr off", 2, "needs a transcript"),
        ("{shelf}/film.webm -o {shelf}/film.webm --overwrite", 2, "is read"),
        (
            "{shelf}/film.webm --captions {shelf}/captions.vtt --summary {shelf}/captions.vtt "
            "--overwrite",
            2,
            "is read",
        ),
        ("{shelf}/film.webm -o {shelf}/out.txt", 2, "which format"),
        ("{shelf}/film.webm --stride 1e308", 2, "strad: --stride is not a time"),
        ("{shelf}/film.webm --stride 0.001", 2, "stride"),
        ("{shelf}/film.webm --delay 1e9", 2, "delay"),
        ("{shelf}/film.webm --language e_n", 2, "--language"),
        ("{shelf}/" + "a" * 300, 2, "too long"),
        ("file:///etc/passwd", 2, "file"),
        ("rtmp://foo/bar", 2, "asked for by name: --via rtmp"),
        ("concat:a|b", 2, "no such file"),
    ],
)
def test_wrong_input_is_one_line_and_leaves_nothing(
    words: str,
    code: int,
    told: str,
    shelf: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = sorted(shelf.iterdir())
    asked = words.format(shelf=shelf).split()
    if "--describer" not in asked:
        asked += ["--describer", f"scripted:{shelf / 'script.jsonl'}"]
    found, out, err = strad(monkeypatch, capsys, "describe", *asked)
    assert found == code
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith("strad: ")
    assert told.format(shelf=shelf) in line
    assert sorted(shelf.iterdir()) == before


def test_an_unknown_option_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = strad(monkeypatch, capsys, "describe", "film.mp4", "--colour", "red")
    assert code == 2
    assert "--colour" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_ctrl_c_leaves_what_was_described_by_then(
    shelf: Path, tmp_path: Path, number: signal.Signals
) -> None:
    out = tmp_path / "out.vtt"
    words = [*scripted(shelf, "--pace", "live"), "-o", str(out), "--delay", "4"]
    start = "from service.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", start, *words],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_with_ctrl_c,
    )
    assert process.stderr is not None
    # asyncio's debug mode may log slow callbacks in between.
    said = next((line for line in process.stderr if "A door opens." in line), "")
    process.send_signal(number)
    _, rest = process.communicate(timeout=120)
    assert said
    assert process.returncode == 130
    assert "Traceback" not in rest
    text = out.read_text()
    assert "NOTE Incomplete" in text
    assert [cue.text for cue in read_webvtt(text)] == ["A door opens."]


def _with_ctrl_c() -> None:
    """A shell's background job has SIGINT ignored, and its children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_of_a_url_only_the_path_names_the_video() -> None:
    assert video_name("https://example.org/films/night.mp4?token=secret#x") == "night"
    assert video_name("films/night.mp4") == "night"


def test_a_full_output_is_one_line(shelf: Path) -> None:
    start = "from service.cli import main; main()"
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-c", start, *scripted(shelf)],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("strad: output: no space left")
    assert "Traceback" not in ended.stderr
    assert "Exception" not in ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize("pauses", [(0.05,), (0.4,), (0.9,), (4.0, 0.1), (4.0, *[0.02] * 9)])
def test_ctrl_c_at_any_moment_is_130_and_no_traceback(
    shelf: Path, tmp_path: Path, pauses: tuple[float, ...]
) -> None:
    words = [*scripted(shelf, "--pace", "live"), "-o", str(tmp_path / "out.vtt")]
    process = subprocess.Popen(
        [sys.executable, "-c", "from service.cli import main; main()", *words],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_with_ctrl_c,
    )
    # Python itself needs some 20 ms before any handler of ours can be there.
    time.sleep(0.1)
    for pause in pauses:
        time.sleep(pause)
        process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert "Traceback" not in err
    assert process.returncode == 130

"""``strad describe`` with strad-zero over HTTP: a film is described from its pictures."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from service.cli.main import main
from strad.cues import Cue
from strad.predictions import PREDICTIONS, Prediction
from strad.speech import count_words, spoken_ms
from strad.timeline import Interval, from_seconds
from streaming.placement import Limits
from tests.seeing.asked import Asked
from tests.seeing.film import Figure, Film, Title, render
from tests.seeing.mind import LackingError
from tests.seeing.server import MODEL, SeeingServer, seeing_thread
from tests.service.model_server import model_server
from tests.streaming.clips import clip, webm

pytestmark = pytest.mark.service

FILM = Film(
    58_000,
    (
        Figure(Interval(5_000, 11_000), "red", "circle", "right"),
        Figure(Interval(22_000, 28_000), "blue", "square", "left"),
        Figure(Interval(30_000, 35_000), "green", "triangle", "up"),
        Figure(Interval(48_000, 53_000), "yellow", "circle", "still", label="Anna"),
    ),
    (Title(Interval(40_000, 45_000), "ROOM 12"),),
    (
        Cue(Interval(1_000, 3_500), "Where have you been all night?"),
        Cue(Interval(12_500, 19_500), "I was at the station, and then I waited for Anna."),
        Cue(Interval(36_000, 38_500), "Somebody is coming!"),
    ),
)
SAID = [
    "red circle moves right",
    "blue square moves left",
    "green triangle moves up",
    "ROOM 12",
    "Anna, a yellow circle, stands still",
]


def expects(asked: Asked) -> None:
    """All that was said in the film's last two minutes, whatever the task reads it for."""
    if asked.task == "caption":
        return
    now = asked.seconds("Now")[0]
    for cue in FILM.said:
        words = " ".join(asked.heard())
        if cue.when.end / 1000 <= now - 1 and cue.text.split(".")[0] not in words:
            raise LackingError(f"what was said: {cue.text}")


@dataclass(frozen=True, slots=True)
class Run:
    """What a command wrote, and what the endpoint saw of it."""

    found: list[Prediction]
    describer: str
    draft: bool
    server: SeeingServer
    windows: list[dict[str, object]]


Strad = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("film")
    (folder / "film.vtt").write_text(FILM.captions())
    return render(FILM, folder / "film.webm")


@pytest.fixture
def strad(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Strad:
    def command(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["strad", *(str(word) for word in words)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return command


def described(film: Path, strad: Strad, tmp_path: Path, *more: object) -> Run:
    log = tmp_path / "efficiency.jsonl"
    with seeing_thread(expects=expects) as server:
        words = ["describe", film, "--engine", f"openai:{server.url}", "--model", MODEL]
        words += ["--captions", film.with_suffix(".vtt"), "--gaps", "transcript"]
        code, out, err = strad(*words, "--format", "jsonl", "--efficiency", log, *more)
    assert code == 0, err
    assert server.refused == []
    header, found = PREDICTIONS.read(out.splitlines())
    assert header is not None
    windows = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    return Run(found, str(header.describer), bool(header.draft), server, windows)


@pytest.mark.parametrize("more", [(), ("--calls", "1")], ids=["three calls", "one call"])
def test_a_film_is_described_from_its_pictures_in_its_gaps(
    film: Path, strad: Strad, tmp_path: Path, more: tuple[str, ...]
) -> None:
    run = described(film, strad, tmp_path, *more)
    assert run.describer == f"strad-zero:{MODEL} (prompts v1{', one call' if more else ''})"
    assert run.draft
    assert len(run.found) == len(SAID), run.found
    for prediction, said in zip(run.found, SAID, strict=True):
        assert said in prediction.text
        when = Interval(from_seconds(prediction.start), from_seconds(prediction.end))
        assert not [cue for cue in FILM.said if cue.when.overlaps(when)]
        slow = spoken_ms(prediction.text)
        assert slow / Limits().max_rate - 1 <= when.duration <= slow + 1
    # Little is free after some of them; nothing is in the way of others.
    lengths = [count_words(prediction.text) for prediction in run.found]
    assert max(lengths) >= 13
    assert min(lengths) <= 8
    assert not [w for w in run.windows if w["decision"] == "failed"]
    assert set(run.server.tasks_asked) == ({"watch"} if more else {"caption", "decide", "describe"})


def test_by_the_papers_protocol_one_form_is_centred(
    film: Path, strad: Strad, tmp_path: Path
) -> None:
    bench = tmp_path / "bench.json"
    talk = [
        {"start": c.when.start / 1000, "end": c.when.end / 1000, "text": c.text} for c in FILM.said
    ]
    video = {"id": "film", "source": {"path": str(film)}, "duration": 58.0, "ad": []}
    videos = [{**video, "transcript": talk}]
    bench.write_text(json.dumps({"version": 1, "name": "bench", "videos": videos}))
    run = tmp_path / "run"
    with seeing_thread(expects=expects) as server:
        engine = ("--engine", f"openai:{server.url}", "--model", MODEL)
        words = ("--manifest", bench, "--protocol", "strad", "-o", run, *engine)
        code, _, err = strad("describe", *words)
    assert code == 0, err
    _, found = PREDICTIONS.read((run / "predictions.jsonl").read_text().splitlines())
    assert [said for p, said in zip(found, SAID, strict=True) if said not in p.text] == []
    log = [json.loads(line) for line in (run / "efficiency.jsonl").read_text().splitlines()[1:]]
    middles = [window["cursor"] - 1.0 for window in log if window["decision"] == "ad"]
    assert [(p.start + p.end) / 2 for p in found] == pytest.approx(middles, abs=0.002)
    asked = json.loads((run / "run.json").read_text())["asked"]
    assert (asked["prompts"], asked["calls"], asked["words"]) == ("v1", 3, [4, 8, 14])


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        ("--describer strad-zero", 2, "strad-zero needs --engine"),
        ("--describer strad-zero --engine openai:{url}", 2, "needs --model"),
        ("--engine openai:{url} --model tiny-describer --calls 2", 2, "calls must be 3 or 1"),
        ("--engine openai:{url} --model other", 1, "it serves: tiny-describer"),
        ("--describer strad-zero:x --engine openai:{url} --model m", 2, "no describer"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    options: str, code: int, told: str, tmp_path: Path, strad: Strad
) -> None:
    (tmp_path / "film.webm").write_bytes(clip(webm(seconds=2.0, fps=10)))
    with model_server(["WAIT"]) as server:
        words = options.format(url=server.url).split()
        got, out, err = strad("describe", tmp_path / "film.webm", "--asr", "off", *words)
    assert (got, out) == (code, ""), err
    assert told in err
    assert len(err.splitlines()) == 1

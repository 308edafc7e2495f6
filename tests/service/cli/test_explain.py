"""``strad explain``: odds, threshold, prompt and answer of a model; and what was withdrawn."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from service.cli.main import main
from strad.decision import Describe
from strad.speech import Protect
from strad.timeline import Interval, Ms
from streaming.config import StreamConfig
from streaming.effects import AskDescriber, Effect, MeasureSpeech
from streaming.facts import Answered, Fact, Measured, MediaEnded
from streaming.hearing import SoundsKnown, SpeechKnown, WordsKnown
from streaming.recording.lines import Header
from streaming.recording.recorded_session import RecordedSession
from streaming.recording.recorder import Recorder
from tests.fakes import chunk, frame

pytestmark = pytest.mark.unit

LONG: Ms = 30_000


class Teller:
    """A session whose model describes every window, each in two forms."""

    def __init__(self, folder: Path, config: StreamConfig) -> None:
        header = Header(config, "strad-ft:m", draft=True, asked={"threshold": 0.5})
        self.recorder = Recorder(folder, header)
        self.session = RecordedSession(config, self.recorder, describer="strad-ft:m", draft=True)

    def feed(self, fact: Fact) -> None:
        for effect in self.session.feed(fact):
            self.answer(effect)

    def answer(self, effect: Effect) -> None:
        if isinstance(effect, AskDescriber):
            end, text = effect.window.when.end, f"Thing {effect.question} falls."
            message = {"role": "user", "parts": [{"text": "What is new?"}, {"image": "ab12"}]}
            request = {"engine": "served", "messages": [message], "answer": f"AD {text}"}
            self.recorder.exchanged({"exchange": end, "requests": [request]})
            when = Interval(end - 1_000, end)
            forms = (text, f"{text[:-1]} down slowly.")
            self.feed(Answered(effect.question, Describe(forms, when, odds=0.75)))
        elif isinstance(effect, MeasureSpeech):
            self.feed(Measured(effect.question, (800, 1_600)))

    def programme(self, speech: list[Interval], protected: list[Interval]) -> None:
        with self.recorder:
            for t in range(0, LONG, 500):
                if t % 1_000 == 0:
                    self.feed(frame(t))
                self.feed(chunk(t, 500))
                now = Interval(t, t + 500)
                spans = tuple(part for s in protected if (part := s.intersect(now)))
                self.feed(SoundsKnown(now.end, spans))
                self.feed(SpeechKnown(now.end, tuple(p for s in speech if (p := s.intersect(now)))))
                self.feed(WordsKnown(now.end))
            self.feed(MediaEnded())


def explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> str:
    monkeypatch.setattr(sys, "argv", ["strad", "explain", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_odds_threshold_prompt_answer_and_protected_sounds_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    teller = Teller(tmp_path, StreamConfig(protect=Protect.SOUNDS))
    teller.programme([], [Interval(4_000, 9_000)])
    out = explained(monkeypatch, capsys, "1", "--recording", str(tmp_path), "--prompt")
    assert "odds        +0.75 for describing (log-odds), threshold 0.5" in out
    assert "answered    AD Thing 1 falls." in out
    assert "request 1, to served\n[user]\nWhat is new?\n(image: ab12)" in out
    assert "It is form 2 of 2, from short to long." in out
    assert "form        0.8 s  Thing 1 falls." in out
    lines = out[out.index("half a second a letter") :].splitlines()
    rows = dict(line.split() for line in lines if line.startswith(("protected", "spoken")))
    assert rows["protected"].count("p") == 10
    assert all(p != "p" or a == "." for p, a in zip(*rows.values(), strict=True))


def test_a_withdrawn_one_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    teller = Teller(tmp_path, StreamConfig(delay=0))
    teller.programme([Interval(2_100, 6_000)], [])
    text = (tmp_path / "recording.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    event = next(line["event_id"] for line in lines if line.get("effect") == "withdrawn")
    out = explained(monkeypatch, capsys, event, "--recording", str(tmp_path))
    assert "withdrawn   speech or a protected sound began at 00:02.1" in out
    assert "why         The gap was open, and how long it lasts was not known" in out

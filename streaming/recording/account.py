"""The account of one description: what it was made of, and why it is spoken where it is. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from strad.speech import GapSource
from strad.timeline import Interval, Ms, merge
from streaming.gaps import SpeechTimeline
from streaming.hearing import SpeechKnown, Unheard, WordsKnown
from streaming.placement import Limits
from streaming.recording.lines import Line, UnkeptMedia, fact_of

AROUND: Ms = 12_000
"""Speech is told of this far around a description."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which description: by its event's id, by time, or by number among the dropped (from 1)."""

    number: int | None = None
    event: str | None = None
    time: Ms | None = None
    dropped: bool = False
    """Among those that are not spoken; they have no ids."""


@dataclass(slots=True)
class Account:
    """All that a recording knows of one description. Spans are ``[start, end]`` in ms."""

    settled: Line
    ask: Line = field(default_factory=dict)
    odds: float | None = None
    kind: str = ""
    cost: Line = field(default_factory=dict)
    requests: list[Line] = field(default_factory=list)
    frames: list[tuple[Ms, str]] = field(default_factory=list)
    """Time and SHA-256 of each picture in the window."""
    speech: list[list[Ms]] = field(default_factory=list)
    protected: list[list[Ms]] = field(default_factory=list)
    said: str = ""
    """Words of the window's pictures' time."""
    withdrawn: Line | None = None

    @property
    def when(self) -> Interval:
        """When it is spoken; of a dropped one, what it describes."""
        if self.settled["when"]:
            return Interval(*self.settled["when"])
        about = self.settled["describe"]["when"]
        return Interval(about["start"], about["end"])

    def json(self) -> dict[str, Any]:
        """Ready for JSON."""
        names = ("settled", "ask", "odds", "kind", "cost", "requests", "speech", "protected")
        plain = {name: getattr(self, name) for name in names}
        frames = [{"t": t, "sha256": name} for t, name in self.frames]
        return plain | {"frames": frames, "said": self.said, "withdrawn": self.withdrawn}


def settlements(lines: Iterable[Line], *, dropped: bool) -> Iterator[Line]:
    """Those that were placed, or those that were dropped, in order."""
    return (line for line in lines if "settled" in line and bool(line["dropped"]) is dropped)


def find(lines: Iterable[Line], wanted: Wanted) -> Line | None:
    """The one that is wanted; by time, the nearest."""
    nearest: Line | None = None
    for number, line in enumerate(settlements(lines, dropped=wanted.dropped), start=1):
        if wanted.time is None:
            if number == wanted.number or (wanted.event and line["settled"] == wanted.event):
                return line
        elif nearest is None or _away(line, wanted.time) < _away(nearest, wanted.time):
            nearest = line
    return nearest


def account(lines: Iterable[Line], settled: Line, gaps: GapSource) -> Account:
    """Gather what belongs to it, in one pass; ``gaps``: what told speech from silence."""
    found = Account(settled)
    speech = SpeechTimeline(gaps)
    near = found.when.widen(AROUND)
    pictures: dict[Ms, str] = {}
    words: list[Line] = []
    for line in lines:
        match line:
            case {"fact": "frame", "t": t, "sha256": name}:
                pictures[t] = name
            case {"fact": "speech" | "unheard"}:
                _listen(line, speech)
            case {"fact": "sounds", "spans": spans}:
                found.protected += _near(spans, near)
            case {"fact": "words", "words": said}:
                words += [word for word in said if _near([word["when"]], near)]
                _listen(line, speech)
            case _:
                _gather(line, found)
        speech.forget(near.start)
        if len(pictures) > 600:
            pictures = _late(pictures, found)
    found.frames = [(t, pictures[t]) for t in found.ask.get("frames", ()) if t in pictures]
    heard = speech.speech(Interval(max(0, near.start), near.end))
    found.speech = [[span.start, span.end] for span in heard]
    found.protected = _merged(found.protected)
    found.said = _said(words, found.ask)
    return found


def _listen(line: Line, speech: SpeechTimeline) -> None:
    match fact_of(line, UnkeptMedia(), "the recording"):
        case SpeechKnown() as known:
            speech.hear(known)
        case WordsKnown() as known:
            speech.read(known)
        case Unheard(when):
            speech.miss(when)


def _gather(line: Line, found: Account) -> None:
    question, cursor = found.settled["question"], found.settled["cursor"]
    match line:
        case {"effect": "ask", "question": number} if number == question:
            found.ask = line
        case {"effect": "closed", "question": number, "decision": decision} if number == question:
            found.odds, found.kind = decision["odds"], decision.get("kind", "")
        case {"cost": at} if at == cursor:
            found.cost = line
        case {"exchange": at, "requests": requests} if at == cursor:
            found.requests = requests
        case {"effect": "withdrawn", "event_id": event} if event == found.settled["settled"]:
            found.withdrawn = line


def why(known: Account, limits: Limits | None = None) -> str:
    """In a sentence, why it is spoken there, or not at all."""
    limits = limits or Limits()
    settled, ground = known.settled, known.settled["ground"]
    lengths = settled["lengths"] or []
    shortest = f"{min(lengths) / 1000:.1f} s" if lengths else "it"
    late = f"{limits.max_late / 1000:g} s"
    reasons = {
        "as-predicted": "Placement is off: the predicted times stand.",
        "at-its-moment": "There is room for it at the very moment it describes.",
        "earlier": "It is said a little before its moment, where there is room for this form.",
        "later": "At its moment it could not be said (speech, another description, or the "
        "viewers were past it); this is the nearest place after it with room for this form.",
        "faster": "Nowhere near is there room at the voice's own rate: it is said faster.",
        "provisional": "The gap was open, and how long it lasts was not known: it may be "
        "taken back.",
        "no-gap": f"No gap began within {late} of its moment, up to which it may be late.",
        "too-long": f"There was free time near its moment, but less than its shortest form "
        f"takes ({shortest}), even {limits.max_rate:g} times as fast.",
        "too-late": f"When the answer came, viewers were already past the last moment for it "
        f"({late} after what it describes begins).",
        "repeat": "It says what was said lately.",
        "crowded": "Too many descriptions were waiting for a gap: the oldest went.",
    }
    sentence = reasons[settled["dropped"] or settled["why"]]
    forms = len(settled["describe"]["forms"])
    if settled["settled"] and forms > 1:
        number = settled["describe"]["forms"].index(settled["text"]) + 1
        sentence += f" It is form {number} of {forms}, from short to long."
    if ground:
        sentence += f" Nothing could start before {ground['earliest'] / 1000:.1f} s; "
        sentence += f"speech was known up to {ground['known_to'] / 1000:.1f} s."
    return sentence


def _near(spans: Iterable[Line], near: Interval) -> list[list[Ms]]:
    return [
        [span["start"], span["end"]]
        for span in spans
        if span["start"] < near.end and span["end"] > near.start
    ]


def _merged(spans: Iterable[list[Ms]]) -> list[list[Ms]]:
    return [[span.start, span.end] for span in merge(Interval(*each) for each in spans)]


def _said(words: list[Line], ask: Line) -> str:
    if not ask:
        return ""
    start, end = ask["when"]
    within = [w for w in words if start <= w["when"]["start"] and w["when"]["end"] <= end]
    return " ".join(word["text"].strip() for word in within)


def _late(pictures: dict[Ms, str], found: Account) -> dict[Ms, str]:
    """The pictures that the window may still want."""
    wanted = set(found.ask.get("frames", ()))
    return {t: pictures[t] for t in [*pictures][-300:]} | {
        t: pictures[t] for t in wanted if t in pictures
    }


def _away(line: Line, t: Ms) -> Ms:
    about = line["describe"]["when"]
    start, end = line["when"] or (about["start"], about["end"])
    return max(int(start) - t, t - int(end), 0)

"""From a stream's looks to its decisions, one window at a time. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from strad.decision import Decision, Describe, Kind, Wait, WaitReason
from strad.timeline import Interval, Ms
from streaming.describers.facts.claim import Claim, Evidence
from streaming.describers.facts.look import Look
from streaming.describers.facts.persistence import suspected, things
from streaming.describers.facts.sentences import forms_of, sayable
from streaming.describers.facts.titles import titles
from streaming.describers.facts.told import Told
from streaming.media import VideoFrame
from streaming.window import Window

REMEMBERED_LOOKS = 64
REMEMBERED_EVIDENCE = 256
LAST_SEEN: Ms = 1000
"""How long before the newest step a thing may have been seen last."""
LEAST: Ms = 500
"""The shortest span a description claims for itself."""


class Narrator:
    """One stream's memory: looks, what was told, and the evidence behind it. All bounded."""

    def __init__(self) -> None:
        self._looks: deque[Look] = deque(maxlen=REMEMBERED_LOOKS)
        self._told = Told()
        self.evidence: deque[Evidence] = deque(maxlen=REMEMBERED_EVIDENCE)
        """The newest descriptions with what stands behind each, for provenance."""

    def unseen(self, frames: Sequence[VideoFrame], most: int) -> list[VideoFrame]:
        """The newest frames, at most ``most``, that were not looked at yet, in order."""
        newest = self._looks[-1].t if self._looks else None
        fresh = [frame for frame in frames if newest is None or frame.t > newest]
        return fresh[-most:]

    def add(self, looks: Sequence[Look]) -> None:
        """Take in what the detectors made of the unseen frames."""
        for look in looks:
            self._looks.append(look)
            self._told.watch(look)

    def decide(self, window: Window) -> Decision:
        """Say what is new and borne out, text first; else wait, and why."""
        looks = [k for k in self._looks if window.when.start <= k.t <= window.when.end]
        if not looks:
            return Wait(WaitReason.NO_FRAMES)
        since = window.new_from - LAST_SEEN
        read = titles(looks, since, window.words, window.language)
        seen = sorted(things(looks, since), key=lambda claim: -claim.score)
        for claims in (read, seen):
            news = self._told.news(claims, window.history, window.when.end)
            if news:
                return self._describe(sayable(news), window)
        unsure = not seen and suspected(looks[-1])
        return Wait(WaitReason.UNSURE if unsure else WaitReason.NOTHING_NEW)

    def _describe(self, claims: Sequence[Claim], window: Window) -> Describe:
        forms = forms_of(claims)
        self._told.tell(claims, forms, window.when.end)
        self.evidence.append(Evidence(forms[-1], tuple(claims)))
        kind = Kind.TEXT if claims[0].kind is Kind.TEXT else Kind.SCENE
        return Describe(forms, _when(claims, self._looks[-1].t, window.when), kind=kind)


def _when(claims: Sequence[Claim], newest: Ms, window: Interval) -> Interval:
    """While all of it is in view; up to the cursor where the newest look still shows it."""
    first = max(claim.since for claim in claims)
    last = min(claim.seen[-1] for claim in claims)
    start = max(window.start, min(first, window.end - LEAST))
    end = window.end if last == newest else min(window.end, last)
    return Interval(start, max(start + LEAST, end))

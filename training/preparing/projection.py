"""One film shown once, from its beginning: the examples chosen come out as they are complete.

Pictures and sound go in as the decoder gives them. What waits for a later moment is all that is
kept. Pure.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

from strad.decision import Decision, Describe, Wait, WaitReason
from strad.timeline import Interval, Ms
from streaming.media import AudioChunk, VideoFrame
from streaming.tasks.segments.segment import Clip
from training.example import Example, Kind, Why
from training.preparing.plan import PERIOD, FilmPlan, Shot
from training.walk import Turn, turn_key

LAG: Ms = 12_000
"""Pictures come at most this much after the sound of the same moment: the decoder's limit, and
some more."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A segment as it was shown; nobody is marked in it yet."""

    shot: Shot
    clip: Clip


class Projection:
    """Feed it pictures and sound, each rising; then say that it is over."""

    def __init__(self, plan: FilmPlan, keys: set[str], *, sound: bool) -> None:
        """``sound``: whether examples have it."""
        self._plan, self._keys, self._sound = plan, keys, sound
        self._walk = plan.walk()
        self._turns = self._chosen_turns()
        self._turn = next(self._turns, None)
        shots = (shot for key, shot in plan.shots.items() if key in keys)
        self._shots = deque(sorted(shots, key=lambda shot: (shot.shown.end, shot.key)))
        self._needed = deque(_from_here_on([shot.shown.start for shot in self._shots]))
        self._frames: dict[Ms, VideoFrame] = {}
        self._chunks: deque[AudioChunk] = deque()
        self._seen: Ms = -1
        self._heard: Ms = 0
        self._over = False
        self.passed: Counter[str] = Counter()
        """Chosen ones that the film turned out not to have."""

    def feed(self, media: VideoFrame | AudioChunk) -> Iterator[Example | Taken]:
        """Take the next; what is complete now."""
        if isinstance(media, VideoFrame):
            self._seen = media.t
            self._frames[media.t] = media
            if media.t % PERIOD == 0:
                self._walk.see(media)
        else:
            self._heard = media.when.end
            if self._sound:
                self._chunks.append(media)
                self._walk.see(media)
        yield from self._complete()

    def finish(self) -> Iterator[Example | Taken]:
        """The film is over: the rest that is complete."""
        self._over = True
        yield from self._complete()

    def _complete(self) -> Iterator[Example | Taken]:
        while self._turn is not None and self._is_past(self._turn.cursor):
            example = self._example(self._turn)
            if example is not None:
                yield example
            self._turn = next(self._turns, None)
        while self._shots and self._is_past(self._shots[0].shown.end):
            self._needed.popleft()
            taken = self._taken(self._shots.popleft())
            if taken is not None:
                yield taken
        self._forget()

    def _is_past(self, t: Ms) -> bool:
        """Whether all pictures and sound up to ``t`` have come."""
        late = self._heard >= t + LAG
        return self._over or (self._heard >= t and (self._seen > t or late))

    def _chosen_turns(self) -> Iterator[Turn]:
        slug = self._plan.material.slug
        if any(key in self._plan.windows for key in self._keys):
            yield from (t for t in self._walk.turns() if turn_key(slug, t) in self._keys)

    def _example(self, turn: Turn) -> Example | None:
        window = self._walk.window(turn)
        if not window.frames or window.frames[-1].t < turn.cursor - PERIOD:
            self.passed["no-pictures"] += 1
            return None
        event = turn.label.event
        answer: Decision = Wait(WaitReason.NOTHING_NEW)
        if event is not None:
            answer = Describe((event.text,), event.when)
        material = self._plan.material
        key = turn_key(material.slug, turn)
        return Example(key, material.film, turn.label.kind, window, answer, turn.label.why)

    def _taken(self, shot: Shot) -> Taken | None:
        """None where a picture is missing: the film is shorter than it says."""
        last = self._plan.length - 1
        found = [(t, self._frames.get(min(t, last))) for t in shot.times]
        frames = tuple(replace(frame, t=t) for t, frame in found if frame is not None)
        when = shot.segment.when.intersect(shot.shown)
        if len(frames) < len(found) or when is None:
            self.passed["no-pictures"] += 1
            return None
        audio = tuple(c for chunk in self._chunks if (c := _part(chunk, shot.shown)))
        language = self._plan.material.language
        return Taken(shot, Clip(when, shot.shown, frames, audio, language=language))

    def _forget(self) -> None:
        """Only segments that have begun need more than the walk keeps."""
        needed = self._needed[0] if self._needed else self._heard
        oldest = min(needed, self._heard - LAG)
        while self._frames and (t := next(iter(self._frames))) < oldest:
            del self._frames[t]
        while self._chunks and self._chunks[0].when.end < oldest:
            self._chunks.popleft()


def _from_here_on(starts: list[Ms]) -> list[Ms]:
    """For each place the earliest start at it or after it."""
    return list(accumulate(reversed(starts), min))[::-1]


def segment_example(taken: Taken, marked: Clip, film: str) -> Example:
    """The example of a segment; ``marked`` is its clip with who is known marked in it."""
    answer = Describe((taken.shot.segment.text,), marked.when)
    plain = taken.clip.frames if marked.people else ()
    return Example(
        key=taken.shot.key,
        film=film,
        kind=Kind.SEGMENT,
        window=marked.window(),
        answer=answer,
        why=Why.SEGMENT,
        moment=marked.when,
        names=marked.names,
        plain=plain,
    )


def _part(chunk: AudioChunk, when: Interval) -> AudioChunk | None:
    """What of the chunk is heard in ``when``: nothing that comes after it."""
    common = chunk.when.intersect(when)
    if common is None:
        return None
    first, last = (32 * (t - chunk.t) for t in (common.start, common.end))
    return chunk if common == chunk.when else AudioChunk(common.start, chunk.pcm[first:last])

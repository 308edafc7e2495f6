"""``strad-train corrections``: what people corrected in a description, as examples."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from strad.counted import counted
from strad.cues import Cue
from strad.errors import InputError
from streaming.ingest import IngestOptions
from training.cli.checks import must_be_utf8, strides_of
from training.corrections.choosing import judged
from training.corrections.making import Kept, Making, keep
from training.corrections.matching import corrections as corrected
from training.corrections.told import edited_in, flagged_in, told_in, track
from training.dataset import SPLITS, TRAIN
from training.material import Material
from training.sources.caption_files import words_in


def corrections(
    log: Annotated[
        Path,
        typer.Argument(
            metavar="LOG",
            help="What was told: strad listen --jsonl, descriptions.jsonl, WebVTT or SRT.",
        ),
    ],
    edited: Annotated[
        Path, typer.Argument(metavar="EDITED", help="The same after an editor: WebVTT, SRT, JSONL.")
    ],
    media: Annotated[Path, typer.Option(help="The film; its times are those of both.")],
    data: Annotated[
        Path, typer.Option("--data", "-o", help="A data set: made, or added to where there is one.")
    ],
    captions: Annotated[
        Path,
        typer.Option(
            help="What is said in the film, WebVTT or SRT; one without cues where nothing is."
        ),
    ],
    flags: Annotated[
        Path | None, typer.Option(help="What viewers flagged: strad flags --export.")
    ] = None,
    video_id: Annotated[
        str, typer.Option(help="Of the film's file, and in LOG.", show_default="the file's name")
    ] = "",
    film: Annotated[
        str,
        typer.Option(
            help="Of the film, by which the data set knows it.", show_default="--video-id's"
        ),
    ] = "",
    licence: Annotated[str, typer.Option(help="Of film and corrections, for dataset.json.")] = "",
    language: Annotated[str, typer.Option(help="Of the descriptions.")] = "en",
    split: Annotated[str, typer.Option(help="Of a film that is in none yet.")] = TRAIN,
    stride: Annotated[
        tuple[float, float], typer.Option(help="Shortest and longest, in seconds.")
    ] = (0.5, 4.0),
    sound: Annotated[bool, typer.Option("--sound/--no-sound", help="Keep it.")] = True,
    width: Annotated[int, typer.Option(min=16, max=1920, help="Of pictures, at most.")] = 640,
    seed: Annotated[int, typer.Option(help="Of the windows that are drawn.")] = 0,
) -> None:
    """Make examples of what an editor left, changed, moved, added and deleted.

    What was deleted teaches to wait there. What a viewer flagged and nobody corrected teaches
    nothing. DATA/corrections-*.jsonl says what became of each.

    For example:

      strad-train corrections told.jsonl edited.vtt --media film.mp4 --captions film.srt -o data
    """
    if split not in SPLITS:
        raise InputError(f"--split {split}: there are {', '.join(SPLITS)}")
    must_be_utf8(log, edited, media, data, captions, flags, video_id, film)
    name = video_id or media.stem
    kept = edited_in(edited, name)
    found = judged(
        corrected(told_in(log, name), kept), flagged_in(flags) if flags is not None else ()
    )
    making = Making(split, licence, seed, strides_of(stride), IngestOptions(max_width=width), sound)
    material = _material(name, film or name, media, kept, captions, language)
    made = asyncio.run(
        keep(found, material, data, _about(log, edited, media, captions, flags), making)
    )
    _say(made, data)


def _material(
    name: str, film: str, media: Path, kept: Sequence[Cue], captions: Path, language: str
) -> Material:
    """The film as the editor left it: nothing else is taken for right."""
    return Material(
        id=name,
        film=film,
        films=tuple(dict.fromkeys((film, name))),
        media=media,
        events=tuple(kept),
        words=words_in(track(captions)),
        segments=(),
        language=language,
    )


def _about(
    log: Path, edited: Path, media: Path, captions: Path, flags: Path | None
) -> dict[str, Any]:
    """What all of it was made of: names, and digests of the texts."""
    files = {"log": log, "edited": edited, "captions": captions, "flags": flags}
    told: dict[str, Any] = {"media": media.name}
    for what, path in files.items():
        if path is not None:
            told[what] = {"name": path.name, "sha256": _sha256(path)}
    return told


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _say(made: Kept, data: Path) -> None:
    console = Console(stderr=True)
    counts, left = made.counts(), made.left_out()
    each = ", ".join(f"{many} {change}" for change, many in sorted(counts.items()))
    where = f"{made.split}, where the film is" if made.known else f"{made.split}, as a new film"
    line = f"{data}: {counted(counts.total(), 'example')} ({each}) in {where}"
    console.print(line, markup=False, highlight=False, soft_wrap=True)
    for why, many in sorted(left.items()):
        console.print(f"left out: {many}, {why}", markup=False, highlight=False)

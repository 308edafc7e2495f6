"""An example as the files of a sample in a WebDataset, and back. Pure.

A sample is ``json`` (all but the media; times in whole milliseconds, exact), ``0.jpg`` to ``7.jpg``
(the pictures, in order), ``0.plain.jpg`` where a picture has boxes drawn in it (the same without),
and ``wav`` (the sound of the window, where it has any).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from strad.errors import FormatError
from strad.timeline import Interval
from streaming.media import AudioChunk, VideoFrame
from streaming.prompt.wav import HEADER, wav
from streaming.window import Window
from training.example import Example

Files = Mapping[str, bytes]


def files_of(example: Example) -> dict[str, bytes]:
    """The sample's files, by what comes after the key and a dot."""
    window = example.window
    silent = replace(
        window,
        frames=tuple(replace(frame, jpeg=b"") for frame in window.frames),
        audio=tuple(replace(chunk, pcm=b"") for chunk in window.audio[:1]),
    )
    bare = replace(example, window=silent, plain=tuple(replace(p, jpeg=b"") for p in example.plain))
    files = {"json": _adapter().dump_json(bare, by_alias=True)}
    for n, frame in enumerate(window.frames):
        files[f"{n}.jpg"] = frame.jpeg
    for n, frame in enumerate(example.plain):
        if frame.jpeg != window.frames[n].jpeg:
            files[f"{n}.plain.jpg"] = frame.jpeg
    if window.audio:
        files["wav"] = wav(window.audio, _heard(window))
    return files


def example_of(files: Files, where: str) -> Example:
    """The example. Raises FormatError, which names it as ``where`` does, for what is none."""
    try:
        bare = _adapter().validate_json(files["json"])
        shown = tuple(_with(f, files, f"{n}.jpg") for n, f in enumerate(bare.window.frames))
        plain = tuple(
            _with(f, files, f"{n}.plain.jpg" if f"{n}.plain.jpg" in files else f"{n}.jpg")
            for n, f in enumerate(bare.plain)
        )
        audio = tuple(AudioChunk(chunk.t, files["wav"][HEADER:]) for chunk in bare.window.audio)
        window = replace(bare.window, frames=shown, audio=audio)
        return replace(bare, window=window, plain=plain)
    except ValidationError as error:
        raise FormatError(f"no example: {error.errors()[0]['msg']}", file=where) from None
    except KeyError as error:
        raise FormatError(f"an example without its file {error.args[0]!r}", file=where) from None
    except ValueError as error:
        raise FormatError(f"no example: {error}", file=where) from None


def _heard(window: Window) -> Interval:
    return Interval(window.audio[0].t, max(chunk.when.end for chunk in window.audio))


def _with(frame: VideoFrame, files: Files, name: str) -> VideoFrame:
    return replace(frame, jpeg=files[name])


@lru_cache(1)
def _adapter() -> TypeAdapter[Example]:
    return TypeAdapter(Example)

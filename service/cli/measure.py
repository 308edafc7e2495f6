"""``strad measure``: how fast this machine describes, as the paper counts and as a stream feels."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from service.cli.model_options import (
    NONE,
    Flags,
    model_options,
    must_be_used,
    settings_with,
)
from service.cli.terminal import console, run
from service.cli.write_all import write_all
from service.loading import load_listener, weights_for
from service.manifest_run import Rules, source_of
from service.measuring import report
from service.measuring.made_clip import corpus, words, write_clip
from service.measuring.measurement import Clip, Measurement
from service.model_choice import ModelChoice
from service.model_describer import TrainedModel, open_model
from service.settings import Settings
from strad.errors import DescriberError, InputError, MissingModelError
from strad.manifest import read_manifest
from strad.text_file import read_text, refuse_output, write_text
from strad.timeline import Ms, from_seconds
from streaming.config import StreamConfig
from streaming.prompt.instructions import instructions
from streaming.prompt.profile import Profile as PromptProfile
from streaming.prompt.profiles import profile as profile_named
from streaming.sources import FileSource


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asked for."""

    clips: tuple[Clip, ...]
    """None given: one is made."""
    dummy: str | None
    length: Ms
    live: Ms
    limit: float
    asr: str
    settings: Settings


@model_options(without="calls")
def measure(
    media: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Videos. Without one, a clip is made."),
    ] = None,
    manifest: Annotated[
        Path | None, typer.Option(help="Measure with the videos and transcripts of a manifest.")
    ] = None,
    flags: Flags = NONE,
    dummy: Annotated[
        str | None,
        typer.Option(
            help="Weights that mean nothing, in a real model's shape, through transformers, with "
            "answers of 30 tokens: qwen35-4b, qwen35-0.8b or tiny."
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=4, max=3_600, help="How much of each video.")
    ] = 120.0,
    live: Annotated[
        float, typer.Option(min=0, max=3_600, help="How much of the first as it plays; 0: none.")
    ] = 60.0,
    asr: Annotated[str, typer.Option(help="The speech model that is timed; off for none.")] = "off",
    limit: Annotated[
        float, typer.Option(min=1, help="Seconds after which it stops with what it has.")
    ] = 3_600.0,
    gpu: Annotated[
        bool, typer.Option("--gpu", help="Only with a GPU: without one, figures stay blank.")
    ] = False,
    json_to: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures as JSON.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace that file.")] = False,
) -> None:
    """Measure rtf and lag as the paper does, and the load of a live stream, with the parts of each.

    First the first two minutes of each video, window by window, one at a time, by the given
    transcript; then a minute of the first video as it plays.

    **Examples**

        strad measure --engine openai:http://gpu:8000/v1 --model M --manifest strad.json

        strad measure --dummy qwen35-4b
    """
    if json_to is not None:
        refuse_output(json_to, overwrite=overwrite, option="--overwrite")
    settings = settings_with(flags)
    must_be_used(flags, settings, ["strad-ft"])
    if dummy is not None:
        _no_other_model(flags)
    else:
        ModelChoice.of(settings).check()
    wanted = Wanted(
        clips=_clips(media or [], manifest),
        dummy=dummy,
        length=from_seconds(seconds),
        live=from_seconds(live),
        limit=limit,
        asr=asr,
        settings=settings,
    )
    about = {"model": dummy or settings.model or flags["preset"], "dummy": dummy is not None}
    if gpu and not _gpu():
        console.print("no GPU here: nothing is measured, and the figures stay blank")
        _show(report.document(None, {**about, "complete": False}, []), None, json_to)
        return
    measurement, error, complete = run(_measured(wanted))
    said = measurement.model.said
    found = report.document(measurement.figures, {**about, "complete": complete}, said)
    _show(found, measurement, json_to)
    if error is not None:
        raise error


def _no_other_model(flags: dict[str, object]) -> None:
    for name in ("engine", "model", "model_file"):
        if flags[name] is not None:
            option = "--" + name.replace("_", "-")
            raise InputError(
                f"{option} does not go with --dummy, which is a model in its own engine"
            )


def _show(found: dict[str, object], measured: Measurement | None, json_to: Path | None) -> None:
    writes = [lambda: Console().print(report.table(measured.figures if measured else None))]
    if json_to is not None:
        rendered = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
        # First, for rich ends the program where the table's reader has gone away.
        writes.insert(0, partial(write_text, json_to, rendered, overwrite=True))
    write_all(*writes)


async def _measured(wanted: Wanted) -> tuple[Measurement, DescriberError | None, bool]:
    """The measurement, the error that ended it early, and whether it came to its end."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="strad-measure-")))
        model = await stack.enter_async_context(_opened(wanted, folder))
        for line in model.said:
            console.print(line, markup=False, soft_wrap=True)
        weights = weights_for(wanted.settings)
        listener = await stack.enter_async_context(load_listener(weights, wanted.asr))
        clips = wanted.clips or (await asyncio.to_thread(_made, folder, wanted.length),)
        forced = wanted.dummy is not None
        measurement = Measurement(model, listener, wanted.length, wanted.live, forced)
        try:
            async with asyncio.timeout(wanted.limit):
                await measurement.run(clips)
        except TimeoutError:
            console.print(f"stopped after {wanted.limit:g} s with what was measured by then")
            return measurement, None, False
        except DescriberError as error:
            return measurement, error, False
    return measurement, None, True


@asynccontextmanager
async def _opened(wanted: Wanted, folder: Path) -> AsyncIterator[TrainedModel]:
    choice = ModelChoice.of(wanted.settings)
    if wanted.dummy is not None:
        checkpoint = folder / wanted.dummy
        checkpoint.mkdir()
        profile = profile_named(choice.profile or "qwen35-video")
        with console.status("making the weights"):
            count = await asyncio.to_thread(_write_dummy, wanted.dummy, checkpoint, profile)
        console.print(f"{wanted.dummy}: {count / 1e9:.2f} billion parameters that mean nothing")
        choice = replace(choice, engine="transformers", model=str(checkpoint), profile=profile.name)
    with console.status("opening the engine"):
        async with open_model(choice, weights_for(wanted.settings)) as opened:
            yield opened


def _write_dummy(name: str, folder: Path, profile: PromptProfile) -> int:
    if find_spec("torch") is None or find_spec("transformers") is None:
        raise MissingModelError("--dummy needs torch and transformers: pip install 'strad[local]'")
    from strad_engines.transformers_engine.dummy import write_dummy

    told = instructions(profile.text)
    return write_dummy(name, folder, [*corpus(), told.text] * 8)


def _made(folder: Path, length: Ms) -> Clip:
    path = folder / "clip.mp4"
    console.print("no video was given: a clip is made")
    with console.status("making a clip"):
        write_clip(path, length)
    return Clip(path, words(length))


def _clips(media: list[Path], manifest: Path | None) -> tuple[Clip, ...]:
    for path in media:
        if not path.is_file():
            raise InputError(f"{path}: can't be read: no such file or directory")
    if manifest is None:
        return tuple(Clip(path) for path in media)
    if media:
        raise InputError("give videos or a --manifest, not both")
    rules = Rules(
        StreamConfig(),
        strict=True,
        listen=False,
        recognises=False,
        folder=manifest.parent,
        media=None,
    )
    found = []
    for video in read_manifest(read_text(manifest), file=str(manifest)).videos:
        source = source_of(video, rules)
        if not isinstance(source, FileSource):
            raise InputError(f"{video.id}: only files are measured with")
        found.append(Clip(source.path, video.words()))
    return tuple(found)


def _gpu() -> bool:
    if find_spec("torch") is None:
        return False
    import torch

    return bool(torch.cuda.is_available())

"""``strad demo``: a clip through the real service, at the speed it plays, with what comes of it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress as Bar

from clients.python.pace import Pace
from clients.python.viewer import Told
from service.cli.demo_figures import figures
from service.cli.listen_lines import tell
from service.cli.model_options import (
    NONE,
    Flags,
    model_options,
    must_be_used,
    settings_with,
)
from service.cli.push import choose, show
from service.cli.terminal import console, run
from service.default_describer import default_describer
from service.demo.clip import DemoClip, render_clip
from service.demo.ground_truth import judge
from service.demo.showing import Showing
from service.loading import load_equipment
from service.settings import Settings
from strad.errors import InputError
from strad.text_file import refuse_output, write_text
from strad.timeline import Ms
from strad.wire.answering import Warning

SEED = 1
SECONDS = 75


@model_options()
def demo(
    media: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Your own clip. Without one, a clip is made."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Which clip is made: each seed is another.", show_default=f"{SEED}"),
    ] = None,
    seconds: Annotated[
        int | None,
        typer.Option(min=6, max=3_600, help="How long it is.", show_default=f"{SECONDS}"),
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder for clip and descriptions.")] = Path(
        "demo-out"
    ),
    describer: Annotated[
        str | None,
        typer.Option(
            help="facts, strad-zero, strad-ft, or scripted:FILE.",
            show_default="facts; with an engine strad-zero, or strad-ft for a model trained for it",
        ),
    ] = None,
    flags: Flags = NONE,
    delay: Annotated[
        float | None, typer.Option(help="Seconds viewers are behind the live edge.")
    ] = None,
    asr: Annotated[str | None, typer.Option(help="The speech model; off for none.")] = None,
) -> None:
    """Stream a clip through the service on this machine and print each description as it comes.

    The clip is made on the spot from photographs, titles and speech that packages ship, or is
    your own. It is published over a WebSocket at the speed it plays, and watched like any
    stream. A made clip has a script of what it really holds; the end of the report compares.

    **Examples**

        strad demo

        strad demo --seed 7 --seconds 120

        strad demo film.mp4
    """
    name = (describer or "").partition(":")[0] or None
    settings = settings_with({**flags, "delay": delay, "asr": asr, "describer": name, "port": 0})
    wanted = describer or default_describer(settings)
    must_be_used(flags, settings, [wanted])
    if media is not None and (seed is not None or seconds is not None):
        raise InputError(
            "--seed and --seconds are for a clip that is made, not for one of your own"
        )
    length = SECONDS if seconds is None else seconds
    run(_demo(media, SEED if seed is None else seed, length, out, wanted, settings))


async def _demo(
    media: Path | None, seed: int, seconds: int, out: Path, describer: str, settings: Settings
) -> None:
    folder = _folder(out)
    script = None
    refuse_output(folder / f"{media.stem if media else 'clip'}.ad.vtt", overwrite=True)
    if media is None:
        media, script = await _make_clip(seed, folder, seconds)
    container, source = choose(media, Pace.LIVE, follow=False, still=0)
    async with AsyncExitStack() as stack:
        with console.status("loading the models"):
            equipment = await stack.enter_async_context(load_equipment(settings, [describer]))
        for line in equipment.said:
            console.print(line, markup=False, soft_wrap=True)
        showing = Showing(equipment, settings, name="demo", tell=told)
        try:
            with console.status("connecting") as status:
                await showing.run(container, source, lambda answer: show(answer, status))
        finally:
            _keep(showing, folder / media.stem)
    if showing.summary is not None:
        verdict = judge(showing.cues(), script) if script else None
        console.print(figures(showing.summary, verdict))
    console.print(f"clip: {media}", markup=False, soft_wrap=True)


def told(message: Told) -> None:
    """What the viewer is told, but for warnings: the publisher, who is here too, shows each."""
    if not isinstance(message, Warning):
        tell(message)


def _keep(showing: Showing, name: Path) -> None:
    """Write what was said; what was cut short has a name of its own, and no emptiness is kept."""
    complete = showing.summary is not None
    if not complete and not showing.cues():
        return
    track = name.with_name(f"{name.name}.ad.vtt" if complete else f"{name.name}.ad.incomplete.vtt")
    write_text(track, showing.webvtt(incomplete=not complete), overwrite=True)
    console.print(f"descriptions: {track}", markup=False, soft_wrap=True)


async def _make_clip(seed: int, folder: Path, seconds: int) -> DemoClip:
    with Bar(console=console, transient=True) as bar:
        task = bar.add_task("making the clip", total=seconds * 1000)

        def progress(at: Ms) -> None:
            bar.update(task, completed=at)

        return await asyncio.to_thread(render_clip, seed, folder, seconds, progress)


def _folder(out: Path) -> Path:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{out}: can't be used as a folder: {why}") from None
    return out

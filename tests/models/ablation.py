"""``make ablation``: table 3 on a tiny model and rendered programmes, in under 20 minutes.

The base can describe shapes already; each variant is taught to say it in other words, streams
programmes that it has never seen, and is scored. What it can't see it can't say, in any words.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from strad.cues import Cue
from strad.manifest import Manifest, Source, TranscriptLine, Video, write_manifest
from strad.record import TimedText
from strad.timeline import to_seconds
from tests.models.programme import Programme, programme, render
from training.cli.main import application

TAUGHT, HELD_OUT = range(100, 112), range(200, 202)
FOLDER = Path("build/ablation")


def timed(cue: Cue) -> dict[str, object]:
    """As manifests have it."""
    start, end = to_seconds(cue.when.start), to_seconds(cue.when.end)
    return {"start": start, "end": end, "text": cue.text}


def described(plan: Programme) -> list[Cue]:
    """In words that the base does not use."""
    return [replace(cue, text=cue.text.replace(" moves", "")) for cue in plan.descriptions]


def rendered(folder: Path, name: str, seeds: range) -> Path:
    """Programmes, and a manifest of them; what is there is not made again."""
    folder.mkdir(parents=True, exist_ok=True)
    videos: list[Video] = []
    for seed in seeds:
        plan = programme(seed)
        path = folder / f"film{seed}.webm"
        if not path.is_file():
            render(plan, path)
        videos.append(
            Video(
                id=path.stem,
                source=Source(path=path.name),
                duration=to_seconds(plan.length),
                ad=tuple(TimedText(**timed(cue)) for cue in described(plan)),  # type: ignore[arg-type]
                transcript=tuple(TranscriptLine(**timed(cue)) for cue in plan.said),  # type: ignore[arg-type]
            )
        )
    manifest = folder / f"{name}.json"
    manifest.write_text(write_manifest(Manifest(version=1, name=name, videos=tuple(videos))))
    return manifest


def main(folder: Path = FOLDER, *more: str) -> None:
    """Programmes, data, variants, table. Run again, it goes on."""
    from tests.models.recipes import trained_checkpoint

    films = folder / "films"
    taught = rendered(films, "taught", TAUGHT)
    held_out = rendered(films, "held-out", HELD_OUT)
    data = folder / "data"
    run = application()
    run(["prepare", str(data), "--manifest", str(taught), "--seed", "1"], standalone_mode=False)
    words = ["ablate", str(data), str(trained_checkpoint()), str(folder / "variants")]
    words += ["--manifest", str(held_out), "--epochs", "2", "--learning-rate", "2e-3"]
    words += ["--at-once", "8", "--workers", "1", "--no-checkpointing", "--device", "cpu"]
    words += ["--evaluations", "1", "--samples", "24"]
    run([*words, *more], standalone_mode=False)


if __name__ == "__main__":
    main(FOLDER, *sys.argv[1:])

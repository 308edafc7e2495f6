"""The built wheel, installed in an empty environment: run as ``python -I smoke.py core``.

Imports every module, runs the commands, and checks that nothing came from a source tree.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import pkgutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

LIGHT = ("strad", "strad_engines", "strad_eval", "clients")
"""What a core install can import, all of it."""
HEAVY = ("av", "fastapi", "onnxruntime", "torch", "vllm")
NEVER = ("torch", "vllm")
OF_OTHER_EXTRAS = (
    "strad_engines.transformers_engine.",
    "strad_engines.vllm_engine.",
    "streaming.characters.dlib_faces",
)
"""What begins so needs an extra of its own: [local], [gpu], [faces]."""


def main(extras: str) -> None:
    core = extras == "core"
    for module in HEAVY if core else NEVER:
        assert importlib.util.find_spec(module) is None, f"{extras} installs {module}"
    imported = import_all(LIGHT if core else (*LIGHT, "streaming", "service"))
    names = {file.parts[0] for file in metadata.files("strad") or ()}
    assert "tests" not in names, "tests are in the wheel"
    sys.stdout.write(
        f"{extras}: {imported} modules imported, version {metadata.version('strad')}\n"
    )
    if not core:
        run("--help")
        describe_a_clip(Path("smoke").absolute())


def import_all(packages: tuple[str, ...]) -> int:
    count = 0
    for package in packages:
        top = importlib.import_module(package)
        assert top.__file__ is not None
        assert Path(top.__file__).is_relative_to(sys.prefix), f"{top.__file__} is not the wheel's"
        for found in pkgutil.walk_packages(top.__path__, f"{package}."):
            if not found.name.startswith(OF_OTHER_EXTRAS):
                importlib.import_module(found.name)
                count += 1
    return count


def describe_a_clip(folder: Path) -> None:
    """Twelve silent seconds; what the script says of them must come out as WebVTT."""
    folder.mkdir()
    clip, lines, out = folder / "clip.webm", folder / "lines.jsonl", folder / "out.vtt"
    make_clip(clip, seconds=12)
    line = {"video_id": "clip", "start": 2.0, "end": 3.0, "text": "The screen turns red."}
    lines.write_text(json.dumps(line) + "\n")
    run("describe", str(clip), "--describer", f"scripted:{lines}", "--asr", "off", "-o", str(out))
    text = out.read_text()
    assert text.startswith("WEBVTT"), text
    assert "The screen turns red." in text, text


def make_clip(path: Path, seconds: int) -> None:
    av, np = importlib.import_module("av"), importlib.import_module("numpy")
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libvpx", rate=10)
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        for number in range(seconds * 10):
            picture = np.full((180, 320, 3), (min(255, 3 * number), 40, 40), np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())


def run(*arguments: str) -> None:
    command = Path(sys.prefix) / "bin" / "strad"
    subprocess.run([command, *arguments], check=True, stdout=subprocess.DEVNULL, timeout=300)


if __name__ == "__main__":
    main(sys.argv[1])

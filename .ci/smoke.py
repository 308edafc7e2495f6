"""The built wheel, installed in an empty environment: run as ``python -I smoke.py core``.

Imports every module, runs the commands, and checks that nothing came from a source tree.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

LIGHT = ("strad", "strad_engines", "strad_eval", "clients")
"""What a core install can import, all of it."""
HEAVY = ("av", "fastapi", "onnxruntime", "torch", "vllm")
NEVER = ("torch", "vllm")


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


def import_all(packages: tuple[str, ...]) -> int:
    count = 0
    for package in packages:
        top = importlib.import_module(package)
        assert top.__file__ is not None
        assert Path(top.__file__).is_relative_to(sys.prefix), f"{top.__file__} is not the wheel's"
        for found in pkgutil.walk_packages(top.__path__, f"{package}."):
            importlib.import_module(found.name)
            count += 1
    return count


def run(*arguments: str) -> None:
    command = Path(sys.prefix) / "bin" / "strad"
    subprocess.run([command, *arguments], check=True, stdout=subprocess.DEVNULL, timeout=300)


if __name__ == "__main__":
    main(sys.argv[1])

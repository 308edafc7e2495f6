"""What a score was made from: files by their SHA-256, and the versions of all that took part."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from strad.errors import InputError
from strad_eval.java import MissingJavaError, find_jars

PACKAGES = ("strad", "numpy", "pycocoevalcap")


def fingerprint(path: Path) -> dict[str, str]:
    """The file's name and the SHA-256 of its bytes."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None
    return {"file": path.name, "sha256": digest}


def versions() -> dict[str, str]:
    """Of Python, the packages that score and, where it is here, Java."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    try:
        found["java"] = _java_version(find_jars().java)
    except (MissingJavaError, OSError, subprocess.SubprocessError):
        found["java"] = "none"
    return found


def _java_version(java: str) -> str:
    said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=20)
    lines = said.stderr.splitlines() or said.stdout.splitlines()
    return lines[0].strip() if lines else "unknown"

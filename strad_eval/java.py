"""Java and the jars: where they are, or one line saying what is missing."""

from __future__ import annotations

import importlib.util
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from strad.errors import WorkError

LOCALE = ("-Duser.language=en", "-Duser.country=US", "-Dfile.encoding=UTF-8")
"""With a decimal comma in its locale the METEOR jar prints numbers nobody can read."""


class MissingJavaError(WorkError):
    """Java, or the package that carries the jars, is not here."""

    code = "missing-java"


@dataclass(frozen=True, slots=True)
class Jars:
    """The programs that the ``pycocoevalcap`` package ships."""

    java: str
    meteor: Path
    tokenizer: Path


def find_jars() -> Jars:
    """The Java program and both jars. Raises MissingJavaError, naming what to install."""
    java = shutil.which("java") or _java_home()
    if java is None:
        raise MissingJavaError("no java on the PATH: install Java 8 or newer (openjdk-17-jre)")
    package = _package()
    if package is None:
        raise MissingJavaError("the METEOR jar is not here: pip install 'strad[eval]'")
    jars = Jars(
        java,
        package / "meteor" / "meteor-1.5.jar",
        package / "tokenizer" / "stanford-corenlp-3.4.1.jar",
    )
    for jar in (jars.meteor, jars.meteor.parent / "data" / "paraphrase-en.gz", jars.tokenizer):
        if not jar.is_file():
            raise MissingJavaError(f"{jar} is missing: reinstall pycocoevalcap")
    return jars


def _java_home() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java", path=str(Path(home) / "bin")) if home else None


def _package() -> Path | None:
    spec = importlib.util.find_spec("pycocoevalcap")
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else None

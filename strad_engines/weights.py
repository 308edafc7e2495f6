"""Where any model file comes from. The one place.

In this order: a file or folder the caller names; ``<models folder>/<name>``; an installed package
(see ``model_table`` for how to add one); the model hub's local cache; the hub itself, where it can
be reached within a bounded wait and HF_HUB_OFFLINE does not forbid it. Else MissingModelError,
one line saying what to install.

All of it may read hundreds of megabytes: call it off the event loop.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from strad.errors import MissingModelError, WorkError
from strad_engines.checksums import Checksums
from strad_engines.hub import from_hub
from strad_engines.model_table import MODELS, Model, Piece


def platform_cache() -> Path:
    """The platform's folder for what can be made again. Does not read the environment."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "strad"
    if sys.platform == "win32":
        return home / "AppData" / "Local" / "strad" / "Cache"
    return home / ".cache" / "strad"


@dataclass(frozen=True, slots=True)
class Weights:
    """Finds model files by name. Holds only where to look."""

    models: Path | None = None
    """A folder of the operator's own models, one file or folder a name; trusted as it is,
    but checked where a ``SHA256SUMS`` file lies in it."""
    cache: Path = field(default_factory=platform_cache)
    """Where joined files and the record of checked hashes are kept."""
    hub: bool = True
    """Whether the model hub may be asked."""
    patience: float = 10.0
    """Seconds to wait for the hub's first answer."""
    table: dict[str, Model] = field(default_factory=lambda: MODELS)

    def file(self, name: str) -> Path:
        """The one file of a model, by name or path. Raises MissingModelError."""
        found = self._given(name)
        if found is not None and found.is_file():
            return found
        model = self._known(name)
        if len(model.files) != 1:
            raise MissingModelError(f"{name!r} is a folder of files, not one file")
        return (found or self.folder(name)) / model.files[0].name

    def folder(self, name: str) -> Path:
        """The folder that holds a model's files, by name or path. Raises MissingModelError."""
        found = self._given(name)
        if found is not None:
            _check_sums(found, self._checksums())
            return found
        model = self.table.get(name)
        packaged = self._packaged(name, model) if model else None
        if packaged is not None:
            return packaged
        hub_name = model.hub if model else name
        fetched = from_hub(hub_name, self.patience) if self.hub and hub_name else None
        if fetched is None:
            raise MissingModelError(_advice(name, model))
        if model:
            self._check(model, fetched)
        return fetched

    def here(self, name: str) -> bool:
        """Whether a model can be had without the hub. For ``strad doctor``; checks no hash."""
        if self._given(name) is not None:
            return True
        model = self.table.get(name)
        return model is not None and _paths(model) is not None

    def _given(self, name: str) -> Path | None:
        own = self.models / name if self.models else None
        if own is not None and own.exists():
            return own
        direct = Path(name).expanduser()
        looks_like_a_path = name not in self.table and (direct.is_absolute() or os.sep in name)
        return direct if looks_like_a_path and direct.exists() else None

    def _known(self, name: str) -> Model:
        model = self.table.get(name)
        if model is None:
            raise MissingModelError(_advice(name, None))
        return model

    def _packaged(self, name: str, model: Model) -> Path | None:
        paths = _paths(model)
        if paths is None:
            return None
        folder = _as_it_lies(model, paths)
        if folder is None:
            folder = _joined(model, paths, self.cache / "models" / _key(name, model))
        self._check(model, folder)
        return folder

    def _check(self, model: Model, folder: Path) -> None:
        checksums = self._checksums()
        for file in model.files:
            if (folder / file.name).exists():
                checksums.require(folder / file.name, file.sha256)

    def _checksums(self) -> Checksums:
        return Checksums(self.cache / "checked.json")


def _advice(name: str, model: Model | None) -> str:
    if model is None:
        known = ", ".join(sorted(MODELS))
        return f"no model {name!r} here: give a folder that holds it, or one of {known}"
    return f"model {name!r} is not here: {model.install}, or give a folder that holds it"


def _key(name: str, model: Model) -> str:
    return f"{name}-{model.files[0].sha256[:12]}"


def _piece_path(piece: Piece) -> Path | None:
    spec = find_spec(piece.module)
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(next(iter(spec.submodule_search_locations)), piece.path)
    return path if path.is_file() else None


def _paths(model: Model) -> dict[str, list[Path]] | None:
    """Of every file of the model, its pieces; None unless all of them are installed."""
    found: dict[str, list[Path]] = {}
    for file in model.files:
        paths = [path for piece in file.pieces if (path := _piece_path(piece)) is not None]
        if not paths or len(paths) < len(file.pieces):
            return None
        found[file.name] = paths
    return found


def _as_it_lies(model: Model, paths: dict[str, list[Path]]) -> Path | None:
    """The package's own folder, where each file is whole and has its name in that one folder."""
    folders = {path.parent for pieces in paths.values() for path in pieces}
    whole = all([path.name for path in paths[file.name]] == [file.name] for file in model.files)
    return folders.pop() if whole and len(folders) == 1 else None


def _joined(model: Model, paths: dict[str, list[Path]], target: Path) -> Path:
    """Make ``target`` from the pieces, at once or not at all. Whoever is first wins."""
    if target.is_dir():
        return target
    try:
        return _join(model, paths, target)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise WorkError(
            f"the folder for joined model files, {target.parent}, can't be used ({why}): "
            "set STRAD_CACHE to another"
        ) from error


def _join(model: Model, paths: dict[str, list[Path]], target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".joining-", dir=target.parent))
    try:
        for file in model.files:
            with (made / file.name).open("wb") as whole:
                for path in paths[file.name]:
                    with path.open("rb") as part:
                        shutil.copyfileobj(part, whole, 1 << 20)
        _put(made, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return target


def _put(made: Path, target: Path) -> None:
    try:
        os.replace(made, target)
    except OSError:
        if not target.is_dir():
            raise


def _check_sums(folder: Path, checksums: Checksums) -> None:
    """Check an operator's folder against its own ``SHA256SUMS`` file, where it has one."""
    sums = folder / "SHA256SUMS"
    if not sums.is_file():
        return
    for line in sums.read_text("utf-8").splitlines():
        digest, _, name = line.partition(" ")
        if digest and name:
            checksums.require(folder / name.strip().removeprefix("*"), digest)

"""The material that the options of ``prepare`` name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from strad.errors import InputError
from training.material import Material
from training.skipped import Skips
from training.sources.caption_files import captions_named
from training.sources.described import described_material
from training.sources.manifests import manifest_materials
from training.sources.tables import table_materials


@dataclass(frozen=True, slots=True)
class Sources:
    """The options."""

    manifests: tuple[Path, ...]
    tables: tuple[Path, ...]
    video: Path | None
    descriptions: Path | None
    captions: Path | None
    media: Path | None
    language: str

    @property
    def named(self) -> list[Path]:
        """What they are called in ``dataset.json``."""
        return [*self.manifests, *self.tables, *([self.video] if self.video else [])]

    def read(self, skips: Skips) -> list[Material]:
        """Raises InputError, and FormatError for a file that is none of its kind."""
        self._check()
        found = [m for path in self.manifests for m in manifest_materials(path, self.media, skips)]
        captions, language = self.captions, self.language
        folder = captions if captions is not None and captions.is_dir() else None
        for path in self.tables:
            assert self.media
            found += table_materials(path, self.media, folder, skips, language=language)
        if self.video is not None and self.descriptions is not None:
            file = captions if folder is None else captions_named(folder, [self.video.stem])
            one = described_material(self.video, self.descriptions, file, skips, language=language)
            found += [one] if one is not None else []
        return found

    def _check(self) -> None:
        if not self.named:
            raise InputError("nothing to prepare: give --manifest, --segments or --video")
        if self.captions is not None and not self.captions.exists():
            raise InputError(f"{self.captions}: can't be read: no such file or directory")
        if self.tables and self.media is None:
            raise InputError("--segments needs --media, the folder of the films")
        if (self.video is None) != (self.descriptions is None):
            raise InputError("--video and --descriptions go together")
        if self.video is not None and not self.video.exists():
            raise InputError(f"{self.video}: can't be read: no such file or directory")

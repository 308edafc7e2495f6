"""What ``strad describe`` leaves behind: the description, the figures, the efficiency log."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from service.cli.write_all import write_all
from service.described import Description
from strad.cues import Cue
from strad.efficiency import EFFICIENCY, EfficiencyHeader
from strad.errors import InputError, WorkError
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.srt import write_srt
from strad.text_file import refuse_output, write_text
from strad.webvtt import draft_note, write_webvtt


class Format(StrEnum):
    """A file format for timed text."""

    VTT = "vtt"
    SRT = "srt"
    JSONL = "jsonl"


@dataclass(frozen=True, slots=True)
class Output:
    """Where to write what. Checked before the work, so that nothing is lost after it."""

    path: Path | None
    """None: standard output."""
    form: Format
    summary: Path | None
    efficiency: Path | None
    overwrite: bool
    video_id: str
    protocol: str | None
    fingerprint: str | None = None
    """Of the video and its entry in a manifest, where it has one."""

    @classmethod
    def plan(
        cls,
        output: str | None,
        form: Format | None,
        *,
        summary: Path | None,
        efficiency: Path | None,
        overwrite: bool,
        inputs: Sequence[Path],
        video_id: str,
        protocol: str | None,
    ) -> Output:
        """Raises InputError for an output that exists, can't be written or has two meanings."""
        path = None if output in (None, "-") else Path(str(output))
        files = [file for file in (path, summary, efficiency) if file is not None]
        if len({file.resolve() for file in files}) < len(files):
            raise InputError("two outputs have the same name")
        read = {file.resolve() for file in inputs}
        for file in files:
            if file.resolve() in read:
                raise InputError(f"{file}: is read, so it can't be written too")
            refuse_output(file, overwrite=overwrite, option="--overwrite")
        known = form or by_name(path)
        return cls(path, known, summary, efficiency, overwrite, video_id, protocol)

    def write(self, description: Description, *, incomplete: str | None) -> None:
        """Write everything asked for, the description first, the summary last.

        ``incomplete`` says why the end is missing, if it is: then it is by no protocol. Raises
        WorkError for what could not be written, when the rest is; in a run over a manifest the
        summary says that all is there, so it is written only then.
        """
        if incomplete is not None and self.protocol is not None:
            replace(self, protocol=None).write(description, incomplete=incomplete)
            return
        text = self._text(description, incomplete)
        figures = self._figures(description, complete=incomplete is None)
        writes = [lambda: self.write_text(text)]
        if self.efficiency is not None:
            writes.append(partial(self._write_log, self.efficiency, description))
        if self.fingerprint is not None:
            write_all(*writes)
            writes = []
        write_all(*writes, *self.summaries(figures))

    def _write_log(self, path: Path, description: Description) -> None:
        lines = description.report.efficiency(self.video_id)
        header = EfficiencyHeader(strad="efficiency", version=1)
        write_text(path, EFFICIENCY.write(lines, header), overwrite=self.overwrite)

    def summaries(self, figures: Mapping[str, object]) -> list[Callable[[], None]]:
        """What writes the figures, where that was asked for."""
        if self.summary is None:
            return []
        rendered = json.dumps(figures, indent=2, ensure_ascii=False) + "\n"
        return [partial(write_text, self.summary, rendered, overwrite=self.overwrite)]

    def write_text(self, text: str) -> None:
        """The description itself."""
        if self.path is not None:
            write_text(self.path, text, overwrite=self.overwrite)
        elif sys.stdout is None:
            raise WorkError("standard output is closed; name a file with -o")
        else:
            sys.stdout.write(text)
            sys.stdout.flush()

    def _figures(self, description: Description, *, complete: bool) -> dict[str, object]:
        figures = description.report.summary(description.session, wall=description.wall)
        return figures | {
            "video_id": self.video_id,
            "describer": description.describer.name,
            "draft": description.describer.draft,
            "protocol": self.protocol,
            "complete": complete,
            **({"fingerprint": self.fingerprint} if self.fingerprint else {}),
        }

    def _text(self, description: Description, incomplete: str | None) -> str:
        describer = description.describer
        header = PredictionsHeader(
            strad="predictions",
            version=1,
            protocol=self.protocol,
            describer=describer.name,
            draft=describer.draft,
        )
        return described_text(
            description.report.cues(),
            self.form,
            header,
            video_id=self.video_id,
            language=description.config.language,
            incomplete=incomplete,
        )


def described_text(
    cues: list[Cue],
    form: Format,
    header: PredictionsHeader,
    *,
    video_id: str,
    language: str,
    incomplete: str | None = None,
) -> str:
    """A whole file of descriptions; ``incomplete`` says why its end is missing."""
    match form:
        case Format.VTT:
            notes = [draft_note(header.describer or "")] if header.draft else []
            notes += [f"Incomplete: {incomplete}."] if incomplete else []
            return write_webvtt(cues, notes=notes, language=language)
        case Format.SRT:
            return write_srt(cues)
        case Format.JSONL:
            return PREDICTIONS.write([Prediction.of(video_id, cue) for cue in cues], header)


def by_name(path: Path | None) -> Format:
    """The format that a file's name says. Raises InputError where it says none."""
    if path is None:
        return Format.VTT
    suffix = path.suffix.lower().lstrip(".")
    if suffix not in set(Format):
        raise InputError(f"{path}: which format? Name it .vtt, .srt or .jsonl, or give --format")
    return Format(suffix)

"""What ``strad describe`` is given to describe: a file or URL, and its captions."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from service.caption_files import read_captions
from strad.errors import InputError
from strad.speech import Word
from streaming.captions import caption_facts
from streaming.sources import SCHEMES, FileSource, Protocol, Source, UrlSource


def source_named(text: str, via: Protocol) -> Source:
    """The source called ``text``. Raises InputError where there is none."""
    if not text.strip():
        raise InputError("INPUT is empty: name a file or URL")
    if "://" in text:
        _must_be_asked_for(text.partition(":")[0].lower(), via)
        return UrlSource(text, via)
    path = Path(text)
    try:
        found = path.exists()
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    if not found:
        raise InputError(f"{path}: can't be read: no such file or directory")
    if path.is_dir():
        raise InputError(f"{path}: is a directory, not a media file")
    return FileSource(path)


def _must_be_asked_for(scheme: str, via: Protocol) -> None:
    if scheme in SCHEMES[via]:
        return
    other = next((protocol for protocol, schemes in SCHEMES.items() if scheme in schemes), None)
    if other is not None:
        raise InputError(f"{scheme}: is opened only when asked for by name: --via {other}")


def video_name(source: str) -> str:
    """What the video is called in JSONL: of a URL only its path, for the rest may be a secret."""
    return Path(urlsplit(source).path if "://" in source else source).stem or "video"


def words_in(captions: Path) -> tuple[Word, ...]:
    """The words of a caption file. Raises InputError, FormatError."""
    return tuple(word for fact in caption_facts(read_captions(captions)) for word in fact.words)


def files_read(source: Source, captions: Path | None, describer: str) -> list[Path]:
    """The files that are read, and so must not be written."""
    script = describer.partition(":")[2]
    files = [source.path] if isinstance(source, FileSource) else []
    return [*files, *([captions] if captions else []), *([Path(script)] if script else [])]

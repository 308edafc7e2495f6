"""JSONL files: one record a line, and before them one optional header line that names the format.

A header is an object with the key ``strad``; it may only be the first line that isn't blank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar, get_args

from strad.errors import FormatError
from strad.record import Record, parse_record

HeaderRecord = TypeVar("HeaderRecord", bound=Record)
LineRecord = TypeVar("LineRecord", bound=Record)


@dataclass(frozen=True, slots=True)
class LineFile(Generic[HeaderRecord, LineRecord]):
    """One JSONL format. Lines come in as bytes or text, as iterating over a file gives them."""

    header: type[HeaderRecord]
    record: type[LineRecord]

    def read(
        self, lines: Iterable[str | bytes], *, file: str = ""
    ) -> tuple[HeaderRecord | None, list[LineRecord]]:
        """The whole file at once."""
        items = list(self.parse(lines, file=file))
        headers = [item for item in items if isinstance(item, self.header)]
        return (
            headers[0] if headers else None,
            [item for item in items if isinstance(item, self.record)],
        )

    def each(self, lines: Iterable[str | bytes], *, file: str = "") -> Iterator[LineRecord]:
        """The records one by one, as the lines come; the header is checked and passed over."""
        return (i for i in self.parse(lines, file=file) if isinstance(i, self.record))

    def parse(
        self, lines: Iterable[str | bytes], *, file: str = ""
    ) -> Iterator[HeaderRecord | LineRecord]:
        """Header (if any) and records, as the lines come. Blank lines are passed over."""
        first = True
        for number, raw in enumerate(lines, start=1):
            line = _decode(raw, file, number)
            if not line:
                continue
            yield self._item(line, first=first, file=file, number=number)
            first = False

    def write(self, records: Iterable[LineRecord], header: HeaderRecord | None = None) -> str:
        """A whole file. To append to one, write each record's ``line()`` and a line end."""
        head = [] if header is None else [header.line()]
        return "".join(f"{line}\n" for line in [*head, *(record.line() for record in records)])

    def _item(self, line: str, *, first: bool, file: str, number: int) -> HeaderRecord | LineRecord:
        record = parse_record(_Marked, line, file=file, first_line=number)
        if record.strad is None:
            return parse_record(self.record, line, file=file, first_line=number)
        if not first:
            raise FormatError("a header may only be the first line", file=file, line=number)
        wanted = get_args(self.header.model_fields["strad"].annotation)
        if wanted and isinstance(record.strad, str) and record.strad not in wanted:
            needed = [name for name, told in self.record.model_fields.items() if told.is_required()]
            what = f"it says it holds {record.strad[:80]}, wanted are {wanted[0]}"
            what = f"{what}: lines with {', '.join(needed)}"
            raise FormatError(what, file=file, line=number)
        return parse_record(self.header, line, file=file, first_line=number)


class _Marked(Record):
    strad: object = None


def _decode(raw: str | bytes, file: str, number: int) -> str:
    if isinstance(raw, bytes):
        try:
            raw = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            what = f"not UTF-8: byte 0x{error.object[error.start]:02x} at {error.start}"
            raise FormatError(what, file=file, line=number) from None
    return (raw.removeprefix("\ufeff") if number == 1 else raw).strip()

"""The predictions as published files have them: ``vid,start,end,text_gt,text_gen``.

A row for every segment, in the file's order; without a description it is an empty one, which scores
0 and does not vanish. ``strad-eval segment`` reads it alone, or beside the data set's own file.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from service.segments.journal import Finished
from strad.text_file import write_text
from streaming.tasks.segments.segment import Segment

COLUMNS = ("vid", "start", "end", "text_gt", "text_gen")


def write_predictions(
    path: Path, segments: Sequence[Segment], finished: Mapping[int, Finished]
) -> None:
    """Replace the file at ``path``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in segments:
        came = finished.get(one.line)
        text = came.text if came else ""
        writer.writerow((one.video, repr(one.start), repr(one.end), one.text, text))
    write_text(path, out.getvalue(), overwrite=True)

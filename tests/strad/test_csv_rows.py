"""CSV as it comes: rows and headers of the wrong size never shift a text unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from strad.csv_rows import header_of, read_rows
from strad.errors import FormatError

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("vid,text\na,He sits, then walks\n", ":2: too many columns"),
        ("vid,text\na\n", ":2: too few columns"),
        ("vid,vid,text\na,b,c\n", ":1: two columns 'vid'"),
        ("vid\na\n", ":1: no column 'text'"),
        ('vid,"text\n', ":1: not CSV"),
    ],
)
def test_what_does_not_fit_its_header_is_refused(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(FormatError, match=complaint):
        list(read_rows(path, ("vid", "text")))


def test_lines_may_end_in_cr_alone_and_texts_hold_any_break(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes('vid,text\ra,"x\u2028y\rz"\r'.encode())
    assert set(header_of(path)) == {"vid", "text"}
    assert [row for _, row in read_rows(path, ("vid", "text"))] == [
        {"vid": "a", "text": "x\u2028y\rz"}
    ]

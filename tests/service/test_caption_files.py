"""Caption files: what they hold says which format they have, not what they are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.caption_files import read_captions
from strad.errors import FormatError, InputError

pytestmark = pytest.mark.unit

VTT = "WEBVTT\n\n00:02.000 --> 00:03.000\nb\n\n00:01.000 --> 00:02.000\na\n"
SRT = "1\n00:00:01,000 --> 00:00:02,000\na\n"


@pytest.mark.parametrize("name", ["a.vtt", "a.srt", "a.txt", "a"])
def test_content_decides_and_cues_come_by_time(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text("\ufeff" + VTT)
    assert [cue.text for cue in read_captions(file)] == ["a", "b"]
    file.write_text(SRT)
    assert [cue.text for cue in read_captions(file)] == ["a"]


def test_what_is_wrong_is_said_with_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "a.vtt"
    with pytest.raises(InputError, match=r"a\.vtt: can't be read"):
        read_captions(file)
    file.write_text("WEBVTT\n\n00:02.000 --> nonsense\nb\n")
    with pytest.raises(FormatError, match=r"a\.vtt:3"):
        read_captions(file)

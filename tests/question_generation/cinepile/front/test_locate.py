"""Clips are found in a described film by what is said, within two seconds; others are not."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from question_generation.cinepile.front.letters import Letters
from question_generation.cinepile.front.locate import (
    APART,
    SILENT,
    TOO_LITTLE,
    WEAK,
    Located,
    locate,
)
from question_generation.cinepile.front.sentences import sentences
from question_generation.cli.main import application
from question_generation.drop import Drop
from strad.cues import Cue
from strad.errors import InputError
from strad.record import TimedText
from strad.webvtt import write_webvtt
from tests.question_generation.cinepile.front.films import (
    Clip,
    cut,
    misheard,
    own_film,
    table_film,
)

pytestmark = pytest.mark.unit

CMDAD = Path(__file__).parents[5] / "shared" / "data" / "ad" / "cmdad_anno.csv"
FILM = own_film(Random(5))
BY = Letters()


def far(found: Located, clip: Clip) -> float:
    """Seconds by which the worse end is off."""
    return max(abs(found.start - clip.start), abs(found.end - clip.start - clip.duration))


@pytest.mark.parametrize("seed", range(6))
def test_a_clip_is_found_where_it_was_cut(seed: int) -> None:
    clip = cut(FILM, Random(seed))
    found = locate(clip.lines, FILM.lines, BY, duration=clip.duration)
    assert isinstance(found, Located), found
    assert far(found, clip) < 2
    assert 0.53 <= found.score <= 1
    assert found.clip_time(found.start, clip.duration) == 0
    assert found.clip_time(found.end + 9, clip.duration) == clip.duration


def test_the_same_words_score_one() -> None:
    lines = [
        x.model_copy(update={"start": x.start - 9, "end": x.end - 9}) for x in FILM.said[10:20]
    ]
    found = locate(lines, FILM.lines, BY)
    assert isinstance(found, Located)
    assert found.score == pytest.approx(1, abs=0.01)
    assert found.start == pytest.approx(9, abs=0.01)


def test_a_clip_that_begins_before_the_films_sound_keeps_its_times() -> None:
    lines = [x.model_copy(update={"start": x.start + 9, "end": x.end + 9}) for x in FILM.said[:10]]
    duration = lines[-1].end
    found = locate(lines, FILM.lines, BY, duration=duration)
    assert isinstance(found, Located)
    assert found.start == pytest.approx(-9, abs=0.01)
    at = FILM.said[4].start
    assert found.clip_time(at, duration) == pytest.approx(at + 9, abs=0.05)
    assert found.clip_time(-20, duration) == 0


def test_what_is_not_there_is_not_found() -> None:
    half = len(FILM.lines) // 2
    clip = [line for line in FILM.said if line not in FILM.lines[:half]][:12]
    found = locate(clip, FILM.lines[:half], BY)
    assert isinstance(found, Drop)
    assert found.reason == WEAK
    assert "of 0.53" in found.detail


def test_ends_of_two_places_are_no_clip() -> None:
    head, tail = FILM.said[:4], FILM.said[-4:]
    back = tail[0].start - head[-1].end - 1
    moved = [x.model_copy(update={"start": x.start - back, "end": x.end - back}) for x in tail]
    found = locate([*head, *moved], FILM.lines, BY)
    assert isinstance(found, Drop)
    assert found.reason == APART


def test_silence_and_single_words_find_nothing() -> None:
    said = [TimedText(start=1.0, end=2.0, text=text) for text in ("Yes.", " ", "No.")]
    assert locate([], FILM.lines, BY) == Drop(SILENT)
    assert locate(said[1:2], FILM.lines, BY) == Drop(SILENT)
    little = locate(said, FILM.lines, BY)
    assert isinstance(little, Drop)
    assert little.reason == TOO_LITTLE
    assert isinstance(locate(FILM.said[:9], [], BY), Drop)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.integers(4, 12), st.floats(0, 3000))
def test_moving_the_film_moves_the_place(seed: int, many: int, by: float) -> None:
    chance = Random(seed)
    at = chance.randrange(len(FILM.said) - many)
    near = [x for x in FILM.lines if FILM.said[at].start - 60 < x.start < FILM.said[at].start + 160]
    clip = misheard(FILM.said[at : at + many], chance, 0.1)
    moved = [x.model_copy(update={"start": x.start + by, "end": x.end + by}) for x in near]
    one, other = locate(clip, near, BY), locate(clip, moved, BY)
    if isinstance(one, Drop):
        assert one == other
    else:
        assert isinstance(other, Located)
        assert other.score == one.score
        assert other.start - one.start == pytest.approx(by, abs=0.01)


@given(st.lists(st.text(max_size=30), max_size=12))
def test_letters_are_of_length_one_or_none(texts: list[str]) -> None:
    found = Letters(places=64).embed(texts)
    assert found.shape == (len(texts), 64)
    for row in found:
        assert float(row @ row) == pytest.approx(1, abs=1e-4) or not row.any()


@given(st.text(max_size=120), st.floats(0, 100), st.floats(0, 30))
def test_sentences_keep_every_word_and_their_order(text: str, start: float, lasts: float) -> None:
    line = TimedText(start=start, end=start + lasts, text=text)
    found = sentences([line])
    assert " ".join(one.text for one in found).split() == text.split()
    ends = [line.start, *(t for one in found for t in (one.start, one.end))]
    assert ends == sorted(ends)
    assert not found or (found[0].start, found[-1].end) == (line.start, line.end)


def test_sentences_end_where_people_end_them() -> None:
    text = 'Mr. Hale waits. "Is it you?" She nods at J. R. and leaves... Then 3.5 seconds pass.'
    found = [x.text for x in sentences([TimedText(start=0.0, end=8.0, text=text)])]
    assert found == [
        "Mr. Hale waits.",
        '"Is it you?"',
        "She nods at J. R. and leaves...",
        "Then 3.5 seconds pass.",
    ]


def strad_qa(*said: object) -> Result:
    """In this process; an error of ours is the result's."""
    return CliRunner().invoke(application(), [str(word) for word in said])


def test_the_command_tells_a_line_for_each_clip(tmp_path: Path) -> None:
    clip = cut(FILM, Random(1))
    vtt(tmp_path / "film.vtt", FILM.lines)
    vtt(tmp_path / "a.vtt", clip.lines)
    vtt(tmp_path / "b.vtt", [TimedText(start=0.0, end=3.0, text="Our sales rose by four percent.")])
    done = strad_qa("locate", tmp_path / "film.vtt", tmp_path / "a.vtt", tmp_path / "b.vtt")
    assert done.exit_code == 0, done.exception
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["start"] == pytest.approx(clip.start, abs=2)
    assert second["dropped"] == WEAK
    assert "1 of 2 clips found" in done.stderr
    none = strad_qa("locate", tmp_path / "film.vtt", tmp_path / "c.vtt")
    assert isinstance(none.exception, InputError)
    assert str(none.exception) == f"{tmp_path / 'c.vtt'}: can't be read: no such file or directory"


def vtt(path: Path, lines: list[TimedText]) -> Path:
    """A WebVTT file of lines."""
    path.write_text(write_webvtt([Cue(line.when, line.text) for line in lines]))
    return path


@pytest.mark.slow
@pytest.mark.skipif(not CMDAD.exists(), reason="CMD-AD's annotations are not beside the project")
def test_clips_are_found_among_1400_lines_of_cmdad() -> None:
    chance = Random(1)
    film = table_film(CMDAD, range(24), chance)
    other = table_film(CMDAD, range(30, 60), chance)
    heard = misheard(film.lines, chance, 0.06)
    near, lost, false = [], [], []
    for seed in range(20):
        clip = cut(film, Random(seed))
        found = locate(clip.lines, heard, BY, duration=clip.duration)
        (lost if isinstance(found, Drop) or far(found, clip) > 2 else near).append(found)
    for seed in range(6):
        clip = cut(other, Random(seed))
        found = locate(clip.lines, heard, BY, duration=clip.duration)
        false += [] if isinstance(found, Drop) else [found]
    assert len(near) >= 0.95 * 20, lost
    assert not false

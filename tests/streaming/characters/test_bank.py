"""The character bank: read as it is published, refused with file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from strad.errors import FormatError, InputError
from streaming.characters.bank import Character, portrait_of, read_bank
from streaming.characters.colours import COLOURS, colours_of

pytestmark = pytest.mark.unit


def bank(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "bank.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_bank_is_read_by_film_in_its_order(tmp_path: Path) -> None:
    cast = [
        {"id": "nm2", "role": "Captain  Jean-Luc Picard", "name": "P. Stewart"},
        {"id": "nm1", "role": "Q", "name": "J. de Lancie"},
        {"id": "nm2", "role": "Locutus", "name": "P. Stewart"},
        {"id": "nm3", "role": None, "name": "Nobody knows"},
    ]
    found = read_bank(bank(tmp_path, json.dumps({"tt1": cast, "tt2": []})))
    picard = Character("nm2", "Captain Jean-Luc Picard")
    assert found.cast("tt1") == (picard, Character("nm1", "Q"))
    assert found.cast("tt0", "tt1") == found.cast("tt1")
    assert found.cast("tt0") == found.cast("tt2") == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"tt1": [\n {"role": "Q"}]}', ":2: tt1: a character without 'id'"),
        ('{"tt1": [\n {"id": "nm1", "role": 7}]}', ":2: tt1: a character without 'role'"),
        ('{"tt1": [],\n "tt2": {}}', ":2: tt2: its cast is no list"),
        ('{"tt1": [\n7]}', ":2: tt1: a character is no object"),
        ("[]", ":1: not a bank"),
        ('{"tt1": [\n', "not JSON"),
        ('{"tt1": [],\n "tt1": []}', ":2: "),
    ],
)
def test_what_is_no_bank_is_refused_with_its_line(
    tmp_path: Path, text: str, complaint: str
) -> None:
    with pytest.raises(FormatError) as refused:
        read_bank(bank(tmp_path, text))
    assert complaint in str(refused.value)
    assert "bank.json:" in str(refused.value)


def test_a_pickle_is_never_opened(tmp_path: Path) -> None:
    path = tmp_path / "charbank.pkl"
    with pytest.raises(InputError, match="a pickle runs what is in it"):
        read_bank(path)


def test_portraits_are_found_by_id_and_never_outside_their_folder(tmp_path: Path) -> None:
    folder = tmp_path / "portraits"
    folder.mkdir()
    for path in (folder / "nm1.jpg", tmp_path / "nm2.jpg"):
        path.write_bytes(b"")
    assert portrait_of(Character("nm1", "Q"), folder) == folder / "nm1.jpg"
    assert portrait_of(Character("../nm2", "Q"), folder) is None
    assert portrait_of(Character("nm3", "Q"), folder) is None


def test_each_leading_character_has_a_colour_of_its_own() -> None:
    cast = [Character(f"nm{n}", "x") for n in range(10)]
    colours = colours_of(cast)
    assert len({colour.name for colour in colours.values()}) == 10
    assert len({colour.rgb for colour in COLOURS}) == len(COLOURS)
    inks = {colour.name: colour.ink for colour in COLOURS}
    assert (inks["blue"], inks["yellow"]) == ((255, 255, 255), (0, 0, 0))

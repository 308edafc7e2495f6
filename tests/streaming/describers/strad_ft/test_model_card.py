"""``strad-model.json``: what a model was trained with is what it is served with, or a clear no."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from strad.errors import FormatError, InputError
from streaming.describers.strad_ft.model_card import (
    FILE,
    ModelCard,
    Parity,
    card_of,
    layout_sha256,
    profile_of,
    read_card,
    write_card,
)
from streaming.prompt.profiles import PROFILES

pytestmark = pytest.mark.unit

VIDEO, IMAGES = PROFILES["qwen35-video"], PROFILES["qwen35-images"]
CARD = card_of(VIDEO, base="Qwen/Qwen3.5-4B", parity=(Parity(seed=1, answer="WAIT"),))


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert write_card(tmp_path, CARD) == tmp_path / FILE
    assert read_card(tmp_path) == CARD
    assert CARD.release is False


def test_a_model_without_one_has_none(tmp_path: Path) -> None:
    assert read_card(tmp_path) is None


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"profile": 3}, "profile: "),
        ({"layout_sha256": "abc"}, "layout_sha256: "),
        ({"version": 2}, "version: "),
        ({"parity": [{"seed": 1}]}, "parity.0.answer: "),
        ({"strad": "predictions"}, "strad: "),
    ],
)
def test_a_broken_one_is_refused_by_name(
    tmp_path: Path, change: dict[str, object], complaint: str
) -> None:
    data = json.loads(CARD.model_dump_json()) | change
    (tmp_path / FILE).write_text(json.dumps(data), "utf-8")
    with pytest.raises(FormatError, match=f"{FILE}.*{complaint}"):
        read_card(tmp_path)


def test_one_that_can_not_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff")
    with pytest.raises(InputError, match="can't be read"):
        read_card(tmp_path)


def test_the_same_profile_is_served() -> None:
    CARD.require(VIDEO)
    assert profile_of(CARD, None) is VIDEO
    assert profile_of(CARD, "qwen35-video") is VIDEO
    assert profile_of(None, "phi4mm") is PROFILES["phi4mm"]


def test_another_profile_is_refused() -> None:
    with pytest.raises(InputError, match="with profile qwen35-video, not qwen35-images: serve it"):
        profile_of(CARD, "qwen35-images")


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(InputError, match="no profile 'qwen9': there are qwen35-video, "):
        profile_of(None, "qwen9")
    with pytest.raises(InputError, match="name its profile with --profile"):
        profile_of(None, None)


def test_other_instructions_are_refused() -> None:
    for change in ({"instructions": "strad_v0"}, {"instructions_sha256": 64 * "0"}):
        old = ModelCard(**(CARD.model_dump() | change))
        with pytest.raises(InputError, match="the model was trained with instructions strad_v"):
            old.require(VIDEO)


def test_another_layout_of_the_same_name_is_refused() -> None:
    moved = replace(VIDEO, paired=False)
    with pytest.raises(InputError, match="the layout of qwen35-video has changed"):
        card_of(replace(moved, most=7), base="x").require(VIDEO)


def test_the_layouts_differ_and_stay() -> None:
    """A change here means that every trained model has to be trained again, or a new profile."""
    assert {name: layout_sha256(profile)[:12] for name, profile in PROFILES.items()} == {
        "qwen35-video": "202bb5529709",
        "qwen35-images": "6cb40457383d",
        "phi4mm": "5b60c12077b1",
    }

"""The ablation's rows and columns: which there are, and how a figure is printed."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from strad.errors import InputError
from strad_engines.messages import Audio, Image, Video
from streaming.prompt.profiles import PROFILES
from tests.streaming.prompt.windows import window
from training.ablation_table import Row, as_csv, as_markdown
from training.augmentations import AUGMENTATIONS
from training.config import FitConfig, Modality
from training.families.phi4mm import PHI4MM
from training.families.qwen35 import QWEN35
from training.modalities import without
from training.variants import PAPER, VARIANTS, chosen_variants

pytestmark = pytest.mark.unit

SHARED = FitConfig(Path("data"), "base", Path("out"))


def test_the_rows_are_the_papers() -> None:
    heard = [one.name for one in chosen_variants(PHI4MM, ())]
    assert heard[:4] == ["all", "no-video", "no-audio", "text-only"]
    assert heard[4:] == [f"no-{name}-augmentation" for name in PAPER]
    deaf = {one.name for one in chosen_variants(QWEN35, ())}
    assert set(heard) - deaf == {"no-audio", "text-only", "no-audio-augmentation"}
    with pytest.raises(InputError, match="no variant 'no-thing'"):
        chosen_variants(QWEN35, ["no-thing"])


@pytest.mark.parametrize("name", list(VARIANTS))
def test_a_variant_differs_from_all_in_one_thing(name: str) -> None:
    whole, one = VARIANTS["all"].config(SHARED), VARIANTS[name].config(SHARED)
    assert set(whole.augmentations) == set(AUGMENTATIONS)
    gone = set(whole.augmentations) - set(one.augmentations)
    assert (len(gone) + bool(one.drop)) == (name != "all")
    assert one.run == Path("out") / name / "run"
    assert replace(one, run=whole.run, drop=(), augmentations=whole.augmentations) == whole


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda one: one.name)
def test_what_is_dropped_is_not_in_the_prompt_and_nothing_else_changes(profile: object) -> None:
    assert profile in PROFILES.values()
    seen = window(20_000)
    for dropped in ((Modality.VIDEO,), (Modality.AUDIO,), tuple(Modality)):
        variant = without(profile, dropped)  # type: ignore[arg-type]
        parts = [part for message in variant.render(seen) for part in message.parts]
        whole = [part for message in profile.render(seen) for part in message.parts]  # type: ignore[attr-defined]
        pictures = [part for part in parts if isinstance(part, Image | Video)]
        sounds = [part for part in parts if isinstance(part, Audio)]
        assert bool(pictures) == (Modality.VIDEO not in dropped)
        assert not sounds or Modality.AUDIO not in dropped
        assert parts[-1] == whole[-1]
        assert [part for part in whole if part in parts] == parts
        assert variant.name != profile.name  # type: ignore[attr-defined]


def test_a_table_has_the_columns_that_were_scored() -> None:
    rows = [
        Row("all", {"validation_loss": 0.25, "cider": 0.107, "rep": 0.115}),
        Row("no-video", {"validation_loss": 1.0, "cider": 0.02}),
    ]
    read = list(csv.DictReader(as_csv(rows).splitlines()))
    assert list(read[0]) == ["variant", "validation_loss", "cider", "rep"]
    assert (read[0]["rep"], read[1]["rep"]) == ("0.115", "")
    assert as_markdown(rows).splitlines() == [
        "| Variant | Validation loss | CIDEr | REP (%) |",
        "| --- | ---: | ---: | ---: |",
        "| all | 0.250 | 10.7 | 11.5 |",
        "| no-video | 1.000 | 2.0 |  |",
    ]

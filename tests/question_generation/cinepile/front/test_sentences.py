"""Descriptions told from dialogue by the small model that ships, and how it comes to be."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from question_generation.cinepile.front.classifier import classifier, kinds
from question_generation.cinepile.front.corpus import own_corpus
from question_generation.cinepile.front.features import features
from question_generation.cinepile.front.labelled import DIALOGUE, LABELLED, VISUAL, SentenceKind
from question_generation.cinepile.front.measured import Measured, measured, parted
from question_generation.cinepile.front.sentence_model import own_model, parse
from question_generation.cinepile.front.small_training import train
from question_generation.cli.main import application
from question_generation.jointav.speech_lines import from_subtitles
from strad.errors import FormatError, InputError

pytestmark = pytest.mark.unit

DATA = Path(__file__).parents[5] / "shared" / "data"
CAPTIONS = ("blocks4all_captions_en.vtt", "wwa_captions_en.vtt")
DESCRIPTIONS = ("blocks4all_descriptions_en.vtt", "wwa_description_en.vtt")
TABLES = ("cmdad_anno.csv", "tvad_anno.csv")
DRAWS = 1000


def strad_qa(*said: object) -> Result:
    """In this process; an error of ours is the result's."""
    return CliRunner().invoke(application(), [str(word) for word in said])


def test_the_command_writes_the_very_model_that_ships(tmp_path: Path) -> None:
    done = strad_qa("train-classifier", tmp_path / "m.json", "--small", "--held-out", "0")
    assert done.exit_code == 0, done.exception
    assert (tmp_path / "m.json").read_text() == own_model().text()


def test_what_it_has_not_learned_is_told_apart() -> None:
    seen, held = parted(own_corpus(), 0.2, seed=3)
    model = train(seen)
    found = measured([one.kind for one in held], kinds([one.text for one in held], model))
    assert found.macro_f1 > 0.9, found
    bare = [one.text.lower().strip(".,?!") for one in held]
    assert measured([one.kind for one in held], kinds(bare, model)).macro_f1 > 0.85


def test_a_file_is_classified_with_its_times(tmp_path: Path) -> None:
    film = tmp_path / "film.vtt"
    film.write_text(
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nShe smiles and closes the door.\n\n"
        "00:00:03.000 --> 00:00:04.000\nWhere have you been?\n\n"
        "00:00:05.000 --> 00:00:06.000\n[door slams]\n"
    )
    done = strad_qa("classify", film, "--out", tmp_path / "out.jsonl")
    assert done.exit_code == 0, done.exception
    with (tmp_path / "out.jsonl").open() as lines:
        found = list(LABELLED.each(lines))
    assert [one.kind for one in found] == [VISUAL, DIALOGUE, DIALOGUE]
    assert (found[0].start, found[0].end) == (1.0, 2.5)
    said = strad_qa("classify", tmp_path / "out.jsonl").stdout.splitlines()
    assert [json.loads(line)["kind"] for line in said] == [VISUAL, DIALOGUE, DIALOGUE]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.docx", "", "sentences are .txt"),
        ("a.txt", "\n\n", "no sentences in it"),
        ("a.jsonl", '{"text": ""}\n', "text: String should match"),
        ("a.vtt", "1\n", "a WebVTT file starts"),
    ],
)
def test_files_without_sentences_are_refused(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text)
    done = strad_qa("classify", tmp_path / name)
    assert isinstance(done.exception, InputError)
    assert said in str(done.exception)


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "[]",
        '{"strad": "sentence model", "version": 2}',
        '{"strad": "sentence model", "version": 1, "bias": 0, "weights": {"a": "b"}}',
        '{"strad": "sentence model", "version": 1, "weights": {}}',
        f'{{"strad": "sentence model", "version": 1, "bias": 1{"0" * 400}, "weights": {{}}}}',
        '{"strad": "sentence model", "version": 1, "bias": NaN, "weights": {}}',
        "[" * 100_000,
    ],
)
def test_models_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(FormatError):
        parse(text, "m.json")


def test_a_model_comes_back_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(own_model().text())
    own = own_model()
    found = classifier(tmp_path / "m.json")
    assert (found, found.name) == (own, own.name)
    other = replace(own, bias=0.5)
    (tmp_path / "m.json").write_text(other.text())
    assert classifier(tmp_path / "m.json").name == other.name != own.name


def test_one_kind_alone_teaches_nothing(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text('{"text": "He nods.", "kind": "visual"}\n' * 3)
    done = strad_qa("train-classifier", tmp_path / "m.json", tmp_path / "s.jsonl", "--small")
    assert "both kinds are needed" in str(done.exception)
    done = strad_qa("train-classifier", tmp_path / "none" / "bert")
    assert "there is no folder" in str(done.exception), "said before it has learned for hours"


@given(st.text(max_size=200))
def test_any_text_has_features_and_a_likelihood(text: str) -> None:
    found = features(text)
    assert found
    assert len(found) == len(set(found))
    (likely,) = own_model().visual([text])
    assert 0 <= likely <= 1


@given(st.lists(st.tuples(st.sampled_from([VISUAL, DIALOGUE]), st.booleans()), max_size=30))
def test_f1_is_one_only_where_all_is_right(rows: list[tuple[SentenceKind, bool]]) -> None:
    other = {VISUAL: DIALOGUE, DIALOGUE: VISUAL}
    found = measured([k for k, _ in rows], [k if right else other[k] for k, right in rows])
    assert 0 <= found.macro_f1 <= 1
    both = {kind for kind, _ in rows} == {VISUAL, DIALOGUE}
    assert (found.macro_f1 == 1) == (both and all(right for _, right in rows))


def test_f1_by_hand() -> None:
    found = Measured(visual_visual=3, visual_dialogue=1, dialogue_visual=2, dialogue_dialogue=4)
    assert found.macro_f1 == pytest.approx((6 / 9 + 8 / 11) / 2)
    assert found.accuracy == 0.7


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="captions and descriptions are not beside us")
def test_captions_and_descriptions_of_others_are_told_apart() -> None:
    captions = _told(*CAPTIONS)
    descriptions = [*_told(*DESCRIPTIONS), *_table(*TABLES)]
    wrong = [kind == VISUAL for kind in kinds(captions, own_model())]
    right = [kind == VISUAL for kind in kinds(descriptions, own_model())]
    drawn = sorted(_drawn(wrong, right, Random(seed), again=False) for seed in range(DRAWS))
    both = sorted(_drawn(wrong, right, Random(seed), again=True) for seed in range(DRAWS))
    mean, (low, high) = sum(drawn) / DRAWS, (both[DRAWS // 40], both[-DRAWS // 40])
    told = f"mean {mean:.3f}, draws from {drawn[0]:.3f}, 95 % from {low:.3f} to {high:.3f}"
    assert mean >= 0.85, told
    assert sum(f1 >= 0.85 for f1 in drawn) >= 0.95 * DRAWS, told


def _drawn(wrong: list[bool], right: list[bool], chance: Random, *, again: bool) -> float:
    """F1 of all captions (``again``: drawn with repeats too) and as many descriptions."""
    count = len(wrong)
    said = chance.choices(wrong, k=count) if again else wrong
    seen = chance.choices(right, k=count) if again else chance.sample(right, count)
    return Measured(sum(seen), count - sum(seen), sum(said), count - sum(said)).macro_f1


def _told(*files: str) -> list[str]:
    lines = [line.text for name in files for line in from_subtitles(DATA / "vtt" / name)]
    return [line for line in lines if line.strip()]


def _table(*files: str) -> list[str]:
    found: list[str] = []
    for name in files:
        with (DATA / "ad" / name).open(encoding="utf-8", newline="") as file:
            found += [row["text"] for row in csv.DictReader(file)]
    return found

"""A model's card: all that is known, nothing made up, no path of whoever trained it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from strad.errors import FormatError
from streaming.prompt.profiles import profile
from training.dataset import Dataset, Entry
from training.example import Kind
from training.exporting.card_facts import card_facts, report_of
from training.exporting.form import Form, Wanted
from training.exporting.model_card import model_card
from training.exporting.parity import Parity
from training.exporting.trained_run import TrainedRun
from training.shards import Place

pytestmark = pytest.mark.unit


def run_in(folder: Path) -> TrainedRun:
    (folder / "log.csv").write_text(
        "step,epoch,loss,validation_loss\n1,0.1,3.5,\n2,0.2,1.25,\n2,0.2,,0.75\n"
    )
    state = {"step": 2, "validation_loss": 0.75, "scores": {"wait_f1": 0.9}}
    config = {
        "rank": 8,
        "learning_rate": 4.3e-05,
        "augmentations": ["frame"],
        "data": "/folder/of/me/d",
    }
    return TrainedRun(
        folder, folder / "best/adapter", str(folder), profile("qwen35-video"), state, config
    )


def data_in(folder: Path) -> Dataset:
    for name in ("dataset.json", "index.jsonl"):
        (folder / name).write_text("{}")
    place = Place("train-00000.tar", 0, 512)
    entries = (
        Entry("a", "tt1", "train", Kind.AD, "unseen-ad", place),
        Entry("b", "tt1", "train", Kind.WAIT, "dialogue", place),
        Entry("c", "tt2", "validation", Kind.SEGMENT, "segment", place),
    )
    about = {"sources": ["/folder/of/me/CMD | AD.csv"], "licence": "research only"}
    return Dataset(folder, about, entries)


def card_of(folder: Path, form: Form = Form.MERGED) -> str:
    report = {
        "strad_eval": "stream",
        "name": "StrAD",
        "figures": {"soda": {"title": "SODA", "value": 0.0321, "shown_times": 100}},
    }
    (folder / "scores.json").write_text(json.dumps(report))
    facts = card_facts(
        run_in(folder),
        data_in(folder),
        Wanted(form),
        Parity(20, (3,)),
        name="A model",
        licence="apache-2.0",
        report=report_of(folder / "scores.json"),
    )
    return model_card(facts)


def test_it_tells_data_split_losses_scores_and_licences(tmp_path: Path) -> None:
    card = card_of(tmp_path)
    for told in (
        "license: apache-2.0",
        "`qwen35-video`",
        "19 of 20 windows",
        "| CMD \\| AD.csv | research only |",
        "| train | 2 (1 ad, 1 wait) |",
        "1 film: tt2",
        "| training, first step (1) | 3.5 |",
        "| training, last step (2) | 1.25 |",
        "| validation | 0.75 |",
        "| SODA, StrAD | 3.21 |",
        "| wait_f1, sample answers in training | 0.9 |",
        "| augmentations | frame |",
        "It is a draft, and labelled so.",
    ):
        assert told in card, told
    assert "$" not in card


def test_no_path_of_the_machine_is_in_it(tmp_path: Path) -> None:
    card = card_of(tmp_path)
    assert str(tmp_path) not in card
    assert "/folder/of/me" not in card


def test_each_form_says_how_it_is_served(tmp_path: Path) -> None:
    assert "--lora-modules ad=FOLDER/adapter" in card_of(tmp_path, Form.ADAPTER)
    assert "--max-lora-rank 8" in card_of(tmp_path, Form.ADAPTER)
    assert "--lora-modules" not in card_of(tmp_path)


def test_scores_that_are_none_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text('{"strad_eval": "segment"}')
    with pytest.raises(FormatError, match="not a report of strad-eval stream"):
        report_of(path)


def test_a_corrected_film_is_not_under_the_licence_of_what_was_prepared(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    data.about["sources"] += ["news.mp4", "film.mp4"]
    data.about["corrections"] = [{"media": "news.mp4"}, {"media": "film.mp4", "licence": "CC0"}]
    facts = card_facts(
        run_in(tmp_path), data, Wanted(Form.MERGED, 0, False), Parity(1, ()), name="a"
    )
    assert facts.sources == [
        ("CMD | AD.csv", "research only"),
        ("news.mp4", "not stated"),
        ("film.mp4", "CC0"),
    ]


@pytest.mark.parametrize("figure", [0.3, {"title": "SODA"}, {"value": "0.3", "shown_times": 1}])
def test_a_report_of_other_figures_is_refused_before_any_work(
    figure: object, tmp_path: Path
) -> None:
    path = tmp_path / "scores.json"
    path.write_text(json.dumps({"strad_eval": "stream", "figures": {"soda": figure}}))
    with pytest.raises(FormatError, match="not a figure of strad-eval stream: soda"):
        report_of(path)

"""The engine in this process, over random weights: everything but what only a trained model shows.

Whatever such a model says, it must be drawn, told, held to a form and stopped as it is written.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from strad.errors import InputError, MissingModelError, WorkError
from strad.timeline import Interval
from strad_engines.engine_errors import EngineRefusedError, EngineSlowError
from strad_engines.messages import Audio, Image, Message, Sampling, Text, Video
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions
from strad_engines.transformers_engine.engine import TransformersEngine
from strad_engines.transformers_engine.loading import Loading
from streaming.prompt.profiles import profile
from streaming.window import Window
from tests.models import lessons, shapes
from tests.models.real_time import in_real_time

pytestmark = [pytest.mark.models, pytest.mark.slow]

PROFILE = profile("qwen35-video")
SAMPLES = list(itertools.islice(shapes.samples(77), 6))
CHATS = [PROFILE.render(sample.window) for sample in SAMPLES]
GREEDY = Sampling(max_tokens=24, alternatives=3)


def engine(folder: Path, **loading: object) -> TransformersEngine:
    return TransformersEngine(str(folder), Loading(**loading))  # type: ignore[arg-type]


@in_real_time
async def test_a_checkpoint_that_lacks_weights_is_refused(untrained: Path, tmp_path: Path) -> None:
    """Transformers would draw them at random, and go on."""
    folder = tmp_path / "lacking"
    shutil.copytree(untrained, folder)
    weights = load_file(folder / "model.safetensors")
    del weights["model.visual.pos_embed.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"lacks 1 of the model's weights \(model\.visual\.pos"):
        async with engine(folder):
            pass


@in_real_time
async def test_the_library_prints_nothing_of_its_own(
    untrained: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with engine(untrained) as ours:
        await ours.generate(CHATS[0], GREEDY, deadline_s=60)
    assert capfd.readouterr().err == ""


@in_real_time
async def test_tokens_are_those_of_transformers_own_greedy_search(untrained: Path) -> None:
    async with engine(untrained) as ours:
        found = [await ours.generate(chat, GREEDY, deadline_s=60) for chat in CHATS]
    model, processor = _plain(untrained)
    for chat, answer in zip(CHATS, found, strict=True):
        batch = lessons.batch(processor, [chat])
        with torch.inference_mode():
            drawn = model.generate(**batch, max_new_tokens=24, do_sample=False)
        ids = drawn[0, batch["input_ids"].shape[1] :]
        assert answer.text == processor.tokenizer.decode(ids, skip_special_tokens=True)
        assert answer.prompt_tokens == batch["input_ids"].shape[1]
        assert answer.completion_tokens == len(ids)


@in_real_time
async def test_log_probabilities_are_the_models_own(untrained: Path) -> None:
    async with engine(untrained) as ours:
        found = await ours.generate(CHATS[0], GREEDY, deadline_s=60)
    model, processor = _plain(untrained)
    with torch.inference_mode():
        logits = model(**lessons.batch(processor, CHATS[:1])).logits[0, -1].float()
    known = logits.log_softmax(-1).topk(3)
    first = found.tokens[0]
    assert [chance for _, chance in first.alternatives] == pytest.approx(
        known.values.tolist(), abs=0.05
    )
    assert first.log_probability == pytest.approx(float(known.values[0]), abs=0.05)
    assert first.text == processor.tokenizer.decode([int(known.indices[0])])


@in_real_time
async def test_a_cached_picture_gives_the_very_same_logits(untrained: Path) -> None:
    """Remembered or not: the same windows, in an order in which most pairs were seen before."""
    windows = _sliding(6)
    async with engine(untrained, cache_mib=0) as fresh, engine(untrained) as cached:
        for window in (*windows, *windows):
            chat = PROFILE.render(window)
            one, other = [await e.generate(chat, GREEDY, deadline_s=60) for e in (fresh, cached)]
            assert one.tokens == other.tokens


@in_real_time
async def test_a_picture_is_encoded_once_however_many_windows_show_it(untrained: Path) -> None:
    windows = _sliding(10)
    async with engine(untrained) as ours:
        for window in windows:
            await ours.generate(PROFILE.render(window), GREEDY, deadline_s=60)
        counts = ours.seen
    pairs = [pair for window in windows for pair in _pairs(window)]
    assert 2 * len(set(pairs)) < len(pairs)
    assert (counts.misses, counts.hits) == (len(set(pairs)), len(pairs) - len(set(pairs)))
    assert counts.held_bytes == counts.misses * 4 * 128 * 2  # pairs, tokens, width, bytes


@in_real_time
async def test_the_presence_penalty_is_taken_once_off_what_was_said(untrained: Path) -> None:
    """A random model repeats itself for ever; a great penalty lets no token come twice."""
    great = replace(GREEDY, presence_penalty=50.0)
    async with engine(untrained) as ours:
        plain = await ours.generate(CHATS[0], GREEDY, deadline_s=60)
        found = await ours.generate(CHATS[0], great, deadline_s=60)
    assert len({token.text for token in plain.tokens}) < len(plain.tokens)
    ids = [token.log_probability for token in found.tokens]
    assert len(set(ids)) == len(ids)
    assert found.tokens[0] == plain.tokens[0]


@pytest.mark.parametrize("describe", [False, True])
@in_real_time
async def test_random_weights_held_to_the_line_always_parse(
    untrained: Path, describe: bool
) -> None:
    """Drawn hot, not greedily, so that every answer is another."""
    regex = PROFILE.regex(describe=describe)
    async with engine(untrained) as ours:
        for seed, sample in enumerate(SAMPLES):
            hot = Sampling(160, temperature=1.5, seed=seed, regex=regex, alternatives=2)
            found = await ours.generate(PROFILE.render(sample.window), hot, deadline_s=120)
            if found.finish == "stop":
                assert re.fullmatch(regex, found.text), found.text
            first = found.tokens[0].text
            assert "AD".startswith(first) or (not describe and "WAIT".startswith(first))


@in_real_time
async def test_what_is_no_regular_expression_is_refused(untrained: Path) -> None:
    async with engine(untrained) as ours:
        with pytest.raises(EngineRefusedError, match="regular expression"):
            await ours.generate(CHATS[0], replace(GREEDY, regex="(open"), deadline_s=60)


@in_real_time
async def test_a_stop_string_ends_the_answer_and_is_not_in_it(untrained: Path) -> None:
    async with engine(untrained) as ours:
        whole = await ours.generate(CHATS[1], GREEDY, deadline_s=60)
        stop = whole.text[3:5]
        found = await ours.generate(CHATS[1], replace(GREEDY, stop=(stop,)), deadline_s=60)
    assert found.text == whole.text[: whole.text.index(stop)]
    assert found.finish == "stop"


@in_real_time
async def test_a_deadline_ends_the_answer_and_the_next_is_not_held_up(untrained: Path) -> None:
    long = Sampling(max_tokens=2_000)
    async with engine(untrained) as ours:
        with pytest.raises(EngineSlowError, match=r"no answer in 0\.5 s"):
            await ours.generate(CHATS[0], long, deadline_s=0.5)
        found = await ours.generate(CHATS[0], GREEDY, deadline_s=10)
    assert found.completion_tokens == 24
    assert dict(found.stages)["queue"] < 2.0


@in_real_time
async def test_whoever_is_gone_is_not_worked_for(untrained: Path) -> None:
    long = Sampling(max_tokens=4_000)
    async with engine(untrained) as ours:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await ours.generate(CHATS[0], long, deadline_s=100)
        found = await ours.generate(CHATS[0], GREEDY, deadline_s=10)
    assert dict(found.stages)["queue"] < 2.0


@in_real_time
async def test_images_and_text_alone_are_answered(untrained: Path) -> None:
    picture = Image(SAMPLES[0].window.frames[3].jpeg)
    chats = [
        (Message("user", (Text("<0.0 seconds>"), picture, Text("?"), picture)),),
        (Message.of("user", "Hello?"),),
    ]
    async with engine(untrained) as ours:
        for chat in chats:
            found = await ours.generate(chat, GREEDY, deadline_s=60)
            assert await ours.count(chat, deadline_s=10) == found.prompt_tokens
            assert all(-math.inf < token.log_probability <= 0 for token in found.tokens)


@in_real_time
async def test_what_the_model_can_not_be_shown_is_refused(untrained: Path) -> None:
    picture = SAMPLES[0].window.frames[0].jpeg
    odd = Image(shapes.jpeg(shapes.picture(None, 0.0, 128, side=96)))
    cases = [
        (Audio(b"RIFF"), "hears no sound"),
        (Image(b"no jpeg"), "can't be decoded"),
        (Video(()), "without a frame"),
        (Video((Image(picture), odd)), "of one size"),
    ]
    async with engine(untrained) as ours:
        for part, why in cases:
            with pytest.raises(EngineRefusedError, match=why):
                await ours.generate((Message("user", (part,)),), GREEDY, deadline_s=60)
        with pytest.raises(EngineRefusedError, match="takes 8192 tokens"):
            await ours.generate(CHATS[0], Sampling(8_190), deadline_s=60)


@in_real_time
async def test_it_opens_by_name_and_says_what_it_runs_on(untrained: Path) -> None:
    async with open_engine("transformers", str(untrained)) as opened:
        assert opened.abilities.video
        assert not opened.abilities.audio
        assert opened.abilities.context == 8192
        assert "bfloat16" in opened.said[0]
        assert "PyTorch's own" in opened.said[0]
        assert opened.said[1].startswith("slow: no GPU")


@in_real_time
async def test_a_model_that_can_not_be_had_is_one_clear_line(
    untrained: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    other = _changed(untrained, tmp_path / "llama", '"model_type": "qwen3_5"', '"model_type": "x"')
    torn = _changed(untrained, tmp_path / "torn", "", "")
    (torn / "model.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0nothing!")
    cases: list[tuple[str, type[Exception], str]] = [
        ("", InputError, "which model"),
        (str(tmp_path / "nowhere"), MissingModelError, "no such folder"),
        ("nobody/nothing", MissingModelError, "hub may not be asked"),
        (str(tmp_path / "empty"), InputError, "no config.json"),
        (str(other), InputError, "is a x; the engine transformers knows: qwen3_5"),
        (str(torn), WorkError, "can't be loaded"),
    ]
    for name, kind, why in cases:
        with pytest.raises(kind, match=why) as raised:
            async with open_engine("transformers", name):
                pass
        assert "\n" not in str(raised.value)


@in_real_time
async def test_too_little_memory_is_said_before_loading(
    untrained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strad_engines.transformers_engine.loading.free_memory", lambda: 1 << 20)
    with pytest.raises(WorkError, match=r"too little memory here .* 0\.0 GiB are free"):
        async with engine(untrained):
            pass


@in_real_time
async def test_an_adapter_of_another_model_is_refused(untrained: Path, tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text('{"base_model_name_or_path": "some/other"}')
    options = EngineOptions(settings={"adapter": tmp_path})
    with pytest.raises(InputError, match="was trained on some/other"):
        async with open_engine("transformers", str(untrained), options=options):
            pass


@in_real_time
async def test_a_setting_that_is_none_is_named(untrained: Path) -> None:
    with pytest.raises(InputError, match="colour"):
        async with open_engine(
            "transformers", str(untrained), options=EngineOptions(settings={"colour": 1})
        ):
            pass


def _plain(folder: Path) -> tuple[object, object]:
    """Transformers alone, as its own documentation has it."""
    from transformers import AutoProcessor, Qwen3_5ForConditionalGeneration

    model = Qwen3_5ForConditionalGeneration.from_pretrained(folder, dtype="auto").eval()
    return model, AutoProcessor.from_pretrained(folder)


def _sliding(count: int) -> list[Window]:
    """Windows a stride apart over one run of pictures."""
    rng = np.random.default_rng(4)
    shape = shapes.any_shape(rng)
    frames = [
        frame
        for at in range(0, shapes.STRIDE * (count + 3), shapes.WINDOW)
        for frame in shapes.frames_of(shape, at + 3_000, Interval(at, at + shapes.WINDOW), rng)
    ]
    return [
        shapes.window_of(tuple(frames[at // 1000 : at // 1000 + 8]), at)
        for at in range(0, shapes.STRIDE * count, shapes.STRIDE)
    ]


def _pairs(window: Window) -> list[tuple[bytes, ...]]:
    shown = [frame.jpeg for frame in PROFILE.shown(window).frames]
    return [tuple(shown[at : at + 2]) for at in range(0, len(shown), 2)]


def _changed(folder: Path, to: Path, old: str, new: str) -> Path:
    shutil.copytree(folder, to)
    config = to / "config.json"
    config.write_text(config.read_text().replace(old, new))
    return to

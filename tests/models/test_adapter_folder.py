"""A folder with an adapter in it is a model: its base, with the adapter on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from peft import LoraConfig, get_peft_model
from transformers import Qwen3_5ForConditionalGeneration

from service.model_choice import ModelChoice
from service.model_describer import open_model
from strad.errors import StradError
from strad_engines.messages import Message, Sampling
from strad_engines.transformers_engine.dummy import write_dummy
from strad_engines.weights import Weights
from tests.models.real_time import in_real_time

pytestmark = [pytest.mark.models, pytest.mark.slow]

HERE = Weights(hub=False)


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A LoRA adapter of random weights on a tiny base."""
    base = tmp_path_factory.mktemp("base")
    folder = tmp_path_factory.mktemp("adapter")
    write_dummy("tiny", base, ["AD WAIT a door opens"] * 4)
    model = Qwen3_5ForConditionalGeneration.from_pretrained(base)
    lora = LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    made = get_peft_model(model, lora)
    made.peft_config["default"].base_model_name_or_path = str(base)
    made.save_pretrained(folder)
    return folder


@in_real_time
async def test_an_adapters_folder_is_served_on_its_base(adapter: Path) -> None:
    choice = ModelChoice(engine="transformers", model=str(adapter), profile="qwen35-video")
    async with open_model(choice, HERE) as model:
        assert f"+ {adapter.name}" in model.opened.engine.name
        asked = [Message.of("user", "a door opens")]
        found = await model.opened.engine.generate(asked, Sampling(4), deadline_s=60)
    assert found.completion_tokens == 4


@in_real_time
async def test_one_whose_base_is_nowhere_is_refused_in_one_line(
    adapter: Path, tmp_path: Path
) -> None:
    config = json.loads((adapter / "adapter_config.json").read_text())
    for base, told in (("/no/such", "no such folder"), ("", "does not say of which model")):
        lost = tmp_path / f"lost{len(base)}"
        lost.mkdir()
        changed = {**config, "base_model_name_or_path": base}
        (lost / "adapter_config.json").write_text(json.dumps(changed))
        choice = ModelChoice(engine="transformers", model=str(lost), profile="qwen35-video")
        with pytest.raises(StradError, match=told):
            async with open_model(choice, HERE):
                pass

"""What is recommended for a machine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.machine import Machine

pytestmark = pytest.mark.unit

GIB = 1 << 30
LAPTOP = Machine(
    cores=8, memory=12 * GIB, gpu="", gpu_memory=0, driver=False, local=True, vllm=False
)
BOX = replace(LAPTOP, gpu="A100", gpu_memory=80 * GIB, driver=True, vllm=True)


def test_a_gpu_box_runs_vllm() -> None:
    assert BOX.advice() == "--engine vllm with a 4B model on the A100"
    without = replace(BOX, vllm=False).advice()
    assert without.startswith("--engine transformers with a 4B model")
    assert "strad[gpu]" in without


def test_a_small_gpu_takes_a_small_model() -> None:
    assert "0.8B or 2B" in replace(BOX, gpu_memory=8 * GIB).advice()


def test_a_gpu_that_pytorch_does_not_see_wants_the_extra() -> None:
    assert "strad[gpu]" in replace(LAPTOP, driver=True).advice()


def test_a_laptop_runs_the_cpu_preset_and_is_told_what_to_expect() -> None:
    assert LAPTOP.advice().startswith("--preset cpu; draft quality")
    assert "strad measure" in LAPTOP.advice()
    assert "--engine openai:URL" in LAPTOP.advice()
    install = replace(LAPTOP, local=False)
    assert install.advice().startswith("pip install 'strad[local]', then --preset cpu")
    assert not install.ready


def test_two_cores_are_for_files() -> None:
    assert "on 2 cores for files, not for what plays live" in replace(LAPTOP, cores=2).advice()


def test_little_memory_is_for_llama_server_and_less_for_facts() -> None:
    assert replace(LAPTOP, memory=4 * GIB).advice().startswith("--preset llama")
    assert "facts" in replace(LAPTOP, memory=GIB).advice()


def test_this_machine_has_an_advice() -> None:
    assert Machine.here().advice()

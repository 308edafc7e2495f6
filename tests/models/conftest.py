"""What the suites over real models share: tiny checkpoints, each made once, and one vLLM server.

Where torch or vLLM is missing nothing here is collected: ``make test-models`` has them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.models.vllm_server import VllmServer, serving

PRESENT = all(find_spec(module) for module in ("torch", "transformers", "vllm", "peft"))
collect_ignore_glob = [] if PRESENT else ["test_*.py"]

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["VLLM_NO_USAGE_STATS"] = "1"
os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
os.environ.setdefault("VLLM_LOGGING_LEVEL", "WARNING")


@pytest.fixture(scope="session")
def untrained() -> Path:
    """A tiny Qwen3.5 of random weights: says anything."""
    from tests.models.recipes import untrained_checkpoint

    return untrained_checkpoint()


@pytest.fixture(scope="session")
def trained() -> Path:
    """A tiny Qwen3.5 that describes what it sees of ``shapes``; 2 to 4 minutes the first time."""
    from tests.models.recipes import trained_checkpoint

    return trained_checkpoint()


@pytest.fixture(scope="session")
def adapted() -> Path:
    """``adapter`` and ``merged``: the trained one with other words for what it sees."""
    from tests.models.recipes import adapted_checkpoint

    return adapted_checkpoint()


@pytest.fixture(scope="session")
def merged(adapted: Path) -> Path:
    """A whole checkpoint that LoRA has changed."""
    return adapted / "merged"


@pytest.fixture(scope="session")
def vllm_server(
    trained: Path, adapted: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[VllmServer]:
    """The one server of a run: the trained checkpoint as ``base``, the adapter as ``ad``."""
    log = tmp_path_factory.mktemp("vllm") / "server.log"
    server = VllmServer(trained, log, [("ad", adapted / "adapter")])
    with serving(server):
        yield server


@pytest.fixture(scope="session", autouse=True)
def two_threads() -> Iterator[None]:
    """As many as the smallest machine has cores."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """For training: another process then computes the same, and a busy neighbour costs little.

    Two threads that wait for each other would cost ten times as much beside one.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)

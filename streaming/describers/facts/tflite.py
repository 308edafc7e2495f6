"""A TFLite network: one picture in, its output arrays out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter
from numpy.typing import NDArray

STDERR = 2


class TfliteNet:
    """The outputs of a call are told apart by the size of their last axis, or by their order."""

    def __init__(self, model: Path | bytes) -> None:
        content = model if isinstance(model, bytes) else model.read_bytes()
        with _without_remarks():
            self._net = Interpreter(model_content=content, num_threads=1)
            self._net.allocate_tensors()
        self._input: int = self._net.get_input_details()[0]["index"]
        self._outputs: list[int] = [one["index"] for one in self._net.get_output_details()]

    def __call__(self, picture: NDArray[Any]) -> dict[int, NDArray[np.float32]]:
        """Run on one picture (height, width, 3) of the size and type the net was made for."""
        return {array.shape[-1]: array for array in self.ordered(picture)}

    def ordered(self, picture: NDArray[Any]) -> list[NDArray[np.float32]]:
        """The same, in the net's own order."""
        self._net.set_tensor(self._input, picture[None])
        self._net.invoke()
        return [np.asarray(self._net.get_tensor(index)[0], np.float32) for index in self._outputs]


@contextmanager
def _without_remarks() -> Iterator[None]:
    """Stderr goes nowhere: LiteRT says there which delegate it made, and can't be told not to."""
    kept, nowhere = os.dup(STDERR), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, STDERR)
        yield
    finally:
        os.dup2(kept, STDERR)
        os.close(kept)
        os.close(nowhere)

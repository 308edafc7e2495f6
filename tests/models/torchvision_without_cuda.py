"""Lets torchvision's wheel, which is built for CUDA, be imported beside a torch built for CPUs.

Its native operators then don't load, and ``import torchvision`` dies while it registers fake
kernels for two of them. Their schemas are enough for it: the transforms that image and video
processors use are pure torch. As a program it installs itself into its own environment, for every
process there; until torchvision is imported it costs one entry on the import path.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from types import ModuleType

_KEPT: list[object] = []
"""What must live as long as the process: a library that goes takes its schemas along."""


class _Schemas(importlib.abc.MetaPathFinder):
    """Finds nothing; declares the operators just before torchvision is looked for."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name == "torchvision":
            sys.meta_path.remove(self)
            _declare()
        return None


def _declare() -> None:
    from torch.library import Library

    library = Library("torchvision", "FRAGMENT")
    for operator in ("nms", "qnms"):
        library.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _KEPT.append(library)


def _watch() -> None:
    try:
        without_cuda = metadata.version("torch").endswith("+cpu")
    except metadata.PackageNotFoundError:
        return
    if without_cuda and "torchvision" not in sys.modules:
        sys.meta_path.insert(0, _Schemas())


def _install() -> None:
    packages = Path(sysconfig.get_paths()["purelib"])
    shutil.copy(__file__, packages / "torchvision_without_cuda.py")
    (packages / "torchvision_without_cuda.pth").write_text("import torchvision_without_cuda\n")


if __name__ == "__main__":
    _install()
else:
    _watch()

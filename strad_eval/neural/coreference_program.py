"""Resolves coreference with ``fastcoref``: a program of its own, for it wants older libraries.

It is run by the path of this file, in any environment that has fastcoref, so it imports nothing of
ours. In: ``{"model": ..., "texts": [...]}``. Out: ``{"weights": ..., "clusters": [...]}``, for each
text its clusters of [first, last] characters; or ``{"error": ...}``.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from typing import Any


def main() -> None:
    """Read, resolve, write."""
    asked = json.loads(sys.stdin.buffer.read())
    with contextlib.redirect_stdout(sys.stderr):
        answer = _answer(asked["model"], asked["texts"])
    sys.stdout.write(json.dumps(answer))


def _answer(name: str, texts: list[str]) -> dict[str, Any]:
    try:
        import spacy
        import torch
        from fastcoref import FCoref

        device = "cuda:0" if torch.cuda.is_available() else "cpu"
        words = spacy.blank("en")  # only its tokenizer is used; the default would be downloaded
        model = FCoref(name, device=device, nlp=words, enable_progress_bar=False)
        clusters = [_clusters(model, text) for text in texts]
    except (ImportError, OSError, ValueError, RuntimeError, AttributeError, TypeError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"weights": _hash(model.model), "clusters": clusters}


def _clusters(model: Any, text: str) -> list[list[tuple[int, int]]]:  # noqa: ANN401 untyped
    (result,) = model.predict(texts=[text])
    # A mention that the tokenizer lost has no place.
    found = result.get_clusters(as_strings=False)
    return [[(int(m[0]), int(m[1])) for m in cluster if m] for cluster in found]


def _hash(model: Any) -> str:  # noqa: ANN401 untyped
    import torch

    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        flat = tensor.detach().cpu().contiguous()
        digest.update(f"{name}|{flat.dtype}|{tuple(flat.shape)}|".encode())
        digest.update(flat.reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    main()

"""A model and its tokenizer, from a folder or the hub, with a hash of the weights it really has."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec

from strad.errors import MissingModelError
from strad_eval.neural.foreign import Foreign

INSTALL = "pip install 'strad[neural]'"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A transformers encoder, ready to run on the CPU or the GPU there is."""

    name: str
    model: Foreign
    tokenizer: Foreign
    weights: str
    """SHA-256 of the names and values of all its weights, whatever file they came from."""

    @property
    def said(self) -> str:
        """Name and hash, as reports print them."""
        return f"{self.name} (weights {self.weights[:16]})"


def load_checkpoint(name: str) -> Checkpoint:
    """The model called ``name``: a folder, or a hub repository that is here or can be fetched.

    Raises MissingModelError, saying what to install or fetch. Runs no code from the repository.
    """
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingModelError(f"{package} is not here: {INSTALL}")
    from transformers import AutoConfig, AutoModel, AutoTokenizer

    try:
        config = AutoConfig.from_pretrained(name)
        # RoBERTa's and GPT-2's tokenizers tell a word at the start from one after a space.
        spaced = config.model_type in ("roberta", "gpt2", "longformer", "bart")
        options = {"add_prefix_space": True} if spaced else {}
        tokenizer = AutoTokenizer.from_pretrained(name, **options)
        model = AutoModel.from_pretrained(name)
    except (OSError, ValueError) as error:
        why = str(error).strip().splitlines()[0]
        raise MissingModelError(f"the model {name} can't be had: {why}") from None
    model.eval()
    return Checkpoint(name, _placed(model), tokenizer, weights_hash(model))


def weights_hash(model: Foreign) -> str:
    """SHA-256 over every weight: its name, type, shape and bytes, in order of the names."""
    import torch

    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        flat = tensor.detach().cpu().contiguous()
        digest.update(f"{name}|{flat.dtype}|{tuple(flat.shape)}|".encode())
        digest.update(flat.reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _placed(model: Foreign) -> Foreign:
    import torch

    return model.to("cuda") if torch.cuda.is_available() else model

"""The model hub, asked politely: its local cache first, then one bounded question, then a fetch."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def from_hub(name: str, patience: float) -> Path | None:
    """A folder with the files of the faster-whisper model ``name``; None where it can't be had.

    ``name`` is a size faster-whisper knows (``small``) or ``owner/repository``. HF_HUB_OFFLINE,
    HF_ENDPOINT and HF_HOME are honoured by huggingface_hub itself. ``patience`` (s) bounds the
    wait for the hub's first answer; a transfer that stalls ends by huggingface_hub's own time-out.
    """
    if find_spec("faster_whisper") is None or find_spec("huggingface_hub") is None:
        return None
    cached = _snapshot(name, local=True)
    if cached is not None:
        return cached
    return _snapshot(name, local=False) if _answers(name, patience) else None


def _answers(name: str, patience: float) -> bool:
    from huggingface_hub import HfApi

    try:
        HfApi().model_info(_repository(name), timeout=patience)
    except refusals():
        return False
    return True


def _repository(name: str) -> str:
    from faster_whisper.utils import _MODELS

    return str(_MODELS.get(name, name))


def _snapshot(name: str, *, local: bool) -> Path | None:
    from faster_whisper.utils import download_model

    try:
        return Path(download_model(name, local_files_only=local))
    except refusals():
        return None


def refusals() -> tuple[type[BaseException], ...]:
    """What a hub that can't be reached, or won't, raises."""
    # The HTTP library under huggingface_hub differs between its versions (requests, httpx,
    # httpx2); the bases of its own error are that library's HTTPError and OSError.
    from huggingface_hub.errors import HfHubHTTPError

    return (OSError, ValueError, *HfHubHTTPError.__bases__)


def hub_answers(patience: float) -> bool:
    """Whether the hub can be reached at all, within about ``patience`` seconds."""
    if find_spec("huggingface_hub") is None:
        return False
    return _answers("base", patience)

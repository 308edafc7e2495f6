"""A server's words for a prompt that is longer than its model reads.

vLLM: "This model's maximum context length is 2048 tokens. However, ..."; llama-server: type
``exceed_context_size_error`` with ``n_ctx``; OpenAI and those like it: code
``context_length_exceeded``. Status 413 means the same of bytes.
"""

from __future__ import annotations

import json
import re

_SAID = re.compile(
    r"context[ _-]?(length|size|window)|maximum (model|prompt|input|sequence) length"
    r"|(prompt|input) (is )?too (long|large)|too many (input |prompt )?tokens|exceed_context",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:maximum (?:context|model) length|context (?:length|size|window))"
    r"(?: of the model)?(?: is| of|:)? ?\(?(?:only )?(\d+)",
    re.IGNORECASE,
)
_STATUSES = (400, 413, 422, 500)
"""llama-server of old said 500."""


def is_too_long(status: int, data: bytes) -> bool:
    """Whether an error response says that the prompt is too long."""
    if status == 413:
        return True
    return status in _STATUSES and _SAID.search(_text(data)) is not None


def limit_said(data: bytes) -> int | None:
    """Tokens that prompt and answer may be together, where the error says so."""
    try:
        error = json.loads(data)["error"]
        told = error.get("n_ctx")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        told = None
    if isinstance(told, int) and told > 0:
        return told
    found = _LIMIT.search(_text(data))
    return int(found[1][:9]) or None if found else None


def _text(data: bytes) -> str:
    return data[:4096].decode("utf-8", errors="replace")

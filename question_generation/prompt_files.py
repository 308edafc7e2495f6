"""All prompts of one way together: what a step hangs on beside its version."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources


@cache
def prompts_sha256(beginnings: tuple[str, ...]) -> str:
    """Of names and bytes of the files whose names begin so. Raises LookupError where none does.

    Coarse on purpose: a stage need not say which prompts it uses, so none can be forgotten. What a
    changed file makes anew in vain costs nothing, for the same questions have their answers kept.
    """
    told = hashlib.sha256()
    folder = resources.files("question_generation.prompts")
    files = [one for one in folder.iterdir() if one.name.endswith(".txt")]
    lacking = [one for one in beginnings if not any(file.name.startswith(one) for file in files)]
    if lacking:
        raise LookupError(f"no prompts begin with {lacking[0]}")
    for file in sorted(files, key=lambda one: one.name):
        if file.name.startswith(beginnings):
            told.update(f"{file.name}\n".encode() + hashlib.sha256(file.read_bytes()).digest())
    return told.hexdigest()

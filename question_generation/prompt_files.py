"""All prompts of one way together: what a step hangs on beside its version."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources


@cache
def prompts_sha256(way: str) -> str:
    """Of names and bytes of the files ``way-*``; of none, for a way that has no prompts.

    Coarse on purpose: a stage need not say which prompts it uses, so none can be forgotten. What a
    changed file makes anew in vain costs nothing, for the same questions have their answers kept.
    """
    told = hashlib.sha256()
    folder = resources.files("question_generation.prompts")
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.startswith(f"{way}-") and file.name.endswith(".txt"):
            told.update(f"{file.name}\n".encode() + hashlib.sha256(file.read_bytes()).digest())
    return told.hexdigest()

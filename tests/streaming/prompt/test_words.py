"""The two words that an answer begins with are nowhere but in ``streaming/prompt``."""

from __future__ import annotations

import ast

import pytest

from streaming.prompt.profiles import PROFILES
from tests import tree

pytestmark = pytest.mark.arch


def test_only_the_prompt_knows_the_words() -> None:
    words = {word for profile in PROFILES.values() for word in profile.first_words}
    assert words == {"AD", "WAIT"}
    known = {
        tree.name(path)
        for path in tree.shipped()
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.Constant) and node.value in words
    }
    assert known == {"streaming/prompt/line.py"}

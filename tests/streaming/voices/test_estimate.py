"""The estimating voice speaks 150 words a minute."""

from __future__ import annotations

import asyncio

import pytest

from streaming.voices.estimate import EstimateVoice

pytestmark = pytest.mark.unit


def test_five_words_take_two_seconds() -> None:
    assert asyncio.run(EstimateVoice().duration("A man's dog runs away.", "en")) == 2_000
    assert asyncio.run(EstimateVoice().duration("", "en")) == 0

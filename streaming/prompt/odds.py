"""How sure the model was of its first word: log-odds of describing against waiting. Pure."""

from __future__ import annotations

import math

from strad_engines.messages import Token
from streaming.prompt.line import AD, WAIT

SUREST = 30.0
"""Odds beyond are cut off: the other word was not even among the alternatives."""


def log_odds(tokens: tuple[Token, ...]) -> float | None:
    """Of describing against waiting, natural, at the first place; None where nothing tells.

    A tokenizer may cut the words: any beginning of one counts for it. A word that is not among the
    alternatives is at most as likely as the least likely of them, and counts as just that.
    """
    if not tokens:
        return None
    first = tokens[0]
    chances = {**dict(first.alternatives), first.text: first.log_probability}
    ad, wait = (
        _log_sum([c for t, c in chances.items() if _begins(t, word)]) for word in (AD, WAIT)
    )
    if ad == wait == -math.inf:
        return None
    least = min((c for c in chances.values() if c > -math.inf), default=-math.inf)
    odds = max(ad, least) - max(wait, least)
    return max(-SUREST, min(SUREST, odds))


def _begins(token: str, word: str) -> bool:
    token = token.strip("\u0120\u2581 \n\t")  # byte-level and SentencePiece marks for a space
    return bool(token) and (word.startswith(token) or token.startswith(word))


def _log_sum(logs: list[float]) -> float:
    most = max(logs, default=-math.inf)
    if most == -math.inf:
        return most
    return most + math.log(sum(math.exp(log - most) for log in logs))

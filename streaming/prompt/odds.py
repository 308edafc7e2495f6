"""How sure the model was of its first word: log-odds of describing against waiting. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable

from strad_engines.messages import Token
from streaming.prompt.line import AD, WAIT

SUREST = 30.0
"""Odds beyond are cut off: the other word was next to impossible."""


def log_odds(tokens: tuple[Token, ...]) -> float | None:
    """Of describing against waiting, natural, at the first place; None where nothing tells.

    A tokenizer may cut the words: any beginning of one counts for it. A word that is not listed is
    at most as likely as the least likely that is, and as what all of them leave; it counts as that.
    """
    if not tokens:
        return None
    first = tokens[0]
    chances = {**dict(first.alternatives), first.text: first.log_probability}
    ad, wait = (_of_word(word, chances) for word in (AD, WAIT))
    if ad is None and wait is None:
        return None
    unlisted = _unlisted(chances.values())
    odds = (unlisted if ad is None else ad) - (unlisted if wait is None else wait)
    return None if math.isnan(odds) else max(-SUREST, min(SUREST, odds))


def _of_word(word: str, chances: dict[str, float]) -> float | None:
    """The word's log-probability; None where no token listed could begin it."""
    found = [chance for token, chance in chances.items() if _begins(token, word)]
    return _log_sum(found) if found else None


def _begins(token: str, word: str) -> bool:
    token = token.strip("\u0120\u2581 \n\t")  # byte-level and SentencePiece marks for a space
    return bool(token) and (word.startswith(token) or token.startswith(word))


def _unlisted(listed: Iterable[float]) -> float:
    """The most that a token can be that is not listed."""
    possible = [chance for chance in listed if chance > -math.inf]
    if not possible:
        return -math.inf
    rest = max(1 - math.exp(min(0.0, _log_sum(possible))), math.exp(-2 * SUREST))
    return min(min(possible), math.log(rest))


def _log_sum(logs: list[float]) -> float:
    most = max(logs)
    if most == -math.inf:
        return most
    return most + math.log(sum(math.exp(log - most) for log in logs))

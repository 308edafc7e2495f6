"""Parity: a served model answers known windows as it did where it was trained.

Adapters that a server takes in and does not use, or uses wrongly, answer fluently. Only a known
window with its known answer shows it.
"""

from __future__ import annotations

from collections.abc import Iterable

from strad.errors import DescriberError
from strad_engines.engine import ChatEngine
from strad_engines.engine_errors import EngineError
from strad_engines.messages import Sampling
from streaming.describers.strad_ft.model_card import ModelCard, Parity
from streaming.describers.strad_ft.parity_window import parity_window
from streaming.prompt.line import first_line
from streaming.prompt.profile import Profile

SEEDS = (11, 12, 13)
MOST_TOKENS = 48
_SAMPLING = Sampling(max_tokens=MOST_TOKENS, stop=("\n",))


async def record_parity(
    engine: ChatEngine, profile: Profile, *, seeds: Iterable[int] = SEEDS, deadline_s: float = 60.0
) -> tuple[Parity, ...]:
    """What the model answers, to be put on its card. Raises EngineError."""
    known: list[Parity] = []
    for seed in seeds:
        answer = await _answer(engine, profile, seed, deadline_s)
        known.append(Parity(seed=seed, answer=answer))
    return tuple(known)


async def check_parity(
    engine: ChatEngine, profile: Profile, card: ModelCard, *, deadline_s: float = 60.0
) -> None:
    """Raise DescriberError unless most answers are those on the card.

    Not all: another GPU or number format may tip a close choice between two words. A model that is
    not the one trained gets none right.
    """
    right = 0
    for known in card.parity:
        try:
            answer = await _answer(engine, profile, known.seed, deadline_s)
        except EngineError as error:
            raise DescriberError(f"{engine.name} can't be checked: {error}") from error
        right += answer == known.answer
    if 2 * right < len(card.parity) or not card.parity:
        raise DescriberError(_why(engine.name, right, len(card.parity)))


def _why(model: str, right: int, of: int) -> str:
    if not of:
        return f"{model} can't be checked: its card records no answers; serve it merged"
    return (
        f"{model} answers {right} of {of} known windows as it did in training: the adapter is not "
        "in use or not used rightly; serve it merged"
    )


async def _answer(engine: ChatEngine, profile: Profile, seed: int, deadline_s: float) -> str:
    messages = profile.render(parity_window(seed))
    generated = await engine.generate(messages, _SAMPLING, deadline_s=deadline_s)
    return first_line(generated.text)

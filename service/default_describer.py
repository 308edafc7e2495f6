"""Which describer is used where nobody names one: the best that what is configured allows."""

from __future__ import annotations

from service.loading import weights_for
from service.model_choice import ModelChoice
from service.settings import Settings


def default_describer(settings: Settings) -> str:
    """The one set; else by the engine and the model's own file. Raises InputError, FormatError.

    A model that was trained for it says so in its ``strad-model.json``, or is asked with a
    ``profile``; any other is ``strad-zero``'s. Without an engine there is only ``facts``.
    """
    if settings.describer:
        return settings.describer
    choice = ModelChoice.of(settings)
    if not choice.engine:
        return "facts"
    _, trained = choice.own_file(weights_for(settings).models)
    return "strad-ft" if trained or choice.profile else "strad-zero"

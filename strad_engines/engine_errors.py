"""What can go wrong with an engine.

EngineError            the engine gave no usable answer
├── EngineRefusedError     it will not answer this: wrong key, model, or request (not retryable)
│   └── EngineTooLongError     the prompt is longer than the model reads
├── EngineAnswerError      it answered what is no answer (not retryable: it would again)
├── EngineBusyError        overloaded, failing or out of reach for the whole deadline
├── EngineSlowError        no answer before the deadline
└── EngineDownError        it failed so often that it is not asked for now: see ``Breaker``
"""

from __future__ import annotations

from strad.errors import WorkError


class EngineError(WorkError):
    """The engine gave no usable answer."""

    code = "engine"


class EngineRefusedError(EngineError):
    """It will not answer this request, however often it is asked."""

    code = "engine-refused"


class EngineTooLongError(EngineRefusedError):
    """The prompt is longer than the model reads; a shorter one may be answered."""

    code = "engine-too-long"

    def __init__(self, message: str, limit: int | None = None) -> None:
        """``limit``: tokens of prompt and answer together, where the engine said so."""
        super().__init__(message)
        self.limit = limit


class EngineAnswerError(EngineError):
    """What came back is not an answer."""

    code = "engine-answer"


class EngineBusyError(EngineError):
    """It was overloaded, failing or out of reach until the deadline."""

    code = "engine-busy"
    retryable = True


class EngineSlowError(EngineError):
    """It had not answered at the deadline."""

    code = "engine-slow"
    retryable = True


class EngineDownError(EngineError):
    """It failed several times in a row and is left alone for a while: this was not sent."""

    code = "engine-down"
    retryable = True

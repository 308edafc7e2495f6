"""A stream: one programme under one name, as this process knows it from its log."""

from __future__ import annotations

from service.asides import Asides
from service.eventlog.log import StreamLog
from service.eventlog.standing import Listed, Standing
from strad.errors import StradError
from strad.wire.answering import Error, Summary
from strad.wire.viewing import About, End, Logged, State, StreamState


class Stream:
    """Where it stands follows from its log, so any process that reads the log can say so."""

    def __init__(self, name: str, log: StreamLog, *, owned: bool = False) -> None:
        self.name = name
        self.log = log
        self.owned = owned
        """Whether somebody publishes it now, here or elsewhere, as far as is known."""
        self.viewers = 0
        """How many watch it in this process."""
        self.asides = Asides()
        """What this process knows of it beside its log, where it is the one that describes it."""
        self._about: About | None = None
        self._state: StreamState | None = None
        self._failure: StradError | None = None

    @property
    def state(self) -> StreamState:
        """As its publisher last said; waiting while it has none."""
        said = self._state if self.owned else None
        return said or _state(self.log.standing, owned=self.owned)

    @property
    def about(self) -> About | None:
        """How it is described; None while nobody has published it."""
        told = self.log.standing.state
        return self._about or (told.about if told is not None else None)

    @property
    def over(self) -> bool:
        """Whether the log holds all it ever will, as far as this process will know."""
        return self.log.standing.ended or self._failure is not None

    @property
    def failure(self) -> StradError | None:
        """Why it ended, where it failed."""
        error = self.log.standing.error if self.log.standing.ended else None
        return self._failure or (error.as_exception() if error is not None else None)

    def taken(self, log: StreamLog, about: About) -> None:
        """From now on this process publishes it."""
        self.log, self.owned = log, True
        self._about, self._state = about, None

    def given_back(self, log: StreamLog) -> None:
        """From now on what ``log`` says holds again: this process publishes it no more."""
        if self.log is log:
            self.owned = False
            self._about, self._state = None, None

    async def move(self, state: StreamState) -> None:
        """Enter ``state`` and tell the viewers."""
        self._state = state
        about = self.about

        def message(seq: int) -> Logged:
            return State(seq=seq, state=state, about=about)

        await self.log.append(message)

    async def end(self, summary: Summary | None, error: StradError | None) -> None:
        """Tell the viewers that nothing more will be said, and why."""
        if error is not None:
            refusal = Error.of(error)
            await self.log.append(lambda seq: refusal.model_copy(update={"seq": seq}))
        await self.move(StreamState.ENDED)
        await self.log.append(lambda seq: End(seq=seq, summary=summary))

    def leave(self, error: StradError) -> None:
        """Tell viewers here no more, though other processes may go on; ``error`` says why."""
        self._failure = error
        self.log.shut()


def standing_state(listed: Listed) -> StreamState:
    """The state of a stream of which only the listing is known."""
    return _state(listed.standing, owned=listed.owned)


def _state(standing: Standing, *, owned: bool) -> StreamState:
    if standing.ended:
        return StreamState.ENDED
    if not owned:
        return StreamState.WAITING
    return standing.state.state if standing.state is not None else StreamState.LIVE

"""The async Python client: ``describe`` media, ``listen`` to a stream.

    from clients.python import Ad, describe

    async for event in describe("film.mp4"):
        if isinstance(event, Ad):
            print(event.start, event.text)

docs/python-client.md says what holds.
"""

from clients.python.address import StreamAddress
from clients.python.describing import describe
from clients.python.listening import Event, listen
from clients.python.pace import Pace
from clients.python.viewer import Viewer
from strad.flag import FlagKind
from strad.wire.asking import Extra, Finding, FormChoice, Wishes
from strad.wire.publishing import Container
from strad.wire.viewing import Ad, End, Gap, State, Withdraw, Words

__all__ = [
    "Ad",
    "Container",
    "End",
    "Event",
    "Extra",
    "Finding",
    "FlagKind",
    "FormChoice",
    "Gap",
    "Pace",
    "State",
    "StreamAddress",
    "Viewer",
    "Wishes",
    "Withdraw",
    "Words",
    "describe",
    "listen",
]

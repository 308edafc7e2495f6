"""AD as a log holds it, written down in a test in a line."""

from __future__ import annotations

from strad.decision import Kind
from strad.wire.viewing import Ad, PlayerClock


def ad(
    seq: int,
    start: float,
    end: float,
    text: str = "A door opens.",
    *shorter: str,
    edge: float | None = None,
    kind: Kind = Kind.ACTION,
    provisional: bool = False,
    rate: float = 1.0,
    since: float = 0.0,
    longer: tuple[str, ...] = (),
) -> Ad:
    """An AD announced when the live edge was at ``edge``, in the epoch that began at ``since``."""
    edge = end + 8 if edge is None else edge
    return Ad(
        seq=seq,
        id=f"ad-{seq}",
        number=seq,
        start=start,
        end=end,
        text=text,
        language="en",
        kind=kind,
        forms=(*shorter, text, *longer),
        rate=rate,
        provisional=provisional,
        window_end=min(edge, end),
        lag_cursor=0.0,
        lag_emit=edge - start,
        late=False,
        draft=True,
        describer="facts",
        epoch=PlayerClock(stream=since),
    )

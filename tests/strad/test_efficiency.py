"""The efficiency log: written, read back the same, refused by line when broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.efficiency import EFFICIENCY, EfficiencyHeader, Outcome, WindowLog
from strad.errors import FormatError

pytestmark = pytest.mark.unit

HEADER = EfficiencyHeader(strad="efficiency", version=1)

seconds = st.floats(0, 1e6)
windows = st.builds(
    lambda cursor, advance, wall, decision, start, reason, stages: WindowLog(
        video_id="v",
        cursor=cursor,
        advance=advance,
        wall=wall,
        decision=decision,
        ad_start=start if decision is Outcome.AD else None,
        reason=reason,
        stages=stages,
    ),
    *(seconds, seconds, seconds, st.sampled_from(Outcome), seconds),
    st.none() | st.just("nothing-new"),
    st.dictionaries(st.sampled_from(["prompt", "generate"]), seconds),
)


@given(st.lists(windows, max_size=5), st.sampled_from([None, HEADER]))
def test_logs_round_trip(written: list[WindowLog], header: EfficiencyHeader | None) -> None:
    text = EFFICIENCY.write(written, header)
    assert EFFICIENCY.read(text.split("\n")) == (header, written)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"decision": '"maybe"'}, "decision: Input should be 'ad', 'wait' or 'failed'"),
        ({"decision": '"ad"'}, "ad_start is given exactly when"),
        ({"ad_start": "1"}, "ad_start is given exactly when"),
        ({"wall": "-1"}, "wall: .* greater than or equal to 0"),
        ({"cursor": "Infinity"}, "not a finite number"),
        ({"stages": '{"a": "b"}'}, "stages.a: .* valid number"),
    ],
)
def test_a_bad_line_is_refused_by_its_number(change: dict[str, str], what: str) -> None:
    good = {"video_id": '"v"', "cursor": "8", "advance": "2", "wall": "0.5", "decision": '"wait"'}
    lines = [
        "{" + ", ".join(f'"{k}": {v}' for k, v in d.items()) + "}" for d in (good, good | change)
    ]
    assert len(EFFICIENCY.read(lines[:1])[1]) == 1
    with pytest.raises(FormatError, match=what) as refusal:
        EFFICIENCY.read(lines, file="e.jsonl")
    assert refusal.value.line == 2

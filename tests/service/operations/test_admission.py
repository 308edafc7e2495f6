"""Whether one more stream fits: what adds up is projected, and the answer doesn't flap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.operations.admission import (
    ADDS_UP,
    RELEASE,
    Burden,
    Doorkeeper,
    Resource,
    Shortage,
    with_one_more,
)

pytestmark = pytest.mark.unit

LIMITS = {resource: 0.9 for resource in Resource} | {Resource.SETTLING: 4.0}

MEASURED = [resource for resource in Resource if resource is not Resource.SETTLING]

burdens = st.builds(
    lambda streams, settling, used: Burden(streams, min(streams, settling), used),
    st.integers(0, 20),
    st.integers(0, 20),
    st.dictionaries(st.sampled_from(MEASURED), st.floats(0, 4)),
)


def look(burden: Burden) -> tuple[Shortage, ...]:
    return Doorkeeper(LIMITS).look(burden)


def test_a_stream_more_costs_what_one_costs_now() -> None:
    used = {Resource.CPU: 0.6, Resource.MEMORY: 0.6}
    expected = with_one_more(Burden(streams=3, settling=0, used=used))
    assert expected[Resource.CPU] == pytest.approx(0.8)
    assert expected[Resource.MEMORY] == 0.6
    assert look(Burden(3, 0, used)) == ()
    assert [s.resource for s in look(Burden(1, 0, used))] == [Resource.CPU]


def test_streams_that_only_just_began_are_not_in_the_measurement_yet() -> None:
    used = {Resource.CPU: 0.3}
    assert with_one_more(Burden(4, 1, used))[Resource.CPU] == pytest.approx(0.5)
    assert with_one_more(Burden(2, 2, used))[Resource.CPU] == pytest.approx(0.45)


def test_what_streams_cost_that_wait_for_their_publisher_is_kept_for_them() -> None:
    used = {Resource.CPU: 0.4}
    assert with_one_more(Burden(8, 0, used, away=4))[Resource.CPU] == pytest.approx(0.9)
    assert with_one_more(Burden(8, 4, used, away=3))[Resource.CPU] == pytest.approx(3.6)
    assert with_one_more(Burden(4, 0, used, away=4))[Resource.CPU] == pytest.approx(0.5)


@given(burdens, st.integers(0, 20))
def test_who_is_away_leaves_no_room_to_others(burden: Burden, away: int) -> None:
    absent = Burden(burden.streams, 0, burden.used, min(away, max(0, burden.streams - 1)))
    present = Burden(burden.streams, 0, burden.used)
    assert {s.resource for s in look(present)} <= {s.resource for s in look(absent)}


def test_too_many_may_not_begin_before_any_is_measured() -> None:
    assert look(Burden(3, 3, {})) == ()
    (short,) = look(Burden(4, 4, {}))
    assert str(short) == "settling at 5.00 of 4.00"


def test_what_is_not_known_decides_nothing() -> None:
    assert look(Burden(5, 0, {})) == ()


@given(burdens)
def test_an_idle_service_always_takes_one(burden: Burden) -> None:
    assert look(Burden(0, 0, burden.used)) == ()


@given(burdens, st.sampled_from(MEASURED), st.floats(0, 2))
def test_more_load_never_lets_one_in_that_less_kept_out(
    burden: Burden, resource: Resource, more: float
) -> None:
    heavier = dict(burden.used)
    heavier[resource] = heavier.get(resource, 0.0) + more
    before = {shortage.resource for shortage in look(burden)}
    after = {s.resource for s in look(Burden(burden.streams, burden.settling, heavier))}
    assert before <= after


@given(st.sampled_from(MEASURED), st.lists(st.floats(0, 2), max_size=30))
def test_what_ran_short_counts_as_short_until_it_is_well_below(
    resource: Resource, values: list[float]
) -> None:
    doorkeeper, short = Doorkeeper(LIMITS), False
    for value in values:
        expected = value * 2 if resource in ADDS_UP else value
        found = {s.resource for s in doorkeeper.look(Burden(1, 0, {resource: value}))}
        if expected > 0.9:
            short = True
        elif expected <= 0.9 * RELEASE:
            short = False
        assert (resource in found) == short

"""What viewers ask of a stream, answered from its log and what is known beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from service.asides import MOST, Asides, Seen
from service.eventlog.memory import MemoryEventLog
from service.eventlog.retention import Retention
from service.inquiries import MOST_CHARACTERS, REACH, Inquiries, on_screen
from service.library import Library
from service.preferences import Preferences
from service.stream import Stream
from strad.decision import Kind
from strad.timeline import Interval
from strad.wire.asking import AskMissed, AskScene, FormChoice, Wishes
from strad.wire.message import MAX_CONTROL
from strad.wire.viewing import About, Ad, Gap, Missed, OnScreen, Scene, State, StreamState
from tests.service.ads import ad

pytestmark = pytest.mark.unit

ABOUT = About(describer="facts", draft=True, delay=10.0, language="en")


def asked(
    ads: Sequence[Ad],
    ask: AskMissed | AskScene,
    wishes: Wishes | None = None,
    *,
    kept: int = 1_000,
    asides: Asides | None = None,
) -> Missed | Scene:
    """The answer of a stream whose log holds ``ads``, after a state."""

    async def go() -> Missed | Scene:
        async with MemoryEventLog(Retention(messages=kept)).own("news") as log:
            live = State(seq=1, state=StreamState.LIVE, about=ABOUT)
            await log.append(lambda seq: live.model_copy(update={"seq": seq}))
            for told in ads:
                await log.append(lambda seq, told=told: told.model_copy(update={"seq": seq}))  # type: ignore[misc]
            stream = Stream("news", log, owned=True)
            stream.asides = asides or stream.asides
            inquiries = Inquiries(stream, Library(), Preferences(wishes or Wishes()))
            if isinstance(ask, AskMissed):
                return await inquiries.missed(ask)
            return await inquiries.scene(ask)

    return asyncio.run(go())


def missed(
    ads: Sequence[Ad], ask: AskMissed, wishes: Wishes | None = None, kept: int = 1_000
) -> Missed:
    answer = asked(ads, ask, wishes, kept=kept)
    assert isinstance(answer, Missed)
    return answer


MANY = [ad(n, 10 * n, 10 * n + 3, f"Thing {n}.") for n in range(2, 32)]


@pytest.mark.parametrize(
    ("ask", "starts", "more"),
    [
        (AskMissed(after=28), [280, 290, 300, 310][1:], False),
        (AskMissed(since=295.0), [300, 310], False),
        (AskMissed(since=100.0, until=130.0), [100, 110, 120], False),
        (AskMissed(since=0.0, most=2), [300, 310], True),
        (AskMissed(after=29, since=305.0), [310], False),
        (AskMissed(since=1_000.0), [], False),
    ],
)
def test_what_was_said_while_away(ask: AskMissed, starts: list[int], more: bool) -> None:
    answer = missed(MANY, ask)
    assert [int(a.start) for a in answer.ads] == starts
    assert (answer.more, answer.answers) == (more, "missed")


def test_it_is_told_as_the_viewer_wishes_it() -> None:
    ads = [
        ad(2, 10, 13, "A long text about it.", "A text.", kind=Kind.TEXT),
        ad(3, 20, 23, "Somebody walks by here.", "Walking."),
    ]
    wishes = Wishes(kinds=(Kind.TEXT,), form=FormChoice.SHORT)
    answer = missed(ads, AskMissed(id="m1", since=0.0), wishes)
    assert ([a.text for a in answer.ads], answer.answers) == (["A text."], "m1")


def test_what_is_no_longer_kept_is_said_to_be_more() -> None:
    assert missed(MANY, AskMissed(after=1), kept=4).more
    assert missed(MANY, AskMissed(since=0.0), kept=4).more
    assert not missed(MANY, AskMissed(since=309.0), kept=4).more
    assert not missed(MANY, AskMissed(after=29), kept=4).more


def test_an_answer_is_never_longer_than_a_message_may_be() -> None:
    ads = [ad(n, n, n + 1, "word " * 799) for n in range(2, 102)]
    answer = missed(ads, AskMissed(since=0.0, most=100))
    assert answer.more
    assert len(answer.to_json()) <= MOST_CHARACTERS + 1_000 < MAX_CONTROL
    assert answer.ads[-1].start == 101


def test_the_scene_is_the_newest_of_each_kind_at_the_playhead() -> None:
    ads = [
        ad(2, 10, 12, "A kitchen.", kind=Kind.SCENE),
        ad(3, 20, 22, "A garden.", kind=Kind.SCENE),
        ad(4, 24, 25, "Ada.", kind=Kind.NAME),
        ad(5, 26, 28, "She runs."),
        ad(6, 40, 42, "A cellar.", kind=Kind.SCENE, edge=52),
    ]
    scene = asked(ads, AskScene(id="s1", at=30.0))
    assert isinstance(scene, Scene)
    assert [(t.text, t.age, t.spoken) for t in scene.things] == [
        ("Ada.", 5.0, True),
        ("A garden.", 8.0, True),
    ]
    assert (scene.at, scene.draft, scene.answers) == (30.0, True, "s1")
    now = asked(ads, AskScene())
    assert isinstance(now, Scene)
    assert now.at == 42.0
    assert now.things[0] == OnScreen(
        kind=Kind.SCENE, text="A cellar.", start=40, end=42, age=0, spoken=True
    )


def test_before_anything_is_made_out_a_scene_is_empty() -> None:
    scene = asked([], AskScene())
    assert scene == Scene(answers="scene", at=0.0, draft=True, things=())


def test_what_was_made_out_but_not_said_is_told_as_such() -> None:
    asides = Asides()
    asides.seen.append(Seen(Interval(20_000, 24_000), Kind.TEXT, "Exit."))
    asides.seen.append(Seen(Interval(21_000, 25_000), Kind.SCENE, "A hall."))
    asides.seen.append(Seen(Interval(90_000, 95_000), Kind.TEXT, "The end."))
    things = on_screen([ad(1, 10, 12, "A hall.", kind=Kind.SCENE)], asides, 30_000)
    assert [(t.text, t.start, t.age, t.spoken) for t in things] == [
        ("A hall.", 21.0, 5.0, True),
        ("Exit.", 20.0, 6.0, False),
    ]


def test_neither_old_things_nor_those_before_a_seek_are_on_screen() -> None:
    old = ad(1, 10, 12, "A kitchen.", kind=Kind.SCENE)
    assert on_screen([old], Asides(), 12_000 + REACH)
    assert not on_screen([old], Asides(), 12_001 + REACH)
    asides = Asides()
    asides.epoch = 20_000
    assert not on_screen([old], asides, 30_000)
    assert on_screen([old], asides, 15_000)
    after_seek = ad(2, 50, 52, "She runs.", since=40.0)
    assert not on_screen([old, after_seek], Asides(), 60_000)


def test_asides_reach_who_is_there_and_the_oldest_are_let_go() -> None:
    async def go() -> None:
        asides = Asides()
        async with asyncio.TaskGroup() as tasks, asyncio.timeout(5):
            waiting = tasks.create_task(asides.after(0))
            await asyncio.sleep(0)
            asides.tell(Gap(start=0.0))
        assert list(waiting.result()) == [Gap(start=0.0)]
        for n in range(MOST):
            asides.tell(Gap(start=float(n)))
        held = list(await asides.after(1))
        assert (len(held), held[-1], asides.last) == (MOST, Gap(start=MOST - 1.0), MOST + 1)
        assert list(await asides.after(0)) == held

    asyncio.run(go())


def test_the_live_edge_never_steps_back() -> None:
    asides = Asides()
    assert asides.edge() == 0
    for clock, edge in ((5_000, 5_000), (3_000, 5_000), (6_000, 6_000)):
        asides.clock = lambda clock=clock: clock  # type: ignore[misc]
        assert asides.edge() == edge

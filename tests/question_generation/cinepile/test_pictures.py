"""Key frames of a rendered film, summed up by a model that looks; what can't be is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from question_generation.cinepile.drafted import Pictured
from question_generation.cinepile.key_frames import Shots, key_frames
from question_generation.cinepile.pictures import CAPTIONER, SUMMARISER, Pictures
from question_generation.crew import LocalCrew
from question_generation.quality_report import noted_of
from question_generation.report_page import report_page
from question_generation.run import Run
from question_generation.run_folder import RunFolder
from question_generation.scene import Scene
from question_generation.seats import Seat, Seats
from question_generation.step_files import Counts
from strad.errors import MediaError
from strad.record import parse_record
from strad_engines.messages import Generated, Image, Message
from strad_engines.opened_engine import OpenedEngine
from strad_engines.scripted_engine import ScriptedEngine
from tests.question_generation.at_hand import ABLE, answer, said
from tests.question_generation.jointav.rendered import colour_of, rendered

pytestmark = [pytest.mark.media, pytest.mark.slow]


def eyes(messages: Sequence[Message]) -> Generated:
    """Tells the colour of a room; sums up by joining; grey rooms it can't describe."""
    pictures = [part for part in messages[1].parts if isinstance(part, Image)]
    if not pictures:
        rooms = [
            line.split(" s] ")[1] for line in said(messages[1:2]).splitlines() if "s] " in line
        ]
        return answer(summary="; ".join(rooms))
    colour = colour_of(pictures[0].data)
    return Generated("") if colour == "grey" else answer(caption=f"a {colour} room")


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = rendered(tmp_path_factory.mktemp("clips")).parent
    (folder / "broken.mkv").write_bytes(b"no video at all" * 100)
    return folder


@dataclass(frozen=True)
class Alone:
    """A pipeline of the one step."""

    steps: Sequence[Pictures]
    name: str = "pictures"
    version: str = "1"
    prompts: Sequence[str] = ("cinepile-",)


def scene(name: str, clip: str, segment: tuple[float, float], split: str = "train") -> Scene:
    return Scene(id=name, video_id=name, segment=segment, clip=clip, split=split)


async def looked_at(folder: Path, clips: Path, scenes: Sequence[Scene]) -> tuple[Run, list[Counts]]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[OpenedEngine]:
        yield OpenedEngine(ScriptedEngine(eyes), ABLE)

    source = folder / "scenes.jsonl"
    source.write_text("".join(f"{one.line()}\n" for one in scenes))
    seats = Seats(dict.fromkeys((CAPTIONER, SUMMARISER), Seat("eyes", opened)))
    run = Run(folder / "run", Alone((Pictures(clips),)), source, seats.names())  # type: ignore[arg-type]
    async with LocalCrew.ready(seats, None, 4) as crew:
        return run, await run.work(crew)


def test_each_shot_of_a_part_has_its_frame(clips: Path) -> None:
    def colours(segment: tuple[float, float], shots: Shots) -> list[tuple[str, float]]:
        found = asyncio.run(key_frames(clips / "film.mkv", segment, shots))
        return [(colour_of(one.picture.data), one.at) for one in found]

    whole = colours((0.0, 24.0), Shots())
    assert [name for name, _ in whole] == ["red", "green", "blue", "grey"]
    assert [at for _, at in whole] == pytest.approx([3.0, 9.0, 15.0, 21.0], abs=0.1)
    part = colours((8.0, 14.0), Shots())
    assert [name for name, _ in part] == ["green", "blue"]
    assert [at for _, at in part] == pytest.approx([10.0, 13.0], abs=0.1)
    assert [name for name, _ in colours((0.0, 24.0), Shots(most=2))] == ["green", "grey"]
    with pytest.raises(MediaError, match="nothing from 90"):
        asyncio.run(key_frames(clips / "film.mkv", (90.0, 95.0), Shots()))
    with pytest.raises(MediaError, match="no shots found in 0 s"):
        asyncio.run(key_frames(clips / "film.mkv", (0.0, 24.0), Shots(timeout_s=0.001)))


def test_what_is_not_summed_up_goes_on_and_is_counted_and_listed(
    clips: Path, tmp_path: Path
) -> None:
    scenes = [
        scene("good", "film.mkv", (0.0, 14.0)),
        scene("tested", "film.mkv", (0.0, 14.0), split="test"),
        scene("broken", "broken.mkv", (0.0, 5.0)),
        scene("gone", "none.mkv", (0.0, 5.0)),
        scene("grey", "film.mkv", (18.5, 24.0)),
    ]
    run, (_, counts) = asyncio.run(looked_at(tmp_path, clips, scenes))
    assert (counts.came, counts.went_on, counts.failed.total()) == (5, 5, 0)
    assert counts.noted == {
        "its clip can't be decoded": 1,
        "its clip is not there": 1,
        "too few pictures to sum up": 1,
    }
    lines = run.files()[-1].records.read_text().splitlines()
    summaries = {one.id: one.summary for one in (parse_record(Pictured, x) for x in lines)}
    assert summaries.pop("good") == "a red room; a green room; a blue room"
    assert set(summaries.values()) == {None}
    folder = RunFolder(tmp_path / "run")
    listed = noted_of(folder, folder.counts())
    assert [one["id"] for one in listed] == ["broken", "gone", "grey"]
    assert all(one["step"] == "pictures" and one["detail"] for one in listed)
    quality = {
        "items": 0,
        "balance": {},
        "overlap_with_question": {"right option": None, "wrong options": None},
        "duplicates": {"same": 0, "near": 0},
        "longest_is_right": None,
        "by_chance": None,
        "answerers": {},
    }
    told = {"run": folder.about(), "steps": folder.counts(), "noted": listed, "cost": []}
    page = report_page({**told, "quality": quality}, [])
    assert "went on, though its clip can&#x27;t be decoded: 1" in page
    assert "<td>broken</td>" in page

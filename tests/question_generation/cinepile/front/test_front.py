"""From a described film, clips of it and facts to scenes with times, and on to questions."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import pytest

from question_generation.cinepile.front.described_films import described_films
from question_generation.cinepile.front.film_facts import AddFacts, read_facts
from question_generation.cinepile.front.finding import Find
from question_generation.cinepile.front.locate import WEAK
from question_generation.cinepile.front.sentence_files import sentences_in
from question_generation.cinepile.front.transcripts import written_transcript
from question_generation.cinepile.pipeline import CinePile, pipeline
from question_generation.cinepile.scene_text import scene_text
from question_generation.cinepile.split import Split
from question_generation.crew import LocalCrew
from question_generation.jointav.speech_lines import Recogniser
from question_generation.jointav.video import VIDEOS, Video
from question_generation.run import GaveUpError, Run
from question_generation.run_folder import RunFolder
from question_generation.scene import SCENES, Scene
from question_generation.seats import Seats
from question_generation.step_files import Counts
from strad.cues import Cue
from strad.errors import FormatError, InputError
from strad.record import TimedText
from strad.webvtt import write_webvtt
from tests.question_generation.cinepile.front.films import Clip, Film, cut, own_film

pytestmark = pytest.mark.unit

FACTS = {"film_id": "tt1", "title": "Our Sentences", "genre": ["Drama"], "year": 1999}


@dataclass(frozen=True, slots=True)
class Made:
    """A film, clips of it and what goes with them, as files."""

    folder: Path
    film: Film
    clips: dict[str, Clip]

    @property
    def videos(self) -> Path:
        return self.folder / "videos.jsonl"


@pytest.fixture
def made(tmp_path: Path) -> Made:
    film = own_film(Random(5))
    clips = {f"c{seed}": cut(film, Random(seed)) for seed in range(4)}
    vtt(tmp_path / "films" / "tt1.vtt", film.lines)
    for name, clip in clips.items():
        vtt(tmp_path / f"{name}.vtt", clip.lines)
    vtt(
        tmp_path / "other.vtt",
        [line("The rate of interest rose by four percent.", n) for n in range(6)],
    )
    (tmp_path / "bad.vtt").write_text("no subtitles\n")
    vtt(tmp_path / "silent.vtt", [])
    names = (*clips, "other", "bad", "silent")
    videos = [video(name) for name in names] + [video("c0", "elsewhere", film_id="tt2")]
    (tmp_path / "videos.jsonl").write_text(VIDEOS.write(videos))
    (tmp_path / "facts.jsonl").write_text(f"{json.dumps(FACTS)}\n")
    return Made(tmp_path, film, clips)


def vtt(path: Path, lines: list[TimedText]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(write_webvtt([Cue(one.when, one.text) for one in lines]))
    return path


def line(text: str, at: int) -> TimedText:
    return TimedText(start=4.0 * at, end=4.0 * at + 3, text=f"{text} {at}")


def video(file: str, name: str = "", film_id: str = "tt1") -> Video:
    return Video(id=name or file, clip=f"{file}.mp4", subtitles=f"{file}.vtt", film_id=film_id)


async def front_of(made: Made, out: Path) -> tuple[list[Counts], Run]:
    films = await described_films(made.folder / "films", out, Recogniser())
    find = Find(films, made.folder)
    steps = (find, AddFacts(read_facts(made.folder / "facts.jsonl")), Split(0.5))
    run = Run(out, CinePile(steps), made.videos)
    async with LocalCrew.ready(Seats(), None, 2) as crew:
        return await run.work(crew), run


def test_clips_become_scenes_of_what_is_seen_and_said(made: Made, tmp_path: Path) -> None:
    counts, run = asyncio.run(front_of(made, tmp_path / "run"))
    _, found, known, _ = counts
    assert found.came == 8
    assert found.went_on == known.went_on == 4
    assert found.dropped == {
        WEAK: 1,
        "the clip or its subtitles can't be read": 1,
        "nothing is said in the clip": 1,
        "its film is not here": 1,
    }
    with RunFolder(run.folder).scenes_file.open() as lines:
        scenes = list(SCENES.each(lines))
    assert [scene.id for scene in scenes] == ["c0", "c1", "c2", "c3"]
    right = wrong = missed = 0
    for scene in scenes:
        check_text(scene)
        assert scene.facts is not None
        assert scene.facts.genre == ("Drama",)
        true = seen_in(made.film, made.clips[scene.id])
        told = {one.text: one.start for one in scene.visuals}
        right += len(true.keys() & told.keys())
        wrong += len(told.keys() - true.keys())
        missed += len(true.keys() - told.keys())
        assert all(abs(told[text] - true[text]) < 2 for text in told.keys() & true.keys())
        assert {one.text for one in made.clips[scene.id].lines} <= {d.text for d in scene.dialogue}
    assert right > 40
    assert wrong + missed <= 0.1 * right


def test_clips_that_are_not_there_are_tried_again_and_end_the_run(
    made: Made, tmp_path: Path
) -> None:
    out, moved = tmp_path / "run", tmp_path / "c1.vtt"
    moved.rename(tmp_path / "away")
    found = asyncio.run(front_of(made, out))[0][1]
    assert (found.failed, found.went_on) == ({"bad-input": 1}, 3)
    (tmp_path / "away").rename(moved)
    found = asyncio.run(front_of(made, out))[0][1]
    assert (found.failed.total(), found.went_on) == (0, 4)
    made.videos.write_text(VIDEOS.write(video("c0", f"v{n}") for n in range(30)))
    (tmp_path / "c0.vtt").unlink()
    with pytest.raises(
        GaveUpError,
        match=r"2\d records failed in a row, .*no such file",
    ):
        asyncio.run(front_of(made, tmp_path / "other"))


def test_what_is_heard_in_a_film_is_kept_by_what_it_holds(tmp_path: Path) -> None:
    film, out = tmp_path / "film.mp3", tmp_path / "run" / "films"
    told = {"a": Heard(text="Open the door."), "b": Heard(text="It is late.")}
    for name, heard in told.items():
        film.write_text(name)
        for _ in range(2):
            found = asyncio.run(written_transcript(film, out, heard))
            assert heard.text in found.read_text()
    assert [heard.times for heard in told.values()] == [[1], [1]]
    german = replace(told["b"], language="de")
    assert asyncio.run(written_transcript(film, out, german)) != found
    (tmp_path / "file").touch()
    for folder, said in ((tmp_path / "file" / "films", "can't be written"), (film, "no folder|is")):
        unheard = Heard(text="No.")
        with pytest.raises(InputError, match=said):
            asyncio.run(written_transcript(film, folder, unheard))
        assert unheard.times == []


@dataclass(frozen=True, slots=True)
class Heard(Recogniser):
    """Hears the same in every file; counts how often."""

    text: str = ""
    times: list[int] = field(default_factory=list)

    async def lines(self, film: Path) -> tuple[TimedText, ...]:
        self.times.append(1)
        return (TimedText(start=1.0, end=2.0, text=self.text),)


def seen_in(film: Film, clip: Clip) -> dict[str, float]:
    """Descriptions well inside the clip, and when they begin in it."""
    said = {one.text for one in film.said}
    return {
        one.text: one.start - clip.start
        for one in film.lines
        if one.text not in said and clip.start + 2 < one.start and one.end < clip.last - 2
    }


def check_text(scene: Scene) -> None:
    """It reads as lines with times, seen and said, in their order."""
    text = scene_text(scene)
    marks = [row.split("] ")[1].split(":")[0] for row in text.splitlines()]
    assert {"seen", "said"} == set(marks)
    starts = [float(row[1:].split("-")[0]) for row in text.splitlines()]
    assert starts == sorted(starts)


def test_facts_that_a_scene_has_itself_are_kept(tmp_path: Path) -> None:
    (tmp_path / "f.jsonl").write_text(
        f'{{"strad": "film facts", "version": 1}}\n{json.dumps(FACTS)}\n'
    )
    step = AddFacts(read_facts(tmp_path / "f.jsonl"))
    scene = Scene.model_validate_json(
        '{"id": "s", "video_id": "v", "film_id": "tt1", "segment": [0, 1],'
        ' "facts": {"title": "Its own", "genre": []}}'
    )
    (found,) = asyncio.run(step.work(scene, None))  # type: ignore[arg-type]
    assert (found.facts.title, found.facts.genre, found.facts.year) == ("Its own", ("Drama",), 1999)
    other = scene.model_copy(update={"film_id": "tt9"})
    assert asyncio.run(step.work(other, None)) == [other]  # type: ignore[arg-type]


def test_what_other_tools_take_for_line_ends_is_part_of_a_title(tmp_path: Path) -> None:
    title = "One\u2028two\u2029three\u0085four"
    told = json.dumps({"film_id": "a", "title": title}, ensure_ascii=False)
    (tmp_path / "f.jsonl").write_text(f"{told}\r\n")
    assert read_facts(tmp_path / "f.jsonl").films["a"].title == title
    told = json.dumps({"text": title}, ensure_ascii=False)
    (tmp_path / "s.jsonl").write_text(f"{told}\n{told}\n")
    assert [one.text for one in sentences_in(tmp_path / "s.jsonl")] == [title, title]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "f.jsonl: no films in it"),
        ("{", "f.jsonl:1: not JSON"),
        ('{"title": "A"}', "f.jsonl:1: film_id: Field required"),
        ('{"film_id": "a"}\n{"film_id": "a"}', "the film 'a' is in it twice"),
        ('{"film_id": "a", "genres": ["Drama"]}', "a: no fact 'genres'; there are: title, genre"),
        ('{"film_id": "a", "year": 19}', "a: 19 is no year of a film"),
        ('{"film_id": "a", "genre": "Drama"}', "f.jsonl:1: genre: "),
    ],
)
def test_facts_that_are_none_are_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "f.jsonl").write_text(text)
    with pytest.raises(InputError) as refused:
        read_facts(tmp_path / "f.jsonl")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_films_that_are_none_are_refused(tmp_path: Path) -> None:
    def films(name: str) -> None:
        asyncio.run(described_films(tmp_path / name, tmp_path / "out", Recogniser()))

    (tmp_path / "empty").mkdir()
    vtt(tmp_path / "two" / "a.vtt", [line("He nods.", 1)])
    (tmp_path / "two" / "a.srt").write_text("")
    (tmp_path / "a.txt").touch()
    (tmp_path / "bad.vtt").write_text("x")
    for name, said in {
        "empty": "no described films in it",
        "two": "two files of one film: a.srt, a.vtt",
        "a.txt": "is neither .vtt, .srt nor media",
        "none.vtt": "can't be read: no such file or directory",
    }.items():
        with pytest.raises(InputError, match=said):
            films(name)
    with pytest.raises(FormatError, match="starts with the line WEBVTT"):
        films("bad.vtt")


def test_a_changed_film_is_another_step(made: Made, tmp_path: Path) -> None:
    first = asyncio.run(described_films(made.folder / "films", tmp_path, Recogniser()))
    before = Find(first, made.folder).settings
    vtt(made.folder / "films" / "tt1.vtt", made.film.lines[1:])
    assert Find(first, made.folder).settings != before
    assert [step.name for step in pipeline(front=(Find(first, made.folder),)).steps][:2] == [
        "find",
        "split",
    ]

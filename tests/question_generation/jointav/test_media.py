"""From a rendered film to scenes with what is seen and heard, by models that really look."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from question_generation.drop import Drop
from question_generation.jointav.clean import Clean
from question_generation.jointav.evidence import Filmed
from question_generation.jointav.footage import footage
from question_generation.jointav.listen import Listen
from question_generation.jointav.listen_by_rule import ListenByRule, samples_of
from question_generation.jointav.look import Look
from question_generation.jointav.merge import Merge
from question_generation.jointav.pipeline import JointAv, from_media
from question_generation.jointav.scenes import Scenes
from question_generation.jointav.speech_lines import Recogniser
from question_generation.jointav.video import Video as VideoRecord
from question_generation.scene import SCENES, Scene
from strad_engines.messages import Audio, Generated, Message, Video
from strad_engines.scripted_engine import ScriptedEngine
from tests.question_generation.at_hand import desk
from tests.question_generation.jointav.parts import draft, line, part
from tests.question_generation.jointav.ran import adds_up, run_of
from tests.question_generation.jointav.rendered import BANG, LINES, SHOTS, colour_of, rendered

pytestmark = [pytest.mark.media, pytest.mark.slow]
RECORD = VideoRecord(id="film", clip="film.mkv", subtitles="film.vtt")
FRIDAY = Path(__file__).parents[4] / "shared" / "media" / "friday.mp4"


def eyes_and_ears(messages: Sequence[Message]) -> Generated:
    """Tells the colours it sees, and when what it hears is loud."""
    (media,) = [part for part in messages[1].parts if isinstance(part, Video | Audio)]
    if isinstance(media, Video):
        step = 1 / media.fps
        seen = [colour_of(frame.data) for frame in media.frames]
        told = [
            {"start": at * step, "end": (at + 1) * step, "text": f"A plain {colour} room."}
            for at, colour in enumerate(seen)
            if at == 0 or colour != seen[at - 1]
        ]
        return Generated(json.dumps({"lines": told}))
    samples = samples_of(media)
    words = "\n".join(getattr(part, "text", "") for m in messages for part in m.parts)
    if "how lines of a film are spoken" in words:
        said = words.rpartition("What is said:\n- ")[2].split("\n")[0]
        loud = bool(np.abs(samples).max() > 0.5)
        heard = [{"said": said, "tone": "fearful" if loud else "neutral", "voice": ""}]
        return Generated(json.dumps({"utterances": heard}))
    tenths = np.abs(samples[: len(samples) // 1600 * 1600]).reshape(-1, 1600).max(1)
    bangs = [float(at) / 10 for at in np.flatnonzero(tenths > 0.5)[:1]]
    heard = [{"start": t, "end": t + 0.5, "text": "a sharp crack"} for t in bangs]
    return Generated(json.dumps({"sounds": heard, "music": []}))


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return rendered(tmp_path_factory.mktemp("clips")).parent


@pytest.fixture(scope="module")
def cut(clips: Path) -> list[Scene]:
    with desk(eyes_and_ears) as at:
        found = asyncio.run(Scenes(clips).work(RECORD, at))
    assert not isinstance(found, Drop)
    return list(found)


def looked(clips: Path, scenes: Sequence[Scene]) -> list[Scene]:
    with desk(eyes_and_ears, "viewer") as at:
        found = [asyncio.run(Look(clips).work(scene, at)) for scene in scenes]
    return [scene for one in found if not isinstance(one, Drop) for scene in one]


def test_scenes_are_cut_where_the_film_cuts_and_hold_their_lines(cut: list[Scene]) -> None:
    edges = [scene.segment[0] for scene in cut]
    assert edges == pytest.approx([0.0, 6.0, 12.0, 18.0], abs=0.08)
    assert [[one.text for one in scene.dialogue] for scene in cut] == [[text] for _, text in LINES]


def test_pictures_are_described_and_alike_neighbours_merge(clips: Path, cut: list[Scene]) -> None:
    seen = looked(clips, cut)
    assert [scene.visuals[0].text for scene in seen] == [f"A plain {c} room." for c, _ in SHOTS]
    again = [scene.model_copy(update={"visuals": seen[0].visuals}) for scene in seen[:2]]
    fates = list(Merge(threshold=0.9).gather([*again, *seen[2:]], seed=0))
    assert [fate.of for fate in fates] == [
        ("film-0000", "film-0001"),
        ("film-0002",),
        ("film-0003",),
    ]
    assert isinstance(fates[0].became, Scene)
    assert len(fates[0].became.dialogue) == 2


def test_sounds_and_voices_are_those_of_the_scene(clips: Path, cut: list[Scene]) -> None:
    with desk(eyes_and_ears, "listener") as at:
        found = asyncio.run(Listen(clips).work(cut[2], at))
    assert not isinstance(found, Drop)
    (scene,) = found
    assert [one.text for one in scene.sounds] == ["a sharp crack"]
    assert scene.sounds[0].start == pytest.approx(BANG, abs=0.2)
    assert [one.text for one in scene.vocal_traits] == ["'Run!' is said with a fearful tone"]


def test_rules_hear_music_and_bangs(clips: Path, cut: list[Scene]) -> None:
    with desk(eyes_and_ears) as at:
        found = [asyncio.run(ListenByRule(clips).work(scene, at)) for scene in cut]
    scenes = [scene for one in found if not isinstance(one, Drop) for scene in one]
    assert [bool(scene.music) for scene in scenes] == [False, True, False, False]
    assert [bool(scene.sounds) for scene in scenes] == [False, False, True, False]
    assert scenes[2].sounds[0].start == pytest.approx(BANG, abs=0.3)


def test_answerers_get_what_they_may_have(clips: Path) -> None:
    item = draft("STL", "What?", "a", (part(1, line(6, "x"), length=6.0),), "b", "c", "d")
    item = item.model_copy(update={"clip": "film.mkv", "segment": (6.0, 12.0)})

    def kinds(given: str) -> list[str]:
        shown = asyncio.run(Filmed(clips).of(item, given))  # type: ignore[arg-type]
        return [type(part).__name__ for part in shown.parts]

    assert kinds("text-only") == []
    assert kinds("vision-only") == ["Video"]
    assert kinds("audio-only") == ["Audio"]
    assert kinds("both") == ["Video", "Audio"]
    found = asyncio.run(footage(clips / "film.mkv", (6.0, 12.0)))
    assert {colour_of(frame.data) for frame in found.video.frames} == {"green"}
    assert found.audio is not None
    assert len(samples_of(found.audio)) == 6 * 16_000


def test_what_is_no_video_is_dropped_with_its_reason(clips: Path) -> None:
    (clips / "broken.mkv").write_bytes(b"no video at all" * 100)
    with desk(eyes_and_ears) as at:
        record = VideoRecord(id="x", clip="broken.mkv", subtitles="film.vtt")
        found = asyncio.run(Scenes(clips).work(record, at))
    assert isinstance(found, Drop)
    assert found.reason == "the video can't be decoded"


def test_a_run_takes_videos_to_clean_scenes(clips: Path, tmp_path: Path) -> None:
    (clips / "empty.mkv").touch()
    empty = VideoRecord(id="empty", clip="empty.mkv", subtitles="film.vtt")
    way = JointAv((*from_media(clips), Clean()))
    engine = ScriptedEngine(eyes_and_ears)
    counts, last = run_of(tmp_path, engine, [RECORD, empty], way)
    assert not list(adds_up(counts)), counts
    assert counts["scenes"].dropped == {"the video can't be decoded": 1}
    with last.open() as lines:
        (scene,) = SCENES.each(lines)
    # "A plain red room" and "A plain green room" are alike by two words of three.
    assert scene.segment == pytest.approx((0.0, 24.0), abs=0.2)
    assert len(scene.dialogue) == len(scene.visuals) == 4
    assert [one.text for one in scene.sounds] == ["a sharp crack"]
    assert {made.stage for made in scene.provenance} == {"look 1", "listen 1"}


def test_speech_is_recognised_where_there_are_no_subtitles() -> None:
    if not FRIDAY.exists():
        pytest.skip(f"no {FRIDAY}")
    lines = asyncio.run(Recogniser().lines(FRIDAY))
    assert "university" in " ".join(one.text for one in lines).lower()

"""What a model is shown: pictures, sound and dialogue, from folders and out of videos."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import pytest

from strad.errors import InputError, MediaError
from strad_eval.asking.frames import evenly, frames_of
from strad_eval.asking.material import Media, Sources, dialogue_of, media_of
from strad_eval.asking.shown import shown
from strad_eval.asking.sound import sound_of
from strad_eval.mcq.item import Item

pytestmark = pytest.mark.eval


def _item(
    video: str = "v", segment: tuple[float, float] | None = None, said: str | None = None
) -> Item:
    return Item("q", video, "?", ("x", "y"), 0, segment=segment, dialogue=said)


def _pictures(folder: Path, *names: str) -> Path:
    place = folder / "v"
    place.mkdir()
    for name in names:
        (place / name).write_bytes(name.encode())
    return folder


def _names(folder: Path, item: Item, count: int) -> list[str]:
    return [image.data.decode() for image in frames_of(folder, item, count)]


def test_times_are_the_middles_of_equal_parts() -> None:
    assert evenly(10.0, 20.0, 4) == [11.25, 13.75, 16.25, 18.75]


def test_pictures_are_spread_evenly_by_their_order(tmp_path: Path) -> None:
    folder = _pictures(tmp_path, *(f"{i:04d}.jpg" for i in range(10)), "notes.txt")
    assert _names(folder, _item(), 2) == ["0002.jpg", "0007.jpg"]
    assert len(_names(folder, _item(), 99)) == 10


def test_pictures_named_by_seconds_keep_to_the_segment(tmp_path: Path) -> None:
    folder = _pictures(tmp_path, *(f"{i}.0.jpg" for i in (0, 2, 4, 6, 8, 10)))
    # The middles of 3 to 9 s in two parts are 4.5 and 7.5.
    assert _names(folder, _item(segment=(3.0, 9.0)), 2) == ["4.0.jpg", "8.0.jpg"]
    assert _names(folder, _item(), 1) == ["4.0.jpg"]
    with pytest.raises(InputError, match="no picture from 20 to 30 s"):
        frames_of(folder, _item(segment=(20.0, 30.0)), 2)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be read"):
        frames_of(tmp_path, _item(), 2)
    (tmp_path / "v").mkdir()
    with pytest.raises(InputError, match="no pictures"):
        frames_of(tmp_path, _item(), 2)
    with pytest.raises(InputError, match="no name inside"):
        frames_of(tmp_path, _item("../v"), 2)


def _wav(path: Path, seconds: float, rate: int = 1000) -> None:
    with wave.open(str(path), "wb") as target:
        target.setnchannels(1)
        target.setsampwidth(2)
        target.setframerate(rate)
        count = round(seconds * rate)
        target.writeframes(b"".join((i % 30000).to_bytes(2, "little") for i in range(count)))


def test_sound_is_cut_to_the_segment(tmp_path: Path) -> None:
    _wav(tmp_path / "v.wav", 4.0)
    found = sound_of(tmp_path, _item(segment=(1.0, 3.5)))
    with wave.open(io.BytesIO(found.data)) as cut:
        assert (cut.getnframes(), cut.getframerate()) == (2500, 1000)
        assert cut.readframes(1) == (1000).to_bytes(2, "little")
    with pytest.raises(MediaError, match="no sound from 5 to 6 s"):
        sound_of(tmp_path, _item(segment=(5.0, 6.0)))
    (tmp_path / "w.wav").write_bytes(b"RIFFoops")
    with pytest.raises(MediaError, match="not a WAV file"):
        sound_of(tmp_path, _item("w"))


def test_dialogue_is_the_questions_own_or_the_transcripts(tmp_path: Path) -> None:
    lines = ["WEBVTT", "", "00:01.000 --> 00:02.000", "One.", "", "00:05.000 --> 00:06.000", "Two."]
    (tmp_path / "v.vtt").write_text("\n".join(lines))
    sources = Sources(transcripts=tmp_path)
    assert dialogue_of(sources, _item()) == "One.\nTwo."
    assert dialogue_of(sources, _item(segment=(4.0, 9.0))) == "Two."
    assert dialogue_of(sources, _item(said="Three.\n Four.")) == "Three. Four."
    with pytest.raises(InputError, match="no transcript of w"):
        dialogue_of(sources, _item("w"))
    with pytest.raises(InputError, match="--transcripts"):
        dialogue_of(Sources(), _item())


def test_a_way_needs_something_to_show() -> None:
    omni = shown("omni", dialogue=True, frames=4)
    with pytest.raises(InputError, match="--frames-from or --videos"):
        Sources().check([omni])
    with pytest.raises(InputError, match="--audio-from or --videos"):
        Sources(frames=Path()).check([omni])
    assert shown("options", dialogue=True, frames=4).name == "options"
    with pytest.raises(InputError, match="choose from options, vision, audio, omni"):
        shown("smell", dialogue=False, frames=1)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds, ten pictures each, growing lighter; a tone that starts at 2 s."""
    av = pytest.importorskip("av", reason="PyAV is not here: pip install 'strad[serve]'")
    np = pytest.importorskip("numpy")
    folder = tmp_path_factory.mktemp("clips")
    with av.open(str(folder / "v.mkv"), "w") as out:
        video = out.add_stream("mpeg4", rate=10)
        video.width = video.height = 64
        video.pix_fmt = "yuv420p"
        audio = out.add_stream("pcm_s16le", rate=16000, layout="mono")
        for i in range(40):
            picture = np.full((64, 64, 3), 6 * i, dtype=np.uint8)
            out.mux(video.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        tone = (8000 * np.sin(np.arange(64000) * 0.1)).astype(np.int16)
        tone[:32000] = 0
        for i in range(0, 64000, 1600):
            frame = av.AudioFrame.from_ndarray(tone[None, i : i + 1600], "s16", "mono")
            frame.sample_rate, frame.pts = 16000, i
            out.mux(audio.encode(frame))
        out.mux(video.encode())
    return folder


def _lightness(image: bytes) -> float:
    pil = pytest.importorskip("PIL.Image")
    return float(pil.open(io.BytesIO(image)).convert("L").resize((1, 1)).getpixel((0, 0)))


def _media(clip: Path, segment: tuple[float, float] | None, frames: int) -> Media:
    return media_of(
        Sources(videos=clip), _item(segment=segment), shown("omni", dialogue=False, frames=frames)
    )


def test_pictures_and_sound_come_out_of_a_video(clip: Path) -> None:
    found = _media(clip, (1.0, 3.0), 2)
    # At 1.5 and 2.5 s: pictures 15 and 25, 90 and 150 light.
    assert [_lightness(image.data) for image in found.frames] == pytest.approx([90, 150], abs=7)
    assert found.audio is not None
    with wave.open(io.BytesIO(found.audio.data)) as sound:
        assert sound.getnframes() == pytest.approx(32000, abs=200)
        samples = memoryview(sound.readframes(sound.getnframes())).cast("h")
    assert max(samples[:15000]) < 100 < max(samples[17000:])


def test_the_whole_video_is_shown_where_no_segment_is_named(clip: Path) -> None:
    found = _media(clip, None, 4)
    lightness = [_lightness(image.data) for image in found.frames]
    assert lightness == pytest.approx([30, 90, 150, 210], abs=9)


def test_a_video_that_is_none_is_said_to_be(clip: Path, tmp_path: Path) -> None:
    (tmp_path / "v.mp4").write_bytes(b"\0" * 5000)
    with pytest.raises(MediaError, match=r"v\.mp4: "):
        _media(tmp_path, (0.0, 1.0), 2)
    with pytest.raises(InputError, match="no video w"):
        media_of(Sources(videos=clip), _item("w"), shown("vision", dialogue=False, frames=1))

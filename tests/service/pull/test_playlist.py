"""HLS playlists: variants chosen, segments numbered, and what can't be followed refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pull.playlist import MediaPlaylist, Part, Variant, choose, parse_playlist
from strad.errors import MediaError

pytestmark = pytest.mark.unit

URL = "https://cdn.example/live/index.m3u8"
MASTER = """#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="apart",NAME="en",URI="audio.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="within",NAME="en"
#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,AUDIO="within"
small.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2"
/middle.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x360,AUDIO="apart"
apart.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1920x1080
large.m3u8
"""
LIVE = """#EXTM3U
#EXT-X-VERSION:3
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:17
#EXTINF:4.0,
a.ts
#EXT-X-GAP
#EXTINF:4.0,
b.ts
#EXTINF:4.0,
https://other.example/c.ts?x=1
"""
RANGES = """#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-MAP:URI="film.mp4",BYTERANGE="100@0"
#EXT-X-BYTERANGE:50@100
film.mp4
#EXT-X-BYTERANGE:60
film.mp4
#EXT-X-ENDLIST
"""


def media(text: str) -> MediaPlaylist:
    found = parse_playlist(text, URL)
    assert isinstance(found, MediaPlaylist)
    return found


def test_the_smallest_picture_that_is_enough_is_chosen_of_those_with_sound() -> None:
    variants = parse_playlist(MASTER, URL)
    assert isinstance(variants, tuple)
    assert [variant.sound_apart for variant in variants] == [False, False, True, False]
    assert choose(variants).url == "https://cdn.example/middle.m3u8"
    assert choose(variants[:1]).height == 180
    with pytest.raises(MediaError, match="its sound is in a playlist of its own"):
        choose((Variant("u", 1, 1, sound_apart=True),))


def test_a_live_playlist_is_read() -> None:
    playlist = media(LIVE)
    assert [segment.number for segment in playlist.segments] == [17, 18, 19]
    assert [segment.gap for segment in playlist.segments] == [False, True, False]
    assert playlist.segments[0].part == Part("https://cdn.example/live/a.ts")
    assert playlist.segments[2].part.url == "https://other.example/c.ts?x=1"
    assert (playlist.target, playlist.ended) == (4.0, False)


def test_byte_ranges_follow_one_another() -> None:
    playlist = media(RANGES)
    first, second = playlist.segments
    assert first.head == Part("https://cdn.example/live/film.mp4", (0, 100))
    assert (first.part.span, second.part.span) == ((100, 150), (150, 210))
    assert playlist.ended


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "doesn't begin with #EXTM3U"),
        ("<html>", "doesn't begin with #EXTM3U"),
        ('#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="k"\na.ts', "encrypted"),
        ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:x\na.ts", "number that isn't one"),
        ("#EXTM3U\n#EXT-X-BYTERANGE:0@0\na.ts", "empty byte range"),
        ("#EXTM3U\n" + "a.ts\n" * 60_000, "over 50000 lines"),
    ],
)
def test_what_cant_be_followed_is_refused(text: str, why: str) -> None:
    with pytest.raises(MediaError, match=why):
        parse_playlist(text, URL)


PIECES = st.sampled_from([*MASTER.splitlines(), *LIVE.splitlines(), *RANGES.splitlines(), "#EXT-X"])


@given(st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=30))
def test_any_text_is_a_playlist_or_refused(lines: list[str]) -> None:
    with suppress(MediaError):
        parse_playlist("\n".join(["#EXTM3U", *lines]), URL)

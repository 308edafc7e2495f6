"""Stream addresses: what people type, and where it leads."""

from __future__ import annotations

import pytest

from clients.python.address import StreamAddress
from strad.decision import Kind
from strad.errors import InputError
from strad.wire.asking import Extra, FormChoice, Wishes

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("url", "media"),
    [
        ("http://h:8000/v1/streams/news", "ws://h:8000/v1/streams/news/media"),
        ("http://h:8000/news", "ws://h:8000/v1/streams/news/media"),
        ("https://h/v1/streams/a.b-c_9/", "wss://h/v1/streams/a.b-c_9/media"),
        ("ws://h/v1/streams/news/media", "ws://h/v1/streams/news/media"),
        ("wss://h/ad/v1/streams/news/events", "wss://h/ad/v1/streams/news/media"),
        ("http://h/v1/streams/streams", "ws://h/v1/streams/streams/media"),
        ("http://[::1]:9/news", "ws://[::1]:9/v1/streams/news/media"),
    ],
)
def test_a_url_leads_to_the_stream(url: str, media: str) -> None:
    assert StreamAddress.parse(url).media == media


@pytest.mark.parametrize(
    "url",
    [
        *("", "news", "ftp://h/news", "http://h", "http://h/", "http://h/v1/streams/a b"),
        *("http://user:secret@h/news", "http://h:port/news", "http://[::1/news"),
        *("http://h/v1", "http://h/v1/", "http://h/v1/streams", "http://h/v1/streams/"),
        *("http://h/a/v1/streams/", "http://h/v1/streams/news/what", "http://h/v1/news"),
        *("http://h/-news", "http://h/" + "x" * 65, "http://a..b/news", "http://-ä..b/news"),
    ],
)
def test_a_url_that_names_no_stream_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(InputError) as refused:
        StreamAddress.parse(url)
    assert "such as http://127.0.0.1:8000/v1/streams/NAME" in str(refused.value)
    assert "secret" not in str(refused.value)


def test_a_viewer_names_its_place() -> None:
    address = StreamAddress.parse("http://127.0.0.1:1/news")
    assert address.events(7, "abc").endswith("/v1/streams/news/events?after=7&log=abc")
    wishes = Wishes(
        kinds=(Kind.TEXT, Kind.NAME), form=FormChoice.SHORT, extras=(Extra.GAPS, Extra.TRANSCRIPT)
    )
    query = "after=0&kinds=text%2Cname&form=short&extras=gaps%2Ctranscript"
    assert address.events(wishes=wishes).endswith(f"?{query}")
    assert address.events(wishes=Wishes()).endswith("?after=0")
    assert address.on_loopback
    assert not StreamAddress.parse("http://h/news").on_loopback

"""Which sources are opened at all, and that their secrets stay out of sight."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.errors import RefusedSourceError
from streaming.sources import Protocol, UrlSource, admit, check_url, redacted

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("url", "protocol"),
    [
        ("https://a.example/live.ts", Protocol.HTTP),
        ("http://[2001:db8::1]:8080/x", Protocol.HTTP),
        ("rtmp://a.example/app/key", Protocol.RTMP),
        ("srt://a.example:9000", Protocol.SRT),
        ("rtsps://u:p@cam.example/1", Protocol.RTSP),
        ("https://a.example/live.m3u8", Protocol.HLS),
    ],
)
def test_these_are_opened(url: str, protocol: Protocol) -> None:
    asyncio.run(admit(UrlSource(url, protocol)))


@pytest.mark.parametrize(
    "url",
    [
        *("file:///etc/passwd", "concat:a|b", "subfile,,start,0,end,9,,:/etc/passwd"),
        *("data:video/mp4;base64,AA", "pipe:0", "ftp://a.example/x", "tcp://a.example:1"),
        *("/etc/passwd", "", "http://", "http:///x", "http://a.example:0/", "http://a:b:c/"),
        *("http://é.example/", "http://a.example/é", "http://a.example/\udcff"),
        *("http://a.example/\nx", "http://a example/", "crypto:http://a.example/x"),
        "http://a.example/" + "x" * 5000,
    ],
)
def test_these_are_refused(url: str) -> None:
    with pytest.raises(RefusedSourceError):
        check_url(url, Protocol.HTTP)


def test_a_protocol_must_be_asked_for_by_name() -> None:
    with pytest.raises(RefusedSourceError, match="only when asked for by name"):
        check_url("rtmp://a.example/app", Protocol.HTTP)


def test_secrets_are_neither_shown_nor_told() -> None:
    source = UrlSource("ftp://user:hunter2@a.example:99/x?token=hunter2#hunter2")
    with pytest.raises(RefusedSourceError) as told:
        asyncio.run(admit(source))
    assert "hunter2" not in repr(source) + source.name + str(told.value)
    assert source.name == "ftp://a.example:99/x"


@given(st.text(max_size=60))
def test_any_text_is_either_a_url_or_refused(text: str) -> None:
    redacted(text)
    for protocol in Protocol:
        try:
            parts = check_url(text, protocol)
        except RefusedSourceError:
            continue
        assert parts.hostname

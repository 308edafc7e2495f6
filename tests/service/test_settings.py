"""Settings come from the environment, are checked, and say which variable is wrong."""

from __future__ import annotations

import pytest

from service.configuration import read_settings
from service.settings import Settings
from strad.errors import InputError

pytestmark = pytest.mark.unit


def test_nothing_set_gives_the_defaults() -> None:
    assert read_settings({}) == Settings()
    assert Settings().on_loopback


def test_what_is_set_is_read_by_its_type() -> None:
    read = read_settings({"STRAD_PORT": "9000", "STRAD_DELAY": "0", "STRAD_HOST": "::1"})
    assert (read.port, read.delay, read.host) == (9000, 0.0, "::1")
    assert read.on_loopback
    assert read_settings({"STRAD_STREAMS": "3"}).limits.streams == 3


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("STRAD_PORT", "http", "STRAD_PORT must be a whole number, not 'http'"),
        ("STRAD_DRAIN", "soon", "STRAD_DRAIN must be a number, not 'soon'"),
        ("STRAD_PORT", "70000", "0 to 65535"),
        ("STRAD_STREAMS", "0", "streams must be at least 1"),
        ("STRAD_DRAIN", "nan", "drain must be at least"),
        ("STRAD_DELAY", "-1", "delay must be 0 to 120"),
        ("STRAD_HOST", "nohost", "host must be localhost or an address .* not 'nohost'"),
        ("STRAD_HOST", "", "host must be localhost or an address .* not ''"),
    ],
)
def test_what_is_wrong_is_refused_in_one_line(name: str, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_settings({name: text})


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("localhost", True), ("127.9.9.9", True), ("0.0.0.0", False), ("192.0.2.1", False)],
)
def test_loopback_is_told_from_other_addresses(host: str, loopback: bool) -> None:
    assert Settings(host=host).on_loopback is loopback

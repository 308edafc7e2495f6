"""The configuration: flags over environment over file, nearest names, and no secret shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.cli.main import application
from service.configuration import Configuration, configure, places
from service.settings import Auth, Settings
from strad.errors import InputError

pytestmark = pytest.mark.unit

SECRET = "correct horse battery staple, twice"


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "strad.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_flag_wins_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, 'port = 1\ndelay = 3\nasr = "off"\n[limits]\ndrain = 5\n')
    found = configure(
        file=file,
        environment={"STRAD_PORT": "2", "STRAD_DELAY": "4"},
        flags={"port": 3, "host": None},
    )
    settings = found.settings
    assert (settings.port, settings.delay, settings.asr) == (3, 4.0, "off")
    assert settings.limits.drain == 5.0
    assert found.sources == {
        "port": "flag",
        "delay": "STRAD_DELAY",
        "asr": str(file),
        "limits.drain": str(file),
    }


def test_tables_are_read_from_both(tmp_path: Path) -> None:
    file = written(tmp_path, '[auth]\norigins = ["https://a.example"]\n[pull]\non = false\n')
    environment = {"STRAD_AUTH_KEYS": "keys.json", "STRAD_PULL_ALLOW": "cdn.local, 192.0.2.0/24"}
    settings = configure(file=file, environment=environment).settings
    assert settings.auth == Auth(keys="keys.json", origins=("https://a.example",))
    assert settings.pull.allow == ("cdn.local", "192.0.2.0/24")
    assert not settings.pull.on


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("prot = 1", "prot is no setting; did you mean port"),
        ("[limits]\nstream = 1", "limits.stream is no setting; did you mean limits.streams"),
        ("[limit]\nstreams = 1", "limit.streams is no setting; did you mean limits.streams"),
        ("port = '1'", "port must be a whole number, not '1'"),
        ("port = true", "port must be a whole number, not True"),
        ("[auth]\norigins = [1]", "auth.origins must be a list of texts"),
        ("auth = 1", "auth is no setting"),
        ("[auth.keys]\nx = 1", "auth.keys must be text"),
        ("port = ", "not TOML"),
        ("[auth]\nsecret = 'short'", "auth.secret needs at least 32 characters"),
        (f"[auth]\nsecret = '{SECRET}'", "auth.issuer and auth.audience must be set"),
        ("[auth]\norigins = ['player.example']", "an origin is like https://player"),
    ],
)
def test_what_is_wrong_in_the_file_is_said_in_one_line(
    tmp_path: Path, text: str, words: str
) -> None:
    with pytest.raises(InputError, match=re.escape(words)) as refused:
        configure(file=written(tmp_path, text))
    assert "\n" not in str(refused.value)


def test_variables_of_others_are_passed_over() -> None:
    theirs = {"STRAD_TOKEN": "x", "STRAD_SERVICE_HOST": "x", "STRAD_PORT_8000_TCP": "x"}
    assert configure(environment=theirs).settings == Settings()
    with pytest.raises(InputError, match="STRAD_STREEMS is no setting; did you mean STRAD_STREAMS"):
        configure(environment={"STRAD_STREEMS": "3"})


def test_no_two_settings_share_a_variable() -> None:
    variables = [place.variable for place in places()]
    assert len(set(variables)) == len(variables)


def test_what_is_printed_is_toml_that_means_the_same_and_shows_no_secret(tmp_path: Path) -> None:
    environment = {
        "STRAD_HOST": "::1",
        "STRAD_AUTH_ORIGINS": "http://a.example",
        "STRAD_ASR": '"\\',
    }
    found = configure(environment=environment)
    file = written(tmp_path, "\n".join(found.lines()))
    assert configure(file=file).settings == found.settings
    secret = {
        "STRAD_AUTH_SECRET": SECRET,
        "STRAD_AUTH_ISSUER": "https://id.example",
        "STRAD_AUTH_AUDIENCE": "strad",
    }
    shown = "\n".join(configure(environment=secret).lines())
    assert SECRET not in shown
    assert 'secret = "********"  # STRAD_AUTH_SECRET' in shown
    assert SECRET not in repr(Configuration(Settings(), {}))


def test_check_prints_the_settings_or_refuses_with_2(tmp_path: Path) -> None:
    file = written(tmp_path, "port = 9001\n")
    run = CliRunner().invoke(
        application(["serve"]), ["serve", "--config", str(file), "--check", "--delay", "2"]
    )
    assert run.exit_code == 0
    assert f"port = 9001  # {file}" in run.output
    assert "delay = 2.0  # flag" in run.output
    run = CliRunner().invoke(application(["serve"]), ["serve", "--check", "--host", "0.0.0.0"])
    assert isinstance(run.exception, InputError)
    assert run.exception.exit_code == 2

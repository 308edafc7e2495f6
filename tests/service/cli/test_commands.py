"""Wrong input at the command line: one line on stderr, the right exit code, no traceback."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from service.cli.main import main
from service.cli.terminal import clock, printable
from tests import tree
from tests.service.live import free_port
from tests.streaming.clips import clip, webm

pytestmark = pytest.mark.service

URL = "http://127.0.0.1:9/v1/streams/news"
SHORT = webm(seconds=1.0)


def strad(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of one command."""
    monkeypatch.setattr(sys, "argv", ["strad", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    code = ended.value.code
    assert isinstance(code, int)
    return code, out, err


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        ("serve --host 0.0.0.0", 2, "callers must show a key"),
        ("serve --port 70000", 2, "setting port must be 0 to 65535"),
        ("serve --port 0 --describer oracle", 2, "no describer 'oracle'"),
        ("serve --port 0 --describer scripted:/no/such", 2, "/no/such: can't be read"),
        (f"push /no/such --to {URL}", 2, "/no/such: can't be read: no such file"),
        (f"push /tmp --to {URL}", 2, "/tmp: is a directory"),
        ("push {film} --to ftp://x/y", 2, "not a stream's URL"),
        (f"push {{film}} --to {URL} --language e_n", 2, "--language"),
        (f"push {{film}} --to {URL} --delay -3", 2, "--delay"),
        (f"push {{film}} --to {URL} --captions {{film}}", 2, "{film}"),
        (f"push {{webm}} --to {URL} --captions {{late}}", 2, "{late}: the caption from"),
        (f"push --follow {{text}} --to {URL}", 2, "not WebM"),
        (f"push {{shown}} --still 3 --to {URL}", 2, "--still goes with --follow"),
        ("serve --describer facts --engine openai:http://127.0.0.1:9/v1", 2, "--engine does noth"),
        ("serve --describer scripted:{text} --in-flight 2", 2, "nothing with scripted: it is for"),
        ("serve --describer facts --describer strad-ft --calls 1", 2, "--calls does nothing with"),
        ("serve --model M", 2, "--model does nothing with facts: it is for streams by strad-ft"),
        ("serve --describer strad-zero --profile phi4mm", 2, "--profile does nothing with strad-z"),
        ("demo --describer facts --preset cpu", 2, "--preset does nothing with facts"),
        ("demo {shown} --seed 2", 2, "--seed and --seconds are for a clip that is made"),
        ("describe {shown} --describer facts --engine vllm --model M", 2, "--engine does nothing"),
        ("describe {shown} --engine vllm --model M --engine-server vllm", 2, "is for openai:URL"),
        ("describe {shown} --media /tmp", 2, "--media goes with --manifest"),
        ("describe {shown} --record-what facts", 2, "--record-what goes with --record"),
        (
            "describe {shown} --task document --engine vllm --model M --threshold 1",
            2,
            "--threshold does nothing with --task document",
        ),
        (
            "describe --task segment --segments x.csv --engine vllm --model M --calls 1",
            2,
            "--calls does nothing with --task segment",
        ),
        ("measure --dummy tiny --engine vllm", 2, "--engine does not go with --dummy"),
        ("push {shown} --to http://127.0.0.1:{port}/a", 1, "can't connect to ws://127.0.0.1"),
        ("listen http://127.0.0.1:{port}/a", 1, "can't connect to ws://127.0.0.1"),
        ("listen nowhere", 2, "not a stream's URL"),
    ],
)
def test_an_error_is_one_line(
    command: str,
    code: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    film, text = tmp_path / "film.flv", tmp_path / "text.txt"
    film.write_bytes(b"FLV\x01\x05\xff\xff" + bytes(30))
    text.write_text("a text of some length, not a film\n")
    webm, late = tmp_path / "film.webm", tmp_path / "late.vtt"
    webm.write_bytes(b"\x1a\x45\xdf\xa3" + bytes(30))
    late.write_text("WEBVTT\n\n30000:00:00.000 --> 30000:00:01.000\nlate\n")
    shown = tmp_path / "shown.webm"
    shown.write_bytes(clip(SHORT))
    files = {"film": film, "text": text, "webm": webm, "late": late, "shown": shown}
    names = {**files, "port": free_port()}
    found = strad(monkeypatch, capsys, *command.format(**names).split())
    assert found[0] == code
    assert found[1] == ""
    lines = found[2].splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("strad: ")
    assert words.format(**names) in lines[0]


def test_a_port_in_use_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = str(taken.getsockname()[1])
        code, _, err = strad(monkeypatch, capsys, "serve", "--port", port)
    assert code == 2
    assert err == f"strad: can't listen on 127.0.0.1 port {port}: address already in use\n"


def test_a_service_says_that_it_serves_only_once_it_can(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STRAD_AUTH_KEYS", "nokeys.json")
    code, out, err = strad(monkeypatch, capsys, "serve", "--port", "0", "--asr", "off")
    assert (code, out) == (2, "")
    assert err == "strad: nokeys.json: can't be read: no such file or directory\n"


@pytest.mark.parametrize("words", [["zap"], ["push"], ["push", "a", "b"], ["listen", "--what"]])
def test_wrong_usage_exits_with_2(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = strad(monkeypatch, capsys, *words)
    assert (code, out) == (2, "")
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["serve", "push", "listen"])
def test_help_shows_examples(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = strad(monkeypatch, capsys, command, "--help")
    assert code == 0
    assert "Examples" in out
    assert f"strad {command} " in out


def test_what_is_printed_cannot_steer_the_terminal() -> None:
    hostile = "a\x1b[2Jb\u202ec\n"
    assert printable(hostile) == "a\N{REPLACEMENT CHARACTER}[2Jb\N{REPLACEMENT CHARACTER}c" + (
        "\N{REPLACEMENT CHARACTER}"
    )
    assert printable(json.dumps("Grüße, 你好")) == json.dumps("Grüße, 你好")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "00:00.0"), (59.96, "01:00.0"), (83.4, "01:23.4"), (3_723.04, "1:02:03.0")],
)
def test_media_time_is_shown_as_clocks_show_it(seconds: float, text: str) -> None:
    assert clock(seconds) == text


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ("doctor", 1, "strad: output: bad file descriptor\n"),
        (f"push /no/such --to {URL}", 2, "strad: /no/such: "),
    ],
    ids=["what it says is lost", "it says nothing there"],
)
def test_a_closed_output_fails_what_writes_there_and_nothing_else(
    command: str, code: int, says: str
) -> None:
    """``strad doctor >&-``: nobody reads it, so nothing may look as if all was well."""
    start = "from service.cli import main; main()"
    ended = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", sys.executable, "-c", start, *command.split()],
        cwd=tree.ROOT,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == code
    assert ended.stderr.startswith(says)
    assert len(ended.stderr.splitlines()) == 1


def test_a_command_waits_for_no_library_that_it_does_not_use() -> None:
    """``strad listen`` is there at once: nothing that serves or decodes was imported for it."""
    code = "import sys; from service.cli.main import application; application(['listen'])\n"
    code += "print(*{'fastapi', 'uvicorn', 'av', 'numpy', 'service.app'} & set(sys.modules))"
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=tree.ROOT, capture_output=True, timeout=120, check=True)
    assert done.stdout.strip() == b""

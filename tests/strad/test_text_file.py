"""Text files: whole or not at all, and every refusal one clear line."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from strad.errors import FormatError, InputError, WorkError
from strad.text_file import read_text, refuse_folder, refuse_output, staged, write_text

pytestmark = pytest.mark.unit


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.vtt"
    write_text(path, "é\r\nx\n")
    assert path.read_bytes() == "é\r\nx\n".encode()
    assert read_text(path) == "é\r\nx\n"
    assert [*tmp_path.iterdir()] == [path]


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    write_text(tmp_path / "ours", "")
    (tmp_path / "plain").write_text("")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert len(modes) == 1


def test_nothing_stands_under_the_name_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with staged(path) as file:
        file.write("half")
        file.flush()
        assert not path.exists()
    assert path.read_text() == "half"


def interrupted_write(path: Path, error: BaseException) -> None:
    with staged(path) as file:
        file.write("half")
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(2, "elsewhere"), ValueError()])
def test_after_an_error_nothing_is_left(tmp_path: Path, error: BaseException) -> None:
    with pytest.raises(type(error)) as raised:
        interrupted_write(tmp_path / "a", error)
    assert raised.value is error
    assert [*tmp_path.iterdir()] == []


def test_an_existing_file_is_replaced_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_text(path, "old")
    with pytest.raises(InputError, match="exists already"):
        write_text(path, "new")
    assert path.read_text() == "old"
    write_text(path, "new", overwrite=True)
    assert path.read_text() == "new"


def overtaken_write(path: Path) -> None:
    with staged(path) as file:
        file.write("ours")
        path.write_text("theirs")


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with pytest.raises(InputError, match="exists already"):
        overtaken_write(path)
    assert path.read_text() == "theirs"
    assert [*tmp_path.iterdir()] == [path]


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new", overwrite=True)
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_outputs_that_cannot_be_are_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "pipe")
    cases = {
        tmp_path: "is a folder",
        tmp_path / "pipe": "not a regular file",
        tmp_path / "missing" / "a": "there is no folder",
        tmp_path / "file" / "a": "there is no folder",
        tmp_path / ("n" * 300): "can't be written: file name too long",
    }
    for path, what in cases.items():
        for overwrite in (False, True):
            with pytest.raises(InputError, match=what):
                refuse_output(path, overwrite=overwrite)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="no permission"):
        refuse_output(tmp_path / "a")
    tmp_path.chmod(0o700)


def test_a_link_to_nowhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "missing" / "target")
    with pytest.raises(InputError, match="can't be written: no such file"):
        write_text(tmp_path / "link", "x")


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs Linux's /proc")
def test_a_file_that_cannot_be_made_is_refused() -> None:
    with pytest.raises(InputError, match="can't be written"):
        write_text(Path("/proc/self/nothing"), "x")
    with pytest.raises(InputError, match="/proc/self/nothing: can't be written"):
        refuse_output(Path("/proc/self/nothing"))


def test_a_folder_is_refused_before_the_work_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a")
    refuse_folder(tmp_path)
    refuse_folder(tmp_path / "a" / "b")
    for folder in (tmp_path / "file", tmp_path / "file" / "a"):
        with pytest.raises(InputError, match=f"{folder}: can't be written: .*file is no folder"):
            refuse_folder(folder)
    with pytest.raises(InputError, match="/proc/new: can't be written"):
        refuse_folder(Path("/proc/new"))
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(InputError, match="link is no folder"):
        refuse_folder(tmp_path / "link" / "a")


def test_the_option_that_replaces_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with pytest.raises(InputError, match=r"name another file, or replace it with --force$"):
        refuse_output(tmp_path / "a", option="--force")
    refuse_output(tmp_path / "a", overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["a"], "asking leaves nothing behind"
    assert (tmp_path / "a").read_text() == "old"


def test_a_full_disk_is_a_failure_at_work(tmp_path: Path) -> None:
    with pytest.raises(WorkError, match="no space"):
        interrupted_write(tmp_path / "a", OSError(28, "No space left on device"))
    assert [*tmp_path.iterdir()] == []


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_text(tmp_path / "missing")
    with pytest.raises(InputError, match="is a directory"):
        read_text(tmp_path)
    path = tmp_path / "latin"
    path.write_bytes(b"\xef\xbb\xbffine\nm\xe9re\n")
    with pytest.raises(FormatError, match="not UTF-8: byte 0xe9") as refusal:
        read_text(path)
    assert refusal.value.line == 2
    path.write_bytes(b"\xef\xbb\xbffine")
    assert read_text(path) == "fine"

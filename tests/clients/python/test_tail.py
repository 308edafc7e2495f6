"""The tail of a file: everything in it, and what is written meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from clients.python.push import NeedsRemuxError, check_file
from clients.python.tail import CHUNK, read_file
from strad.errors import InputError
from strad.wire.publishing import Container

pytestmark = pytest.mark.unit


async def all_of(path: Path, **how: object) -> bytes:
    return b"".join([chunk async for chunk in read_file(path, **how)])  # type: ignore[arg-type]


def test_a_file_is_read_to_its_end(tmp_path: Path) -> None:
    data = bytes(range(256)) * (CHUNK // 100)
    file = tmp_path / "a"
    file.write_bytes(data)
    assert asyncio.run(all_of(file)) == data


def test_a_growing_file_is_followed_until_it_stands_still(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.touch()

    async def go() -> bytes:
        async with asyncio.TaskGroup() as tasks:
            reading = tasks.create_task(all_of(file, follow=True, still=0.8))
            with file.open("ab", buffering=0) as writing:
                for n in range(10):
                    writing.write(bytes([n]) * 1_000)
                    await asyncio.sleep(0.1)
        return reading.result()

    assert asyncio.run(go()) == b"".join(bytes([n]) * 1_000 for n in range(10))


def test_a_marker_ends_it_once_all_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"everything")

    async def go() -> bytes:
        finished = asyncio.Event()
        finished.set()
        async with asyncio.timeout(20):
            return await all_of(file, follow=True, still=60.0, finished=finished)

    assert asyncio.run(go()) == b"everything"


def test_a_file_that_is_cut_meanwhile_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"everything")

    async def go() -> None:
        chunks = read_file(file, follow=True, still=5.0)
        assert await anext(chunks) == b"everything"
        file.write_bytes(b"new")
        with pytest.raises(InputError, match="became shorter"):
            await anext(chunks)

    asyncio.run(go())


@pytest.mark.parametrize(("name", "words"), [("gone.ts", "no such file"), (".", "is a directory")])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        check_file(tmp_path / name)


def test_what_can_be_pushed_as_it_is_is_told_from_what_cannot(tmp_path: Path) -> None:
    stream, late, empty, text = (tmp_path / n for n in ("a.flv", "b.mp4", "c.ts", "d.txt"))
    stream.write_bytes(b"FLV\x01\x05" + bytes(30))
    late.write_bytes(b"\0\0\0\x14ftypisom" + bytes(8) + b"\0\0\0\x10mdat" + bytes(8))
    empty.touch()
    text.write_text("a text of some length, not a film\n")
    assert check_file(stream) is Container.FLV
    assert check_file(empty, growing=True) is Container.MPEGTS
    with pytest.raises(NeedsRemuxError, match="index at the end"):
        check_file(late)
    with pytest.raises(NeedsRemuxError, match="not WebM"):
        check_file(text)
    with pytest.raises(InputError, match="is empty"):
        check_file(empty)

"""The child is fenced in: hostile bytes, hangs, crashes and bombs end one stream, in time."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from strad.errors import (
    DecoderError,
    MediaError,
    NoMediaError,
    PeerGoneError,
    RefusedSourceError,
    StradError,
)
from streaming.ingest import IngestOptions, open_media
from streaming.sources import BytesSource, Container, FileSource, Protocol, UrlSource
from tests.streaming.clips import Recipe, clip, webm
from tests.streaming.ingested import ingest, ingest_bytes, ingest_file, pieces

pytestmark = pytest.mark.media

SHORT = IngestOptions(open_seconds=1.5, stall_seconds=1.5)


def children() -> set[int]:
    """The children of this process, but for other programs that other tests have started."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        found |= {int(pid) for pid in (task / "children").read_text().split()}
    return {pid for pid in found if not _another_program(pid)}


def _another_program(pid: int) -> bool:
    """A zombie has no command line any more, and counts."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return bool(command) and b"streaming.decoder" not in command


def told_to(child: int) -> bytes:
    """A process's environment and arguments."""
    return b"".join(Path(f"/proc/{child}/{what}").read_bytes() for what in ("environ", "cmdline"))


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


async def forever(start: bytes, more: bytes, pause: float = 0.0) -> AsyncIterator[bytes]:
    """``start``, then ``more`` without end."""
    yield start
    while True:
        await asyncio.sleep(pause)
        yield more


async def then_silence(start: bytes) -> AsyncIterator[bytes]:
    yield start
    await asyncio.sleep(3600)


async def then_fails(start: bytes, error: StradError) -> AsyncIterator[bytes]:
    yield start
    raise error


def test_leaving_at_any_step_leaves_nothing_behind() -> None:
    data = clip(webm(seconds=2))

    async def leave_after(items: int) -> float:
        loop = asyncio.get_running_loop()
        async with open_media(BytesSource(Container.WEBM, then_silence(data))) as media:
            for _ in range(items):
                await anext(media)
            left = loop.time()
        return loop.time() - left

    async def go() -> None:
        before = descriptors()
        for items in (0, 0, 1, 2, 3, 8):
            assert await leave_after(items) < 1.0
        assert descriptors() == before

    asyncio.run(go())
    assert not children()
    for thread in threading.enumerate():
        if "waitpid" in thread.name:
            thread.join(1)
            assert not thread.is_alive()


def test_a_cancelled_reader_leaves_nothing_behind() -> None:
    async def read() -> None:
        source = BytesSource(Container.WEBM, then_silence(clip(webm(seconds=1))))
        async with open_media(source) as media:
            async for _ in media:
                pass

    async def go() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await read()

    asyncio.run(go())
    assert not children()


def test_an_error_in_the_reader_comes_out_unwrapped() -> None:
    async def go() -> None:
        source = BytesSource(Container.WEBM, then_silence(clip(webm(seconds=1))))
        async with open_media(source) as media:
            await anext(media)
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        asyncio.run(go())
    assert not children()


@pytest.mark.parametrize(
    "wound",
    [
        (signal.SIGSEGV, "died .SIGSEGV"),
        pytest.param(
            (signal.SIGSTOP, "no decodable media came|nothing was sent"), marks=pytest.mark.slow
        ),
    ],
    ids=lambda wound: wound[0].name,
)
def test_a_child_that_crashes_or_hangs_ends_its_stream(wound: tuple[signal.Signals, str]) -> None:
    async def go() -> None:
        before = children()
        source = BytesSource(Container.WEBM, pieces(clip(webm(seconds=9)), 2048, 0.05))
        async with open_media(source, SHORT) as media:
            await anext(media)
            (child,) = children() - before
            os.kill(child, wound[0])
            async for _ in media:
                pass

    with pytest.raises(StradError, match=wound[1]):
        asyncio.run(go())
    assert not children()


@pytest.mark.parametrize("container", list(Container))
def test_endless_noise_is_ended_by_its_bytes_or_its_time(container: Container) -> None:
    noise = os.urandom(1 << 16)
    options = IngestOptions(open_seconds=5, open_bytes=1 << 20)
    with pytest.raises(MediaError):
        ingest(BytesSource(container, forever(noise, noise)), options)


def test_a_good_start_and_then_noise_is_ended() -> None:
    good, noise = clip(webm(seconds=2)), os.urandom(1 << 16)
    options = IngestOptions(stall_seconds=5, stall_bytes=4 << 20)
    with pytest.raises(MediaError):
        ingest(BytesSource(Container.WEBM, forever(good, noise)), options)


def test_a_sender_that_says_nothing_is_given_up() -> None:
    with pytest.raises(PeerGoneError, match=r"nothing was sent for 1\.5 s"):
        ingest(BytesSource(Container.WEBM, then_silence(b"")), SHORT)


def test_one_byte_at_a_time_is_no_excuse() -> None:
    slow = forever(b"\x1a", b"\x45", pause=0.2)
    with pytest.raises(NoMediaError, match="no decodable media"):
        ingest(BytesSource(Container.WEBM, slow), SHORT)


def test_a_sender_that_fails_is_told_after_what_it_sent() -> None:
    source = BytesSource(Container.WEBM, then_fails(clip(webm(seconds=2)), PeerGoneError("gone")))
    seen = 0

    async def go() -> None:
        nonlocal seen
        async with open_media(source) as media:
            async for _ in media:
                seen += 1

    with pytest.raises(PeerGoneError, match="gone"):
        asyncio.run(go())
    assert seen >= 20


@pytest.mark.parametrize(
    "script",
    [
        b"ffconcat version 1.0\nfile %s\n",
        b"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n%s\n",
        b"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\nm=video 5004 RTP/AVP 96\r\n%s",
    ],
)
@pytest.mark.parametrize("container", [Container.WEBM, Container.MPEGTS, Container.FLV])
def test_playlists_in_disguise_open_nothing(
    tmp_path: Path, script: bytes, container: Container
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/x.ts".encode()
        secret = tmp_path / "secret.webm"
        secret.write_bytes(clip(webm(seconds=1)))
        os.utime(secret, (0, 0))
        for target in (url, str(secret).encode()):
            data = (script % target).ljust(4096, b"\n")
            with pytest.raises(MediaError):
                ingest_bytes(data, container)
            if container is Container.WEBM:
                with pytest.raises((MediaError, RefusedSourceError)):
                    ingest_file(tmp_path, data, "x.m3u8")
        with pytest.raises(TimeoutError):
            server.accept()
        assert secret.stat().st_atime == 0


def test_a_huge_picture_is_refused_before_it_is_decoded() -> None:
    data = clip(webm(seconds=1))
    wide = data.replace(b"\xb0\x82\x01\x40", b"\xb0\x82\x40\x00")
    wide = wide.replace(b"\xba\x81\xb4", b"\xba\x81\xff")
    assert wide != data
    with pytest.raises(MediaError, match="too large"):
        ingest_bytes(wide, Container.WEBM, IngestOptions(max_pixels=1920 * 1080))


@pytest.mark.slow
def test_memory_has_a_limit(tmp_path: Path) -> None:
    options = IngestOptions(memory=150 << 20)
    data = clip(Recipe(size=(3840, 2160), seconds=0.2, sound=None, options={"crf": "51"}))
    with pytest.raises(DecoderError, match="needs more than 150 MiB"):
        ingest_file(tmp_path, data, options=options)


def test_what_a_reader_does_not_take_is_not_decoded() -> None:
    taken = 0

    async def counted(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        nonlocal taken
        async for chunk in chunks:
            taken += len(chunk)
            yield chunk

    async def go() -> None:
        data = clip(webm(seconds=10))
        source = BytesSource(Container.WEBM, counted(forever(data, data)))
        async with open_media(source, IngestOptions(fps=30)) as media:
            await anext(media)
            await asyncio.sleep(1.5)
            assert taken <= 8 * len(data)
            assert taken <= 4 << 20

    asyncio.run(go())


def test_the_child_sees_none_of_our_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRAD_TOKEN", "hunter2")

    async def go() -> bytes:
        before = children()
        source = BytesSource(Container.WEBM, then_silence(clip(webm(seconds=1))))
        async with open_media(source) as media:
            await anext(media)
            (child,) = children() - before
            return await asyncio.to_thread(told_to, child)

    assert b"hunter2" not in asyncio.run(go())


def serve(answer: bytes) -> tuple[socket.socket, Callable[[], None]]:
    """A one-answer HTTP server on a thread."""
    server = socket.create_server(("127.0.0.1", 0))

    def answering() -> None:
        try:
            while True:
                peer, _ = server.accept()
                with peer:
                    peer.recv(4096)
                    peer.sendall(answer)
        except OSError:
            return

    thread = threading.Thread(target=answering)
    thread.start()

    def stop() -> None:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join(2)

    return server, stop


def test_a_url_is_fetched_and_its_refusals_are_told() -> None:
    body = clip(Recipe(container="mpegts", seconds=2))
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(body)
    answers: dict[bytes, type[StradError] | None] = {
        head + body: None,
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n": StradError,
        b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n": StradError,
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwords": MediaError,
    }
    for answer, error in answers.items():
        server, stop = serve(answer)
        source = UrlSource(f"http://user:hunter2@127.0.0.1:{server.getsockname()[1]}/x")
        try:
            if error is None:
                assert ingest(source).times[:2] == [0, 1000]
            else:
                with pytest.raises(error) as told:
                    ingest(source)
                assert "hunter2" not in str(told.value)
        finally:
            stop()


def test_a_url_nobody_answers_is_a_peer_that_is_gone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(PeerGoneError, match="can't be reached"):
        ingest(UrlSource(f"http://127.0.0.1:{port}/x.ts"))
    with pytest.raises(StradError):
        ingest(UrlSource(f"srt://127.0.0.1:{port}", Protocol.SRT), SHORT)


@pytest.mark.slow
def test_many_readers_that_leave_at_once_leave_nothing(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(clip(Recipe(seconds=1)))

    async def one(items: int) -> None:
        async with open_media(FileSource(path)) as media:
            for _ in range(items):
                await anext(media)

    async def go() -> None:
        for turn in range(60):
            async with asyncio.TaskGroup() as group:
                for items in range(3):
                    group.create_task(one((turn + items) % 5))

    before = descriptors()
    asyncio.run(go())
    assert descriptors() <= before  # the loop, as it ends, closes that of the last child's end
    assert not children()


@pytest.mark.slow
def test_a_real_bomb_ends_within_its_memory(tmp_path: Path) -> None:
    recipe = Recipe(size=(8192, 8192), fps=2, seconds=1, sound=None, options={"crf": "51"})
    with pytest.raises(MediaError, match="too large"):
        ingest_file(tmp_path, clip(recipe), options=IngestOptions(memory=600 << 20))

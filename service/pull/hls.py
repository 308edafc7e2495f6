"""HLS followed: the bytes of one variant's segments, one after the other, live or to its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from service.pull.fetcher import Fetcher
from service.pull.playlist import (
    MediaPlaylist,
    Part,
    Segment,
    Variant,
    choose,
    parse_playlist,
)
from service.settings import Pull
from strad.errors import MediaError, PeerGoneError
from strad.wire.publishing import Container
from streaming.sources import redacted

BEHIND = 3
"""Segments before the live end at which following begins (RFC 8216, section 6.3.3)."""

GONE = (404, 410)

STANDS_STILL = 4.0
"""Target durations without a new segment after which a live playlist is dead."""


class HlsSource:
    """One stream. ``open`` it, then iterate ``chunks`` once."""

    def __init__(self, fetcher: Fetcher, settings: Pull, url: str) -> None:
        self._fetcher = fetcher
        self._settings = settings
        self._url = url
        self._playlist = MediaPlaylist((), 6.0, ended=False)
        self._head: Part | None = None

    async def open(self) -> Container:
        """Fetch the playlists, choose a variant. Raises what ``Fetcher.get`` does."""
        found = await self._fetch_playlist()
        if not isinstance(found, MediaPlaylist):
            self._url = choose(found).url
            found = await self._fetch_playlist()
        if not isinstance(found, MediaPlaylist):
            raise MediaError(f"{redacted(self._url)}: a playlist of playlists of playlists")
        self._playlist = found
        if not found.segments and found.ended:
            raise MediaError(f"{redacted(self._url)}: a playlist without segments")
        whole = any(segment.head for segment in found.segments)
        return Container.MP4 if whole else Container.MPEGTS

    async def chunks(self) -> AsyncIterator[bytes]:
        """The bytes. Raises what ``Fetcher.get`` does, PeerGoneError where no more comes."""
        clock = asyncio.get_running_loop().time
        known = self._playlist
        begin = known.segments if known.ended else known.segments[-BEHIND:]
        following = begin[0].number if begin else 0
        grown = clock()
        while True:
            new = [s for s in self._playlist.segments if s.number >= following]
            for segment in new:
                async for chunk in self._segment(segment):
                    yield chunk
                following, grown = segment.number + 1, clock()
            if self._playlist.ended:
                return
            target = self._playlist.target
            if clock() - grown > max(self._settings.silence, STANDS_STILL * target):
                raise PeerGoneError(f"{redacted(self._url)}: its playlist stands still")
            await asyncio.sleep(target / 2)
            self._playlist = await self._again()

    async def _segment(self, segment: Segment) -> AsyncIterator[bytes]:
        if segment.gap:
            return
        if segment.head is not None and segment.head != self._head:
            if self._head is not None:
                raise MediaError(f"{redacted(self._url)}: its init segment changed")
            self._head = segment.head
            async for chunk in self._part(segment.head):
                yield chunk
        async for chunk in self._part(segment.part):
            yield chunk

    async def _part(self, part: Part) -> AsyncIterator[bytes]:
        """One part, asked for again as long as none of it has come.

        One of a live stream that is gone already is passed over: we came too late for it.
        """
        also = () if self._playlist.ended else GONE
        for attempt in range(self._settings.reconnects + 1):
            begun = False
            try:
                async with self._fetcher.get(part.url, part.span, also) as answer:
                    if answer.status in also:
                        return
                    async for chunk in answer.chunks(self._settings.max_segment):
                        begun = True
                        yield chunk
            except PeerGoneError:
                if begun or attempt == self._settings.reconnects:
                    raise
                await asyncio.sleep(pause(attempt))
            else:
                return

    async def _again(self) -> MediaPlaylist:
        for attempt in range(self._settings.reconnects + 1):
            try:
                found = await self._fetch_playlist()
            except (PeerGoneError, MediaError):
                if attempt == self._settings.reconnects:
                    raise
                await asyncio.sleep(pause(attempt))
            else:
                if isinstance(found, MediaPlaylist):
                    return found
                raise MediaError(f"{redacted(self._url)}: has become a list of variants")
        raise PeerGoneError(f"{redacted(self._url)}: can't be reached any more")

    async def _fetch_playlist(self) -> MediaPlaylist | tuple[Variant, ...]:
        async with self._fetcher.get(self._url) as answer:
            self._url = answer.url
            return parse_playlist(await answer.text(self._settings.max_playlist), answer.url)


def pause(attempt: int) -> float:
    """Wall seconds before asking once more."""
    return min(8.0, 0.5 * 2.0**attempt)

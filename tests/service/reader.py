"""Reads what ``strad listen --jsonl`` writes, and holds it against what must have been told."""

from __future__ import annotations

import json
import re
import subprocess
import threading
from itertools import pairwise

import pytest

LINE = re.compile(r"Line \d+ of many\.")
"""What the service of ``lines_to_say`` says, each once."""


class Reader:
    """Reads a viewer's lines in a thread."""

    def __init__(self, viewer: subprocess.Popen[str]) -> None:
        self.messages: list[dict[str, object]] = []
        self._some = threading.Condition()
        self._viewer = viewer
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        assert self._viewer.stdout is not None
        for line in self._viewer.stdout:
            with self._some:
                self.messages.append(json.loads(line))
                self._some.notify_all()

    def ads(self) -> list[dict[str, object]]:
        return [message for message in self.messages if message["type"] == "ad"]

    def wait_for_ads(self, count: int, limit: float = 60.0) -> None:
        with self._some:
            assert self._some.wait_for(lambda: len(self.ads()) >= count, limit), self.messages

    def end(self) -> None:
        self._thread.join(30)
        assert not self._thread.is_alive()

    def check(self, told: int, *tracks: str, seconds: float) -> None:
        """Each once, in order, in each of ``tracks`` too, more than ``told``, to the end.

        What was withdrawn, since nobody heard the media under it, is in no track.
        """
        ads = self.ads()
        assert len(ads) > told
        assert len({str(ad["text"]) for ad in ads}) == len(ads)
        assert [ad["number"] for ad in ads] == list(range(1, len(ads) + 1))
        numbers = [int(str(message["seq"])) for message in self.messages if message.get("seq")]
        assert numbers == list(range(1, len(numbers) + 1))
        gone = {m["id"]: m["reason"] for m in self.messages if m["type"] == "withdraw"}
        assert set(gone.values()) <= {"unheard"}
        standing = [ad for ad in ads if ad["id"] not in gone]
        in_order = sorted(standing, key=lambda ad: float(str(ad["start"])))
        texts = [str(ad["text"]) for ad in in_order]
        assert [LINE.findall(track) for track in tracks] == [texts] * len(tracks)
        spans = [(float(str(ad["start"])), float(str(ad["end"]))) for ad in in_order]
        assert all(one[1] <= other[0] for one, other in pairwise(spans))
        assert self.messages[-1]["type"] == "end"
        summary = self.messages[-1]["summary"]
        assert isinstance(summary, dict)
        assert summary["events"] == len(ads)
        assert summary["live_edge"] == pytest.approx(seconds, abs=0.3)

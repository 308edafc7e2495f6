"""Where a stream lives: the service and the stream's name, from one URL."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit

from strad.errors import InputError
from strad.wire.asking import Wishes
from strad.wire.message import STREAM_NAME

_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_END = r"/(?P<name>[^/]+?)(?:/(?:media|events))?/?"
_WHOLE = re.compile(r"(?P<prefix>.*?)/v1/streams" + _END)
_SHORT = re.compile(r"(?P<prefix>(?!.*/v1(?:/|$)).*?)" + _END)


@dataclass(frozen=True, slots=True)
class StreamAddress:
    """One stream of one service."""

    service: str
    """``ws://host:port`` or ``wss://host:port``, with whatever path lies before ``/v1``."""
    name: str
    token: str = field(default="", repr=False)
    """A key or token for it, sent as the Authorization header; empty: none."""

    @classmethod
    def parse(cls, url: str, token: str = "") -> StreamAddress:
        """From ``http://host:port/v1/streams/NAME``, or shorter ``http://host:port/NAME``.

        ``https``, ``ws`` and ``wss`` are right too. Raises InputError.
        """
        example = "such as http://127.0.0.1:8000/v1/streams/NAME"
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
            (host or "").encode("idna")  # whoever looks it up would fail at it
        except ValueError:
            raise InputError(f"not a URL; it should be {example}") from None
        found = _WHOLE.fullmatch(parts.path) or _SHORT.fullmatch(parts.path)
        if parts.scheme not in _SCHEMES or not host or parts.username or parts.password:
            raise InputError(f"not a stream's URL; it should be {example}")
        if found is None or not re.fullmatch(STREAM_NAME, found["name"]):
            raise InputError(f"the URL names no stream; it should be {example}")
        shown = f"[{host}]" if ":" in host else host
        where = f"{shown}:{port}" if port else shown
        if not token.isascii() or any(c.isspace() for c in token):
            raise InputError("a key or token is ASCII, without spaces")
        return cls(f"{_SCHEMES[parts.scheme]}://{where}{found['prefix']}", found["name"], token)

    @property
    def media(self) -> str:
        """Where it is published."""
        return f"{self.service}/v1/streams/{self.name}/media"

    def events(self, after: int = 0, log: str | None = None, wishes: Wishes | None = None) -> str:
        """Where it is watched, from after message ``after`` of the log called ``log``."""
        query = {"after": str(after)} | ({"log": log} if log is not None else {})
        if wishes is not None:
            query |= _as_query(wishes)
        return f"{self.service}/v1/streams/{self.name}/events?{urlencode(query)}"

    @property
    def on_loopback(self) -> bool:
        """Whether the service runs on this machine; no proxy leads there."""
        host = urlsplit(self.service).hostname or ""
        try:
            return host == "localhost" or ip_address(host).is_loopback
        except ValueError:
            return False


def _as_query(wishes: Wishes) -> dict[str, str]:
    """What isn't the default, as the address of a stream's events says it."""
    given = wishes.model_dump(mode="json", exclude_defaults=True)
    return {
        key: ",".join(value) if isinstance(value, list | tuple) else value
        for key, value in given.items()
    }

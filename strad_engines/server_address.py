"""Where a server is and the key to it: checked once, shown to no one."""

from __future__ import annotations

from dataclasses import dataclass, field

import httpx

from strad.errors import InputError

CONNECT_S = 10.0
"""For one connection attempt."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """An OpenAI-compatible server. The key goes there alone, and is in no message or ``repr``."""

    base_url: str
    """As clients have it, with ``/v1`` and without a slash at the end."""
    key: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, base_url: str, key: str | None = None) -> ServerAddress:
        """Raises InputError for what can't be a server or a key."""
        if key is not None and not (key.isascii() and key.isprintable() and key.split() == [key]):
            raise InputError("the engine's key is not one word of printable ASCII")
        try:
            url = httpx.URL(base_url)
        except httpx.InvalidURL as error:
            raise InputError(f"not a URL: {error}") from None
        if url.scheme not in ("http", "https") or not url.host:
            raise InputError(f"want http:// or https:// and a host: {base_url!r}")
        if url.userinfo or url.query or url.fragment:
            raise InputError("the engine's URL may hold no password, query or fragment")
        return cls(str(url).rstrip("/"), key)

    @property
    def root(self) -> str:
        """Where the server's own endpoints are, beside the OpenAI ones."""
        return self.base_url.removesuffix("/v1")

    def client(self) -> httpx.AsyncClient:
        """A client of this server only: no proxy, no redirect, nothing from the environment."""
        headers = {"content-type": "application/json"}
        if self.key is not None:
            headers["authorization"] = f"Bearer {self.key}"
        return httpx.AsyncClient(
            headers=headers,
            timeout=httpx.Timeout(None, connect=CONNECT_S),  # a deadline bounds the rest
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=32),
            trust_env=False,
        )

    def without_key(self, said: str) -> str:
        """A server's words, the key cut out."""
        return said.replace(self.key, "[key]") if self.key else said


def why(error: Exception) -> str:
    """What went wrong with a connection, in words."""
    return str(error) or type(error).__name__

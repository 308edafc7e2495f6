"""JWKS: the public keys that tokens are signed with, from a file or URL of the operator's.

Keys rotate: an unknown key id makes the set be fetched again, but not oftener than every few
seconds, whoever asks. While the issuer can't be reached, the keys fetched last hold for a while.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from jwt.algorithms import RSAAlgorithm
from jwt.exceptions import InvalidKeyError

from service.loopback import is_loopback
from strad.errors import InputError, OverloadedError, StradError, UnauthorizedError
from strad.text_file import read_text

REFRESH = 300.0
"""Seconds after which the set is fetched again."""
AGAIN = 5.0
"""Seconds between two fetches, whatever the reason."""
STALE = 3_600.0
"""Seconds that keys hold while the set can't be fetched."""
FETCH_LIMIT = 5.0
MOST_BYTES = 256 * 1024
MOST_KEYS = 64
LEAST_BITS = 2_048
"""Of an RSA key (RFC 7518, section 3.3)."""


class Jwks:
    """Finds the key of a token. Fetches nothing before it is asked."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._url = source if "://" in source else ""
        if self._url:
            check_jwks_url(self._url)
        self._keys: Mapping[str, RSAPublicKey] = {}
        self._fetched: float | None = None
        self._tried: float | None = None
        self._turn = asyncio.Lock()

    async def key(self, key_id: str | None) -> RSAPublicKey:
        """The key called ``key_id``; without one, the only key there is.

        Raises UnauthorizedError for an unknown key, OverloadedError while there are none to be had.
        """
        if self._age(self._fetched) >= REFRESH or self._find(key_id) is None:
            async with self._turn:
                if self._age(self._fetched) >= REFRESH or self._find(key_id) is None:
                    await self._refresh()
        if self._age(self._fetched) >= STALE:
            raise OverloadedError("the token issuer's keys can't be had; try again later")
        found = self._find(key_id)
        if found is None:
            raise UnauthorizedError("this token is signed with a key that its issuer doesn't have")
        return found

    def _find(self, key_id: str | None) -> RSAPublicKey | None:
        if key_id is None:
            return next(iter(self._keys.values())) if len(self._keys) == 1 else None
        return self._keys.get(key_id)

    def _age(self, moment: float | None) -> float:
        now = asyncio.get_running_loop().time()
        return float("inf") if moment is None else now - moment

    async def _refresh(self) -> None:
        if self._age(self._tried) < AGAIN:
            return
        self._tried = asyncio.get_running_loop().time()
        try:
            text = await _fetch(self._url) if self._url else read_text(Path(self._source))
            self._keys = parse_jwks(text)
        except (httpx.HTTPError, TimeoutError, StradError):
            return
        self._fetched = asyncio.get_running_loop().time()


def check_jwks_url(url: str) -> None:
    """Raises InputError for keys that others could change on their way here."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (
        parts.scheme == "http" and is_loopback(parts.hostname or "")
    ):
        raise InputError("setting auth.jwks must be a file or an https URL")


def parse_jwks(text: str) -> dict[str, RSAPublicKey]:
    """The RSA keys for signatures, by id. Others are passed over. Raises InputError."""
    try:
        listed = json.loads(text)["keys"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError("the issuer's keys are not a JWKS") from None
    found: dict[str, RSAPublicKey] = {}
    for number, entry in enumerate(listed[:MOST_KEYS] if isinstance(listed, list) else ()):
        key = _rsa_key(entry)
        if key is not None:
            found[str(entry.get("kid", f"#{number}"))] = key
    return found


def _rsa_key(entry: object) -> RSAPublicKey | None:
    if not isinstance(entry, dict) or entry.get("kty") != "RSA":
        return None
    if entry.get("use", "sig") != "sig" or entry.get("alg", "RS256") != "RS256":
        return None
    try:
        key = RSAAlgorithm.from_jwk({part: entry[part] for part in ("kty", "n", "e")})
    except (InvalidKeyError, ValueError, KeyError, TypeError):
        return None
    strong = isinstance(key, RSAPublicKey) and key.key_size >= LEAST_BITS
    return key if strong and isinstance(key, RSAPublicKey) else None


async def _fetch(url: str) -> str:
    body = bytearray()
    async with (
        asyncio.timeout(FETCH_LIMIT),
        httpx.AsyncClient() as client,
        client.stream("GET", url) as answer,
    ):
        answer.raise_for_status()
        async for chunk in answer.aiter_bytes():
            body += chunk
            if len(body) > MOST_BYTES:
                raise InputError(f"the issuer's keys are over {MOST_BYTES} bytes")
    return body.decode("utf-8", "replace")

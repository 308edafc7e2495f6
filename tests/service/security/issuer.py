"""An issuer of tokens: makes them, right and wrong, and serves its public keys over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from service.security.calendar import now

SECRET = "a shared secret of the tests, long enough for HS384 too"
ISSUER, AUDIENCE = "https://id.example", "strad"


def claims(**changes: Any) -> dict[str, Any]:
    """What a right token says, with changes; a claim changed to None is left out."""
    right = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "exp": now() + timedelta(hours=3),  # longer than any run: some are made when files are read
        "sub": "ada",
        "scope": "publish subscribe",
    }
    return {name: value for name, value in (right | changes).items() if value is not None}


def hs256(secret: str = SECRET, **changes: Any) -> str:
    """A token signed with a shared secret."""
    return jwt.encode(claims(**changes), secret, algorithm="HS256")


@cache
def rsa_key(name: str, bits: int = 2_048) -> rsa.RSAPrivateKey:
    """One of the issuer's keys."""
    del name
    return rsa.generate_private_key(public_exponent=65_537, key_size=bits)


def rs256(key: str = "first", kid: str | None = None, **changes: Any) -> str:
    """A token signed with one of the issuer's keys."""
    headers = {"kid": kid or key}
    return jwt.encode(claims(**changes), rsa_key(key), algorithm="RS256", headers=headers)


def jwks(*keys: str) -> str:
    """The public halves."""
    listed = [
        RSAAlgorithm.to_jwk(rsa_key(key).public_key(), as_dict=True)
        | {"kid": key, "use": "sig", "alg": "RS256"}
        for key in keys
    ]
    return json.dumps({"keys": listed})


class Issuer:
    """Serves ``body`` to whoever asks."""

    def __init__(self) -> None:
        self.body = jwks("first")
        self.asked = 0
        self.url = ""
        self.broken = False

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.asked += 1
        status = "500 Oops" if self.broken else "200 OK"
        body = self.body.encode()
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def issuing() -> AsyncIterator[Issuer]:
    """An issuer on a free loopback port."""
    issuer = Issuer()
    async with await asyncio.start_server(issuer.answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        issuer.url = f"http://127.0.0.1:{port}/jwks.json"
        yield issuer

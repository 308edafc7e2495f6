"""Tokens: right ones are read, and expired, forged, strange and confused ones refused."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
from datetime import timedelta
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service.security import jwks as module
from service.security.calendar import now
from service.security.caller import Caller, Scope
from service.security.jwks import Jwks, parse_jwks
from service.security.tokens import TokenReader
from service.settings import Auth
from strad.errors import InputError, OverloadedError, UnauthorizedError
from tests.service.security.issuer import (
    AUDIENCE,
    ISSUER,
    SECRET,
    claims,
    hs256,
    issuing,
    jwks,
    rs256,
    rsa_key,
)

pytestmark = pytest.mark.service

SHARED = Auth(secret=SECRET, issuer=ISSUER, audience=AUDIENCE, leeway=5)


def read(token: str, auth: Auth = SHARED) -> Caller:
    return asyncio.run(TokenReader(auth).read(token))


def public(tmp_path: Path, *keys: str) -> Auth:
    file = tmp_path / "jwks.json"
    file.write_text(jwks(*keys))
    return Auth(jwks=str(file), issuer=ISSUER, audience=AUDIENCE)


def test_a_right_token_says_who_what_and_where() -> None:
    caller = read(hs256(streams=["news-*", "sport"]))
    assert caller.id == "token:ada"
    assert caller.scopes == {Scope.PUBLISH, Scope.SUBSCRIBE}
    assert caller.streams == ("news-*", "sport")
    assert caller.expires is not None
    assert read(hs256(stream="news")).streams == ("news",)
    assert read(hs256(aud=["other", AUDIENCE])).id == "token:ada"
    assert read(hs256(scope=None, scopes=["admin"])).scopes == {Scope.ADMIN}
    assert read(hs256(scope=None)).scopes == frozenset()


def test_clocks_may_differ_by_the_leeway() -> None:
    read(hs256(exp=now() - timedelta(seconds=2)))
    read(hs256(nbf=now() + timedelta(seconds=2)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"exp": now() - timedelta(minutes=1)}, "has expired"),
        ({"nbf": now() + timedelta(days=1)}, "does not hold yet"),
        ({"iss": "https://evil.example"}, "another issuer"),
        ({"aud": "other"}, "another service"),
        ({"exp": None}, "needs exp, iss, aud"),
        ({"iss": None}, "needs exp, iss, aud"),
        ({"aud": None}, "needs exp, iss, aud"),
        ({"exp": "soon"}, "not a valid token"),
        ({"exp": 10**18}, "exp can't be read"),
        ({"streams": "a/b"}, "streams can't be read"),
        ({"streams": {"all": True}}, "streams can't be read"),
    ],
)
def test_a_token_that_says_something_else_is_refused(
    changes: dict[str, object], words: str
) -> None:
    with pytest.raises(UnauthorizedError, match=words):
        read(hs256(**changes))


def _part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _unsigned(alg: str) -> str:
    body = claims() | {"exp": int((now() + timedelta(minutes=5)).timestamp())}
    return f"{_part({'alg': alg, 'typ': 'JWT'})}.{_part(body)}."


def _signed_with_the_public_key() -> str:
    public_key = rsa_key("first").public_key()
    pem = public_key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    body = claims() | {"exp": int((now() + timedelta(minutes=5)).timestamp())}
    text = f"{_part({'alg': 'HS256', 'typ': 'JWT', 'kid': 'first'})}.{_part(body)}"
    mac = hmac.digest(pem, text.encode(), hashlib.sha256)
    return f"{text}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"


def test_forged_tokens_are_refused(tmp_path: Path) -> None:
    right = hs256()
    head, body, signature = right.split(".")
    other = _part(claims(scope="admin") | {"exp": 2_000_000_000})
    for forged in (
        hs256("another secret, long enough for HS256"),
        f"{head}.{other}.{signature}",
        f"{head}.{body}.",
        f"{head}.{body}.{signature[:-4]}AAAA",
        _unsigned("none"),
        _unsigned("None"),
        _unsigned("HS256"),
        jwt.encode(claims(), SECRET, algorithm="HS384"),
        rs256(),
        "",
        "a.b.c",
        "x" * 9_000,
        "\ud800",
    ):
        with pytest.raises(UnauthorizedError):
            read(forged)
    with pytest.raises(UnauthorizedError, match="signed with RS256 here"):
        read(_signed_with_the_public_key(), public(tmp_path, "first"))
    with pytest.raises(UnauthorizedError, match="signed with RS256 here"):
        read(_unsigned("none"), public(tmp_path, "first"))


def test_rs256_by_a_file_of_public_keys(tmp_path: Path) -> None:
    assert read(rs256(), public(tmp_path, "first")).id == "token:ada"
    with pytest.raises(UnauthorizedError, match="signature is wrong"):
        read(rs256("second", kid="first"), public(tmp_path, "first"))
    with pytest.raises(UnauthorizedError, match="a key that its issuer doesn't have"):
        read(rs256("second"), public(tmp_path, "first"))


def test_keys_rotate_and_an_unknown_one_is_not_asked_for_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def go() -> None:
        async with issuing() as issuer:
            reader = TokenReader(Auth(jwks=issuer.url, issuer=ISSUER, audience=AUDIENCE))
            await reader.read(rs256())
            await reader.read(rs256())
            assert issuer.asked == 1
            issuer.body = jwks("first", "second")
            for _ in range(5):
                with pytest.raises(UnauthorizedError):
                    await reader.read(rs256("second"))
            assert issuer.asked == 1, "not so soon"
            monkeypatch.setattr(module, "AGAIN", 0.0)
            await reader.read(rs256("second"))
            assert issuer.asked == 2
            issuer.body = jwks("second")
            monkeypatch.setattr(module, "REFRESH", 0.0)
            with pytest.raises(UnauthorizedError):
                await reader.read(rs256("first"))

    asyncio.run(go())


def test_an_issuer_that_is_away_or_talks_nonsense_leaves_the_old_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "AGAIN", 0.0)
    monkeypatch.setattr(module, "REFRESH", 0.0)

    async def go() -> None:
        async with issuing() as issuer:
            auth = Auth(jwks=issuer.url, issuer=ISSUER, audience=AUDIENCE)
            issuer.broken = True
            with pytest.raises(OverloadedError, match="keys can't be had"):
                await TokenReader(auth).read(rs256())
            issuer.broken = False
            reader = TokenReader(auth)
            await reader.read(rs256())
            for body in ("{", '{"keys": 7}x', "[" * 100_000, " " * 300_000):
                issuer.body = body
                await reader.read(rs256())
            issuer.broken = True
            await reader.read(rs256())
            monkeypatch.setattr(module, "STALE", 0.0)
            with pytest.raises(OverloadedError, match="keys can't be had"):
                await reader.read(rs256())

    asyncio.run(go())


def test_weak_and_other_keys_are_passed_over() -> None:
    weak = {**json.loads(jwks("first"))["keys"][0], "kid": "enc", "use": "enc"}
    entries = [weak, 7, {"kty": "oct", "k": "AAAA", "kid": "o"}, {"kty": "RSA", "kid": "broken"}]
    assert parse_jwks(json.dumps({"keys": entries})) == {}
    short = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(rsa_key("short", 1_024).public_key())) | {
        "kid": "short"
    }
    assert parse_jwks(json.dumps({"keys": [short]})) == {}


@pytest.mark.parametrize("url", ["http://id.example/jwks", "ftp://id.example/jwks"])
def test_public_keys_come_by_a_safe_way(url: str) -> None:
    with pytest.raises(InputError, match="https"):
        Jwks(url)

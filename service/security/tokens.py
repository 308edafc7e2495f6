"""Tokens: JWT of the operator's own issuer, signed in the one way the settings say.

The algorithm comes from the settings, never from the token: so ``none``, and an RS256 public key
used as an HS256 secret, are refused before anything is verified.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from service.security.caller import Caller, Quota, check_patterns, parse_scopes
from service.security.jwks import Jwks
from service.settings import Auth
from strad.errors import InputError, UnauthorizedError
from strad.wire.auth import MAX_TOKEN

NEEDED = ("exp", "iss", "aud")

WRONG: Mapping[type[jwt.PyJWTError], str] = {
    jwt.ExpiredSignatureError: "this token has expired",
    jwt.ImmatureSignatureError: "this token does not hold yet",
    jwt.InvalidIssuerError: "this token is from another issuer",
    jwt.InvalidAudienceError: "this token is for another service",
    jwt.MissingRequiredClaimError: f"a token needs {', '.join(NEEDED)}",
    jwt.InvalidSignatureError: "this token's signature is wrong",
}
"""What is told. Which part of a forged token was nearly right is not."""


class TokenReader:
    """Reads tokens as the settings say."""

    def __init__(self, auth: Auth) -> None:
        self._auth = auth
        self._algorithm = "HS256" if auth.secret else "RS256"
        self._jwks = Jwks(auth.jwks) if auth.jwks else None

    async def read(self, token: str) -> Caller:
        """Who comes with ``token``. Raises UnauthorizedError, OverloadedError."""
        if len(token) > MAX_TOKEN or not token.isascii():
            raise UnauthorizedError(f"a token has at most {MAX_TOKEN} characters, all ASCII")
        key = await self._key(token)
        try:
            claims = jwt.decode(
                token,
                key,
                algorithms=[self._algorithm],
                audience=self._auth.audience,
                issuer=self._auth.issuer,
                leeway=self._auth.leeway,
                options={"require": list(NEEDED)},
            )
        except jwt.PyJWTError as error:
            raise UnauthorizedError(WRONG.get(type(error), "this is not a valid token")) from None
        return self._caller(claims)

    async def _key(self, token: str) -> str | RSAPublicKey:
        try:
            head = jwt.get_unverified_header(token)
        except jwt.PyJWTError:
            raise UnauthorizedError("this is neither a key, a ticket nor a token") from None
        if head.get("alg") != self._algorithm:
            raise UnauthorizedError(f"tokens are signed with {self._algorithm} here")
        if self._jwks is None:
            return self._auth.secret
        key_id = head.get("kid")
        return await self._jwks.key(key_id if isinstance(key_id, str) else None)

    def _caller(self, claims: Mapping[str, Any]) -> Caller:
        auth = self._auth
        try:
            streams = check_patterns(claims.get("streams", claims.get("stream", "*")))
        except InputError:
            raise UnauthorizedError("this token's streams can't be read") from None
        try:
            expires = datetime.fromtimestamp(float(claims["exp"]), UTC)
        except (OverflowError, OSError, ValueError):
            raise UnauthorizedError("this token's exp can't be read") from None
        who = str(claims.get("sub", ""))[:200] or "anonymous"
        scopes = parse_scopes(claims.get("scope", claims.get("scopes", ())))
        quota = Quota(auth.streams, auth.viewers, auth.requests)
        return Caller(f"token:{who}", scopes, quota, streams, expires)

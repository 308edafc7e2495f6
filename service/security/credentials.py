"""Credentials: where a request carries them, and where it must not."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import HTTPConnection

from strad.errors import UnauthorizedError

IN_URL = frozenset({"token", "access_token", "key", "api_key", "apikey", "ticket", "jwt", "auth"})
"""Query parameters that would hold a credential."""

NEEDED = "show a key or token: Authorization: Bearer KEY, or an auth message first"


def refuse_in_url(connection: HTTPConnection) -> None:
    """Raises UnauthorizedError for a key in the URL, which every log on the way would keep."""
    query: bytes = connection.scope.get("query_string", b"")
    for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if name.lower() in IN_URL:
            raise UnauthorizedError(
                f"no {name.lower()} in a URL, where logs would keep it: send the header "
                "Authorization: Bearer, or a ticket as docs/protocol.md says"
            )


def bearer(connection: HTTPConnection) -> str | None:
    """What the Authorization header holds; None without one. Raises UnauthorizedError."""
    header = connection.headers.get("authorization")
    if header is None:
        return None
    scheme, _, credential = header.partition(" ")
    if scheme.lower() != "bearer" or not credential.strip():
        raise UnauthorizedError("the Authorization header must be: Bearer KEY")
    return credential.strip()

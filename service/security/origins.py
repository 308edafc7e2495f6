"""Origins: which web pages may talk to the service. Programs send no Origin."""

from __future__ import annotations

from collections.abc import Collection

from service.loopback import host_of, is_loopback


def is_welcome(origin: str | None, allowed: Collection[str]) -> bool:
    """Whether a request with this Origin header may come in: none, loopback's, or a listed one."""
    if origin is None or is_loopback(host_of(origin)):
        return True
    return origin.lower() in {each.lower().rstrip("/") for each in allowed}

"""Loopback: which hosts are this machine and nothing else."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Whether ``host``, a name or an address, is this machine's own loopback."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def same_address(one: str, other: str) -> bool:
    """Whether both are addresses, not names, and the same one; IPv4 in IPv6 counts as IPv4."""
    try:
        return _plain(one) == _plain(other)
    except ValueError:
        return False


def _plain(address: str) -> IPv4Address | IPv6Address:
    parsed = ip_address(address.partition("%")[0])
    return getattr(parsed, "ipv4_mapped", None) or parsed


def host_of(origin: str) -> str:
    """The host in an Origin (``http://[::1]:80``) or a Host header (``[::1]:80``); else empty."""
    try:
        return urlsplit(origin if "//" in origin else f"//{origin}").hostname or ""
    except ValueError:
        return ""

"""Addresses: which ones may be connected to on behalf of a caller. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import TypeAlias

from strad.errors import InputError, RefusedSourceError

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

OTHERS = (ip_network("168.63.129.16/32"), ip_network("192.0.0.0/24"))
"""Public by number, but a cloud's own, where its machines get secrets; and protocols' own."""

NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
TEREDO = IPv6Network("2001::/32")


class Allowed:
    """What the operator allows beside public addresses: host names, addresses, networks."""

    def __init__(self, entries: Iterable[str] = ()) -> None:
        """Raises InputError for what is none of them."""
        self._names: set[str] = set()
        self._networks: list[Network] = []
        for entry in entries:
            try:
                self._networks.append(ip_network(entry, strict=False))
            except ValueError:
                self._names.add(_name(entry))

    def check(self, host: str, address: str) -> None:
        """Raises RefusedSourceError where ``address``, of the name ``host``, may not be reached."""
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            raise RefusedSourceError(f"{host}: its address can't be read") from None
        if host.lower().rstrip(".") in self._names or any(found in net for net in self._networks):
            return
        if not is_public(found):
            raise RefusedSourceError(
                f"{host}: is not on the public internet; setting pull.allow can allow it"
            )


def is_public(address: Address) -> bool:
    """Whether it is somewhere out there: not ours, not our network's, not the cloud's own."""
    if isinstance(address, IPv6Address):
        inner = _inside(address)
        if inner is not None:
            return is_public(inner)
        if address in TEREDO or address.is_site_local:
            return False
    if any(address in net for net in OTHERS):
        return False
    odd = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not odd


def _inside(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 one stands for, where it does."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    compatible = int(address) >> 32 == 0 and int(address) > 1
    if compatible or any(address in net for net in NAT64):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return None


def _name(entry: str) -> str:
    name = entry.lower().rstrip(".")
    if not name or not all(c.isalnum() or c in ".-_" for c in name):
        raise InputError(f"setting pull.allow holds {entry!r}: a host name, address or network")
    return name

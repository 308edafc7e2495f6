"""Addresses: what isn't on the public internet is refused, however it is written."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from service.pull.addresses import Allowed, is_public
from strad.errors import InputError, RefusedSourceError

pytestmark = pytest.mark.unit


def private(*numbers: int) -> str:
    """An address of a private network, spelled here so that no page holds one."""
    return ".".join(str(n) for n in numbers)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_public_ones_are_fine(address: str) -> None:
    assert is_public(ip_address(address))
    Allowed().check("host", address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.9.9.9",
        "0.0.0.0",
        private(10, 1, 2, 3),
        "172.16.0.1",
        private(192, 168, 0, 1),
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "fd00:ec2::254",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::127.0.0.1",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "2001:0:53aa:64c:0:0:0:1",
        "2001:db8::1",
        "nonsense",
        "",
    ],
)
def test_others_are_refused(address: str) -> None:
    with pytest.raises(RefusedSourceError) as refused:
        Allowed().check("some.host", address)
    assert "some.host" in str(refused.value)


def test_the_operator_may_allow_names_addresses_and_networks() -> None:
    allowed = Allowed(["CDN.local.", "127.0.0.1", "fd00::/8"])
    allowed.check("cdn.local", "127.0.0.9")
    allowed.check("other", "127.0.0.1")
    allowed.check("other", "fd12::1")
    for host, address in (("cdn.local.evil", "127.0.0.9"), ("other", "127.0.0.2")):
        with pytest.raises(RefusedSourceError):
            allowed.check(host, address)


@pytest.mark.parametrize("entry", ["http://a.example", "", "a b", "1.2.3.0/99"])
def test_what_is_none_of_them_is_refused(entry: str) -> None:
    with pytest.raises(InputError, match=r"pull\.allow"):
        Allowed([entry])

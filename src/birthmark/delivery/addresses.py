"""Which IP addresses may be connected to: public ones.

An IPv6 address that embeds an IPv4 address is checked as that IPv4 address.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

# Beyond what `is_global` refuses, which differs between versions of Python.
_REFUSED_4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT
        "169.254.0.0/16",  # link-local, and the clouds' metadata
        "192.0.0.0/24",
        "192.88.99.0/24",  # relays to 6to4
        "198.18.0.0/15",
        "224.0.0.0/3",  # multicast and reserved
    )
)
_GLOBAL_6 = IPv6Network("2000::/3")
_REFUSED_6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # Teredo among others
        "2001:db8::/32",
        "3fff::/20",
    )
)
# IPv6 networks that embed an IPv4 address, and how many bits follow it.
_EMBEDDING = (
    (IPv6Network("::ffff:0:0/96"), 0),  # mapped
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64
    (IPv6Network("2002::/16"), 80),  # 6to4
)


def is_public(address: str) -> bool:
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        embedded = _embedded(ip)
        return _is_public_6(ip) if embedded is None else _is_public_4(embedded)
    return _is_public_4(ip)


def _embedded(ip: IPv6Address) -> IPv4Address | None:
    for network, shift in _EMBEDDING:
        if ip in network:
            return IPv4Address((int(ip) >> shift) & 0xFFFFFFFF)
    return None


def _is_public_4(ip: IPv4Address) -> bool:
    return ip.is_global and not any(ip in network for network in _REFUSED_4)


def _is_public_6(ip: IPv6Address) -> bool:
    return ip.is_global and ip in _GLOBAL_6 and not any(ip in network for network in _REFUSED_6)

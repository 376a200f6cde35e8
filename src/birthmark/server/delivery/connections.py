"""Connect to a public host, for a bounded time, after its address was checked.

The name is resolved once and the connection goes to the address that was checked, so that a name server cannot give
different answers to the check and to the connection. Proxies are not used. An IPv6 address that embeds an IPv4 address
is checked as that IPv4 address.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from queue import Empty, SimpleQueue
from threading import Thread, Timer

Resolve = Callable[[str, float], Sequence[str]]  # a host and the seconds it may take, to its IP addresses
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


class Deadline:
    """The time by which a whole attempt must be complete."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._end

    def left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError(self.message)
        return left

    @property
    def message(self) -> str:
        return f"took longer than {self.seconds:g} s"

    def reason(self, error: Exception) -> str:
        """Return the reason for a failed attempt; after the deadline, any error is due to it."""
        if self.is_over or isinstance(error, TimeoutError):
            return self.message
        words = error.strerror if isinstance(error, OSError) else None
        return words or str(error) or type(error).__name__


def resolve_host(host: str, seconds: float) -> list[str]:
    """The system's answer. The call has no time limit, so it runs in a thread that may be abandoned."""
    answers: SimpleQueue[list[str] | Exception] = SimpleQueue()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            answers.put(list(dict.fromkeys(str(address[0]) for *_, address in found)))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    Thread(target=look_up, daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if isinstance(answer, Exception):
        raise OSError(f"{host} cannot be found: {answer}") from answer
    return answer


@contextmanager
def connected(
    host: str, port: int, deadline: Deadline, allow_private: bool, resolve: Resolve = resolve_host
) -> Iterator[socket.socket]:
    """A connection that is shut down at the deadline, also while a call on it blocks."""
    addresses = resolve(host, deadline.left())
    private = [] if allow_private else [address for address in addresses if not is_public(address)]
    # A name with public and private addresses is refused: it may be an attempt to reach a private network.
    if private or not addresses:
        raise OSError(f"{host} is at {private[0]}, which is not public" if private else f"{host} has no address")
    with _connect_first(addresses, port, deadline) as connection, _shut_down_at(deadline, connection):
        yield connection


def _connect_first(addresses: Sequence[str], port: int, deadline: Deadline) -> socket.socket:
    for n_left, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
        connection = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
        try:
            connection.settimeout(deadline.left() / n_left)
            connection.connect((address, port))
            connection.settimeout(deadline.left())
            return connection
        except OSError:
            connection.close()
            if n_left == 1:
                raise
    raise AssertionError("there is an address")


@contextmanager
def _shut_down_at(deadline: Deadline, connection: socket.socket) -> Iterator[None]:
    """A second handle shuts the connection down whatever wraps the first, such as TLS."""
    with connection.dup() as handle:
        timer = Timer(deadline.left(), _shut_down, [handle])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def _shut_down(handle: socket.socket) -> None:
    with suppress(OSError):
        handle.shutdown(socket.SHUT_RDWR)


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

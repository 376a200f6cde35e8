"""Connect to a host, once looked up and checked, for a bounded time.

The name is resolved once and the connection goes to the very address that was checked, so that a name server cannot
give one answer to the check and another to the connection. No proxy is asked.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Thread, Timer

from birthmark.delivery.addresses import is_public

Resolve = Callable[[str, float], Sequence[str]]  # a host and the seconds it may take, to its IP addresses


class RefusedError(OSError):
    """A place that is not to be called."""


class Deadline:
    """A time by which all must be over, whatever was done in between."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._end

    def left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError(self.told())
        return left

    def told(self) -> str:
        return f"took longer than {self.seconds:g} s"

    def reason(self, error: Exception) -> str:
        """Why it failed: what breaks after the deadline broke because of it."""
        if self.is_over or isinstance(error, TimeoutError):
            return self.told()
        words = error.strerror if isinstance(error, OSError) else None
        return words or str(error) or type(error).__name__


def resolve_host(host: str, seconds: float) -> list[str]:
    """The system's answer, which has no time limit: it is waited for in a thread that may be left behind."""
    answers: SimpleQueue[list[str] | Exception] = SimpleQueue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            answers.put(list(dict.fromkeys(str(address[0]) for *_, address in found)))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    Thread(target=ask, daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if isinstance(answer, Exception):
        raise RefusedError(f"{host} cannot be found: {answer}") from answer
    return answer


@contextmanager
def connected(
    host: str, port: int, deadline: Deadline, allow_private: bool, resolve: Resolve = resolve_host
) -> Iterator[socket.socket]:
    """A connection that is cut when the deadline is over, in whatever call its user is then."""
    addresses = resolve(host, deadline.left())
    private = [] if allow_private else [address for address in addresses if not is_public(address)]
    # A name with one foot in a private network is refused whole: nobody honest has such a name.
    if private or not addresses:
        raise RefusedError(f"{host} is at {private[0]}, which is not public" if private else f"{host} has no address")
    with _connect_first(addresses, port, deadline) as connection, _cut_at(deadline, connection):
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
def _cut_at(deadline: Deadline, connection: socket.socket) -> Iterator[None]:
    """A second handle cuts the connection whatever is laid over the first, such as TLS."""
    with connection.dup() as handle:
        timer = Timer(deadline.left(), _cut, [handle])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def _cut(handle: socket.socket) -> None:
    with suppress(OSError):
        handle.shutdown(socket.SHUT_RDWR)

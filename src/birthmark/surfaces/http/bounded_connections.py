"""Connections of HTTP/1.1 that end when their client stalls.

A client that sends half a request, or reads no answers, would hold its connection for ever: uvicorn limits only how
long a connection is idle after an answer. While a request is being answered, nothing limits how long it is quiet.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0  # for a client to send the headers of a request, from the moment they are expected
READING_SECONDS = 60.0  # without a byte read, after which a client is taken to have gone
MAX_WAITING = 128  # connections of a process that wait for headers; the one that waits longest makes room


class BoundedConnection(H11Protocol):
    """A connection with limits for headers and for unread output."""

    header_timer: asyncio.TimerHandle | None = None
    _reading_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # so that `pause_writing` is called for any output that is not taken
        self._watch_headers()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._watch_headers()
        self.resume_writing()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reading(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading_timer is not None:
            self._reading_timer.cancel()

    def _watch_headers(self) -> None:
        """Run the timer while headers are expected: not from a request until the end of its answer."""
        is_waiting = not self.transport.is_closing() and self.conn.our_state in (h11.IDLE, h11.DONE)
        if is_waiting and self.header_timer is None:
            self.header_timer = self.loop.call_later(HEADER_SECONDS, self.transport.abort)
        elif not is_waiting and self.header_timer is not None:
            self.header_timer.cancel()
            self.header_timer = None

    def _make_room(self) -> None:
        waiting = [one for one in self.connections if isinstance(one, BoundedConnection) and one.header_timer]
        if len(waiting) > MAX_WAITING:
            longest = min(waiting, key=_deadline)
            longest.transport.abort()
            longest._watch_headers()  # no longer waits, though it is lost only in the next turn of the loop

    def _watch_reading(self, n_unread: int) -> None:
        self._reading_timer = self.loop.call_later(READING_SECONDS, self._check_reading, n_unread)

    def _check_reading(self, n_before: int) -> None:
        """Give up a client that has read nothing since the last look."""
        n_unread = self.transport.get_write_buffer_size()
        if n_unread < n_before:
            self._watch_reading(n_unread)
        else:
            self.transport.abort()


def _deadline(connection: BoundedConnection) -> float:
    assert connection.header_timer is not None
    return connection.header_timer.when()

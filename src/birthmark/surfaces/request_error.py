"""A request of a program that cannot be answered, whatever the protocol: HTTP, that of agents, that of editors."""

from __future__ import annotations


class RequestError(Exception):
    """`code` is one of the table in `http/errors.py`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

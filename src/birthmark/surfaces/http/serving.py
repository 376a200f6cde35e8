"""Listen on a port, and serve an application there."""

from __future__ import annotations

import errno
import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from birthmark.errors import BirthmarkError
from birthmark.surfaces.http.access.guards import LOOPBACK, Hosts
from birthmark.surfaces.http.bounded_connections import BoundedConnection

OPEN_TO_OTHERS = "other machines can connect, traffic is not encrypted, and the token is the only protection"
_BACKLOG = 128
_GRACE_SECONDS = 3  # for requests that are being answered when the server is stopped
_NAME = re.compile(r"([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")


# How uvicorn serves, whatever it is.
SETTINGS: dict[str, Any] = {
    "http": BoundedConnection,
    "ws": "none",
    "lifespan": "on",
    "log_config": None,
    "log_level": "critical",  # we report what goes wrong
    "access_log": False,
    "proxy_headers": False,
    "server_header": False,
    "timeout_graceful_shutdown": _GRACE_SECONDS,
}


def run_app(app: ASGIApp, listener: socket.socket) -> None:
    """In this process, until a signal stops it."""
    uvicorn.Server(uvicorn.Config(app, **SETTINGS)).run(sockets=[listener])


def check_names(allowed: Iterable[str]) -> None:
    for name in allowed:
        if not _NAME.fullmatch(name):
            raise BirthmarkError(f"{name}: is not a host name; write it as code.example or code.example:8443")


def known_hosts(listener: socket.socket, host: str, allowed: tuple[str, ...]) -> Hosts:
    """The names by which a server may be asked that listens there."""
    address, port = listener.getsockname()[:2]
    names = (host, address) if not ipaddress.ip_address(address).is_unspecified else ()
    return Hosts.of(port, (*LOOPBACK, *map(bracket, names)), allowed)


def address_of(listener: socket.socket) -> str:
    address, port = listener.getsockname()[:2]
    return f"http://{bracket(address)}:{port}"


def is_local(listener: socket.socket) -> bool:
    return ipaddress.ip_address(listener.getsockname()[0]).is_loopback


def listen(host: str, port: int) -> socket.socket:
    try:
        return _bind(host, port)
    except (socket.gaierror, UnicodeError) as error:
        raise BirthmarkError(f"{host}: is no address of this machine; name one with --host") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise BirthmarkError(f"port {port} of {host} is taken; name another with --port") from error
        raise BirthmarkError(f"cannot listen on port {port} of {host}: {error.strerror}; name others") from error


def _bind(host: str, port: int) -> socket.socket:
    """The protocol is named, because asyncio sends without delay only on sockets that it knows to be TCP."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host

"""Send a message by HTTP, signed as specified by Standard Webhooks.

Takes a hook, the message's id and its body; returns a DeliveryOutcome and never raises for errors of a receiver or the
network. A redirect is a failure: a receiver must not choose another target.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import socket
import ssl
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import NamedTuple
from urllib.parse import urlsplit

from birthmark import __version__
from birthmark.server.delivery.connections import Deadline, Resolve, connected, resolve_host
from birthmark.server.delivery.sending import DeliveryOutcome, failed, read_variable
from birthmark.sources.config import WebhookSettings
from birthmark.vocabulary import DeliveryState

SECRET_PREFIX = "whsec_"  # noqa: S105 - a prefix, not a secret
_PORTS = {"http": 80, "https": 443}
_LONGEST_ANSWER = 64 * 1024
_WITH_RETRY_AFTER = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)


class Endpoint(NamedTuple):
    """The parts of a URL."""

    is_secure: bool
    authority: str
    host: str
    port: int
    target: str


def send_webhook(
    hook: WebhookSettings, id_: str, body: bytes, *, now: float | None = None, resolve: Resolve = resolve_host
) -> DeliveryOutcome:
    deadline = Deadline(hook.seconds)
    at = time.time() if now is None else now
    try:
        endpoint = parse_url(hook.url or read_variable(hook.url_env))
        secrets = parse_secrets(read_variable(hook.secret_env)) if hook.secret_env else ()
        headers = {"Host": endpoint.authority, **_HEADERS, **signed_headers(secrets, id_, int(at), body)}
        with connected(endpoint.host, endpoint.port, deadline, hook.allow_private, resolve) as connection:
            return _exchange(_secured(connection, endpoint), endpoint, headers, body, deadline, at)
    except (OSError, HTTPException, ValueError) as error:
        return failed(deadline.reason(error))


_HEADERS = {"Content-Type": "application/json", "User-Agent": f"birthmark/{__version__}", "Connection": "close"}


def signed_headers(secrets: Sequence[bytes], id_: str, timestamp: int, body: bytes) -> dict[str, str]:
    content = f"{id_}.{timestamp}.".encode() + body
    digests = [hmac.digest(secret, content, hashlib.sha256) for secret in secrets]
    signature = " ".join(f"v1,{base64.b64encode(digest).decode()}" for digest in digests)
    return {
        "webhook-id": id_,
        "webhook-timestamp": str(timestamp),
        **({"webhook-signature": signature} if signature else {}),
    }


def parse_secrets(text: str) -> tuple[bytes, ...]:
    """Secrets as they are issued: `whsec_` and base64, separated by spaces. Raises ValueError."""
    return tuple(_parse_secret(word) for word in text.split() or [""])


def _parse_secret(word: str) -> bytes:
    encoded = word.removeprefix(SECRET_PREFIX)
    with suppress(binascii.Error, ValueError):
        if encoded != word and (secret := base64.b64decode(encoded, validate=True)):
            return secret
    raise ValueError(f"a webhook's secret is {SECRET_PREFIX} and base64")  # The message must not contain the secret.


def parse_url(url: str) -> Endpoint:
    """Raises ValueError if a URL cannot be used."""
    if not url.isascii() or not url.isprintable() or any(char in url for char in ' \\"<>'):
        raise ValueError("a URL has ASCII characters only; percent-encode the others")
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError("a URL begins with http:// or https:// and a host")
    if "@" in parts.netloc:
        raise ValueError("a URL may not hold a user or password")
    port = _PORTS[parts.scheme] if parts.port is None else parts.port
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Endpoint(parts.scheme == "https", parts.netloc, parts.hostname, port, target)


def _secured(connection: socket.socket, endpoint: Endpoint) -> socket.socket:
    if not endpoint.is_secure:
        return connection
    return ssl.create_default_context().wrap_socket(connection, server_hostname=endpoint.host.rstrip("."))


def _exchange(
    connection: socket.socket, endpoint: Endpoint, headers: dict[str, str], body: bytes, deadline: Deadline, now: float
) -> DeliveryOutcome:
    with closing(HTTPConnection(endpoint.host, endpoint.port)) as http:
        http.auto_open = 0  # It would resolve the name again.
        http.sock = connection
        with suppress(BrokenPipeError, ConnectionResetError):  # The answer may come before all is read.
            http.request("POST", endpoint.target, body, headers)
        with closing(http.getresponse()) as response:
            if deadline.is_over:  # The connection was shut down.
                return failed(deadline.message)
            _drain(response)
            return _judge(response, now)


def _drain(response: HTTPResponse) -> None:
    """Read the body of the answer up to a limit; only the status is used."""
    with suppress(OSError, HTTPException, ValueError):
        response.read(_LONGEST_ANSWER)


def _judge(response: HTTPResponse, now: float) -> DeliveryOutcome:
    status = response.status
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return DeliveryOutcome(DeliveryState.DELIVERED)
    if status == HTTPStatus.GONE:
        return DeliveryOutcome(DeliveryState.DEAD, "answered 410: the receiver accepts no more messages")
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return failed(f"answered {status}, a redirect, which is not followed; set the URL that it leads to")
    requested = response.headers.get("Retry-After") if status in _WITH_RETRY_AFTER else None
    return failed(f"answered {status}", retry_after(requested, now))


def retry_after(value: str | None, now: float) -> float | None:
    """Seconds to wait, from seconds or a date; None if it is neither."""
    if value is None:
        return None
    if value.isascii() and value.isdecimal():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
        return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now)
    except (ValueError, OverflowError):
        return None

"""Send a message by SMTP.

Takes a mailbox, the message's id, a subject and a text; gives a DeliveryOutcome and never raises for what a server or
the network does. The Message-ID is made of the message's id, so that a letter that comes twice can be known for one.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from contextlib import suppress
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.utils import format_datetime
from typing import NamedTuple

from birthmark.delivery.connections import Deadline, Resolve, connected, resolve_host
from birthmark.delivery.retries import DeliveryOutcome, DeliveryVerdict, failed, one_line

PORTS = {"starttls": 587, "tls": 465, "none": 25}
_PART = re.compile(r"[^\s\x00-\x1f\x7f<>()\[\]\\,;:@\"]+")
_US = "[127.0.0.1]"  # We have no name on the internet, and asking for one takes time.


class Mailbox(NamedTuple):
    """Who sends to whom, through which server. A password is sent over TLS only."""

    host: str
    sender: str
    to: tuple[str, ...]
    security: str = "starttls"
    port: int | None = None
    user: str | None = None
    password: str | None = None
    seconds: float = 30.0


def send_mail(
    mailbox: Mailbox, id_: str, subject: str, text: str, *, now: float | None = None, resolve: Resolve = resolve_host
) -> DeliveryOutcome:
    deadline = Deadline(mailbox.seconds)
    port = PORTS[mailbox.security] if mailbox.port is None else mailbox.port
    try:
        letter = write_letter(mailbox, id_, subject, text, now)
        # Servers for mail are often neighbours, and say who they are before they are told anything.
        with connected(mailbox.host, port, deadline, allow_private=True, resolve=resolve) as connection:
            return _judge(_converse(mailbox, connection, letter, deadline))
    except smtplib.SMTPRecipientsRefused as error:
        return failed(_refusals(error.recipients))
    except smtplib.SMTPResponseException as error:
        return failed(f"answered {_said(error.smtp_code, error.smtp_error)}")
    except (OSError, smtplib.SMTPException, ValueError) as error:
        return failed(deadline.reason(error))


def write_letter(mailbox: Mailbox, id_: str, subject: str, text: str, now: float | None = None) -> EmailMessage:
    """ValueError if an address is none. No value can end its header and begin another."""
    sender = _address(mailbox.sender)
    letter = EmailMessage(policy=SMTP_POLICY)
    letter["From"] = sender
    letter["To"] = tuple(_address(text) for text in mailbox.to)
    letter["Subject"] = one_line(subject)
    letter["Date"] = format_datetime(datetime.now(UTC) if now is None else datetime.fromtimestamp(now, UTC))
    letter["Message-ID"] = f"<{id_}@{sender.domain}>"
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content(text, cte="quoted-printable")
    return letter


def _address(text: str) -> Address:
    user, _, domain = text.rpartition("@")
    if not _PART.fullmatch(user) or not _PART.fullmatch(domain):
        raise ValueError(f"{text!r} is no mail address")
    return Address(username=user, domain=domain)


class _Client(smtplib.SMTP):
    """Speaks over a connection that is there already."""

    def __init__(self, connection: socket.socket, mailbox: Mailbox, deadline: Deadline) -> None:
        self._connection = connection
        super().__init__(mailbox.host, local_hostname=_US, timeout=deadline.left())

    def _get_socket(self, *_: object) -> socket.socket:
        return self._connection


def _converse(
    mailbox: Mailbox, connection: socket.socket, letter: EmailMessage, deadline: Deadline
) -> dict[str, tuple[int, bytes]]:
    """Hand the letter over; who of the recipients was refused."""
    context = ssl.create_default_context()
    if mailbox.security == "tls":
        connection = context.wrap_socket(connection, server_hostname=mailbox.host)
    client = _Client(connection, mailbox, deadline)
    try:
        if mailbox.security == "starttls":
            client.starttls(context=context)
        if mailbox.user is not None and mailbox.security != "none":
            client.login(mailbox.user, mailbox.password or "")
        refused = client.send_message(letter)
        with suppress(OSError, smtplib.SMTPException):
            client.quit()
        return refused
    finally:
        client.close()


def _judge(refused: dict[str, tuple[int, bytes]]) -> DeliveryOutcome:
    """Whom the server may take later is tried again, and the others then get it twice; whom it never takes is told."""
    if any(code < 500 for code, _ in refused.values()):
        return failed(_refusals(refused))
    return DeliveryOutcome(DeliveryVerdict.DELIVERED, one_line(_refusals(refused)) if refused else None)


def _refusals(refused: dict[str, tuple[int, bytes]]) -> str:
    return "; ".join(f"{to} was refused: {_said(code, words)}" for to, (code, words) in refused.items())


def _said(code: int, words: bytes | str) -> str:
    return f"{code} {words.decode('utf-8', 'replace') if isinstance(words, bytes) else words}"

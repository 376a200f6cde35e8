"""Send a message by SMTP.

Takes a mailbox, the message's id, a subject and a text; returns a DeliveryOutcome and never raises for errors of a
server or the network. The Message-ID is made of the message's id, so that duplicates can be recognized.
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

from birthmark.server.delivery.connections import Deadline, Resolve, connected, resolve_host
from birthmark.server.delivery.sending import DeliveryOutcome, failed, one_line, read_variable
from birthmark.sources.config import MailSettings
from birthmark.vocabulary import DeliveryState

PORTS = {"starttls": 587, "tls": 465, "none": 25}
_PART = re.compile(r"[^\s\x00-\x1f\x7f<>()\[\]\\,;:@\"]+")
_LOCAL_HOST = "[127.0.0.1]"  # Looking up the real name takes time.


def send_mail(
    mailbox: MailSettings,
    id_: str,
    subject: str,
    text: str,
    *,
    now: float | None = None,
    resolve: Resolve = resolve_host,
) -> DeliveryOutcome:
    """A password is sent over TLS only."""
    deadline = Deadline(mailbox.seconds)
    port = PORTS[mailbox.security] if mailbox.port is None else mailbox.port
    try:
        login = [read_variable(name) for name in (mailbox.user_env, mailbox.password_env) if name]
        email = write_email(mailbox, id_, subject, text, now)
        # Mail servers are often in the private network, and identify themselves before anything is sent.
        with connected(mailbox.host, port, deadline, allow_private=True, resolve=resolve) as connection:
            return _judge(_transmit(mailbox, login, connection, email, deadline))
    except smtplib.SMTPRecipientsRefused as error:
        return failed(_refusals(error.recipients))
    except smtplib.SMTPResponseException as error:
        return failed(f"answered {_format_reply(error.smtp_code, error.smtp_error)}")
    except (OSError, smtplib.SMTPException, ValueError) as error:
        return failed(deadline.reason(error))


def write_email(mailbox: MailSettings, id_: str, subject: str, text: str, now: float | None = None) -> EmailMessage:
    """Raises ValueError for a bad address. No value can end its header and begin another."""
    sender = _address(mailbox.sender)
    email = EmailMessage(policy=SMTP_POLICY)
    email["From"] = sender
    email["To"] = tuple(_address(text) for text in mailbox.to)
    email["Subject"] = one_line(subject)
    email["Date"] = format_datetime(datetime.now(UTC) if now is None else datetime.fromtimestamp(now, UTC))
    email["Message-ID"] = f"<{id_}@{sender.domain}>"
    email["Auto-Submitted"] = "auto-generated"
    email.set_content(text, cte="quoted-printable")
    return email


def _address(text: str) -> Address:
    user, _, domain = text.rpartition("@")
    if not _PART.fullmatch(user) or not _PART.fullmatch(domain):
        raise ValueError(f"{text!r} is not a mail address")
    return Address(username=user, domain=domain)


class _Client(smtplib.SMTP):
    """An SMTP client over an existing connection."""

    def __init__(self, connection: socket.socket, mailbox: MailSettings, deadline: Deadline) -> None:
        self._connection = connection
        super().__init__(mailbox.host, local_hostname=_LOCAL_HOST, timeout=deadline.left())

    def _get_socket(self, *_: object) -> socket.socket:
        return self._connection


def _transmit(
    mailbox: MailSettings, login: list[str], connection: socket.socket, email: EmailMessage, deadline: Deadline
) -> dict[str, tuple[int, bytes]]:
    """Send the email; return the recipients that were refused."""
    context = ssl.create_default_context()
    if mailbox.security == "tls":
        connection = context.wrap_socket(connection, server_hostname=mailbox.host)
    client = _Client(connection, mailbox, deadline)
    try:
        if mailbox.security == "starttls":
            client.starttls(context=context)
        if mailbox.user_env and mailbox.security != "none":
            client.login(login[0], "".join(login[1:]))
        refused = client.send_message(email)
        with suppress(OSError, smtplib.SMTPException):
            client.quit()
        return refused
    finally:
        client.close()


def _judge(refused: dict[str, tuple[int, bytes]]) -> DeliveryOutcome:
    """Retry if a recipient was refused for now, though others get it twice; report those refused for good."""
    if any(code < 500 for code, _ in refused.values()):
        return failed(_refusals(refused))
    return DeliveryOutcome(DeliveryState.DELIVERED, one_line(_refusals(refused)) if refused else None)


def _refusals(refused: dict[str, tuple[int, bytes]]) -> str:
    return "; ".join(f"{to} was refused: {_format_reply(code, words)}" for to, (code, words) in refused.items())


def _format_reply(code: int, words: bytes | str) -> str:
    return f"{code} {words.decode('utf-8', 'replace') if isinstance(words, bytes) else words}"

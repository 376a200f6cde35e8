"""Mail reaches the server that is named, over the security that is set, and says nothing that it was not given."""

from __future__ import annotations

import base64
import email
import time
from email.message import EmailMessage
from email.policy import default
from socket import create_server
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from birthmark.server.delivery.mail import send_mail, write_email
from birthmark.server.delivery.sending import DeliveryOutcome
from birthmark.sources.config import MailSettings
from birthmark.vocabulary import DeliveryState
from receivers import (
    HOOK_HOST,
    Certificate,
    Letters,
    dripping,
    make_certificate,
    needs_openssl,
    receiving,
    taking_mail,
    unused_port,
)

MAILBOX = MailSettings("127.0.0.1", "birthmark@example.org", ("team@example.org", "boss@example.org"), security="none")
SECURE = replace(MAILBOX, security="starttls", user_env="BIRTHMARK_USER", password_env="BIRTHMARK_PASSWORD")  # noqa: S106 - names of variables
TEXT = "# 2 triggers\n\n.\n.. `a.py:1` — ü\n" + "x" * 2000 + "\n"


@pytest.fixture(autouse=True)
def _login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIRTHMARK_USER", "me")
    monkeypatch.setenv("BIRTHMARK_PASSWORD", "pass")


def local(host: str, seconds: float) -> list[str]:
    return ["127.0.0.1"]


def read(server: Letters) -> EmailMessage:
    (letter,) = server.letters
    lines = letter.replace(b"\r\n..", b"\r\n.")  # As a server takes out what SMTP puts in.
    message = email.message_from_bytes(lines, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def test_a_letter_arrives() -> None:
    with taking_mail() as server:
        sent = send_mail(replace(MAILBOX, port=server.port), "msg_1", "2 triggers", TEXT, now=1700000000)
    assert sent == DeliveryOutcome(DeliveryState.DELIVERED)
    letter = read(server)
    assert letter["From"] == "birthmark@example.org"
    assert letter["To"] == "team@example.org, boss@example.org"
    assert letter["Subject"] == "2 triggers"
    assert letter["Message-ID"] == "<msg_1@example.org>"
    assert letter["Date"] == "Tue, 14 Nov 2023 22:13:20 +0000"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter.get_content().replace("\r\n", "\n") == TEXT
    assert [line for line in server.commands if line.startswith("rcpt")] == [
        "rcpt TO:<team@example.org>",
        "rcpt TO:<boss@example.org>",
    ]


def test_a_letter_sent_twice_is_known_for_one() -> None:
    box = replace(MAILBOX, sender=f"birthmark@{'a-long-name.' * 6}example.org")
    first, second = (write_email(box, "msg_" + "a" * 32, "s", "t", now) for now in (1.0, 2.0))
    parsed = [email.message_from_bytes(bytes(letter), policy=default)["Message-ID"] for letter in (first, second)]
    assert parsed[0] == parsed[1] == f"<msg_{'a' * 32}@{'a-long-name.' * 6}example.org>"


@given(st.text(), st.text(st.characters(exclude_categories=["Cs"])))
def test_no_subject_or_text_makes_a_header(subject: str, text: str) -> None:
    expected = ["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"]
    mime = ["Content-Type", "Content-Transfer-Encoding", "MIME-Version"]
    letter = write_email(MAILBOX, "msg_1", f"{subject}\r\nBcc: spy@example.org", text)
    parsed = email.message_from_bytes(bytes(letter), policy=default)
    assert sorted(parsed.keys()) == sorted([*expected, *mime])


@pytest.mark.parametrize("address", ["a@b\r\nBcc: spy@example.org", "a@b\nX: y", "nobody", "", "a@b, c@d", "a b@c"])
def test_bad_addresses_send_nothing(address: str) -> None:
    with taking_mail() as server:
        box = replace(MAILBOX, port=server.port)
        for bad in (replace(box, sender=address), replace(box, to=("team@example.org", address))):
            assert send_mail(bad, "msg_1", "s", "t").state is DeliveryState.PENDING
        assert server.commands == []


def test_bad_ids_make_no_header() -> None:
    assert send_mail(MAILBOX, "msg\r\nBcc: spy@example.org", "s", "t").state is DeliveryState.PENDING


REPLIES = {
    "sender refused": ({"mail": "550 go away"}, DeliveryState.PENDING, "answered 550 go away"),
    "all refused": ({"rcpt": "550 unknown"}, DeliveryState.PENDING, "team@example.org was refused: 550 unknown; boss"),
    "one never": ({"rcpt TO:<boss": "550 gone"}, DeliveryState.DELIVERED, "boss@example.org was refused: 550 gone"),
    "one not now": ({"rcpt TO:<boss": "451 later"}, DeliveryState.PENDING, "boss@example.org was refused: 451 later"),
    "text refused": ({"data": "554 \x1b[31mspam"}, DeliveryState.PENDING, "answered 554 [31mspam"),
    "no farewell": ({"quit": "500 what"}, DeliveryState.DELIVERED, ""),
    "no SMTP": ({"ehlo": "x", "helo": "x"}, DeliveryState.PENDING, "not connected"),
}


@pytest.mark.parametrize("case", REPLIES)
def test_replies(case: str) -> None:
    replies, verdict, error = REPLIES[case]
    with taking_mail(replies=replies) as server:
        outcome = send_mail(replace(MAILBOX, port=server.port), "msg_1", "s", "t")
    assert outcome.state is verdict
    assert error in (outcome.error or "")


def test_a_server_that_is_down() -> None:
    outcome = send_mail(replace(MAILBOX, port=unused_port()), "msg_1", "s", "t")
    assert (outcome.state, "refused" in (outcome.error or "")) == (DeliveryState.PENDING, True)


@pytest.mark.parametrize("greeting", [b"", b"220-", b"554 not you\r\n"])
def test_a_server_that_does_not_greet(greeting: bytes) -> None:
    started = time.monotonic()
    with taking_mail(greeting=greeting) as server:
        outcome = send_mail(replace(MAILBOX, port=server.port, seconds=0.3), "msg_1", "s", "t")
    assert outcome.state is DeliveryState.PENDING
    assert outcome.error in ("took longer than 0.3 s", "answered 554 not you")
    assert time.monotonic() - started < 5


def test_nobody_can_hold_the_sender() -> None:
    """Here a greeting that never ends, line by line."""
    over = Event()

    def greet() -> None:
        connection, _ = server.accept()
        with connection:
            dripping(b"", b"220-still greeting\r\n")(connection, over)

    with create_server(("127.0.0.1", 0)) as server:
        thread = Thread(target=greet)
        thread.start()
        box = replace(MAILBOX, port=server.getsockname()[1], seconds=0.3)
        outcome = send_mail(box, "msg_1", "s", "t")
        over.set()
        thread.join()
    assert outcome == DeliveryOutcome(DeliveryState.PENDING, "took longer than 0.3 s")


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return make_certificate(tmp_path_factory.mktemp("certificate"))


@needs_openssl
@pytest.mark.parametrize("security", ["starttls", "tls"])
@pytest.mark.parametrize("host", [HOOK_HOST, "other.test"])
def test_passwords_go_to_whom_they_are_meant_for(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch, security: str, host: str
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.certificate))
    with taking_mail(certificate.server_context(), is_tls=security == "tls") as server:
        box = replace(SECURE, host=host, port=server.port, security=security)
        outcome = send_mail(box, "msg_1", "s", "t", resolve=local)
    said = "AUTH PLAIN " + base64.b64encode(b"\0me\0pass").decode()
    if host == HOOK_HOST:
        assert (outcome, len(server.letters)) == (DeliveryOutcome(DeliveryState.DELIVERED), 1)
        assert said in server.commands
    else:
        assert outcome.state is DeliveryState.PENDING
        assert not any(line.startswith(("AUTH", "mail", "data")) for line in server.commands)


@pytest.mark.parametrize("reply", ["250 here", "250-here\r\n250 AUTH PLAIN"])
def test_no_tls_no_letter(reply: str) -> None:
    """A server, or one in between, that takes STARTTLS out of what it offers gets neither password nor letter."""
    with taking_mail(replies={"ehlo": reply}) as server:
        box = replace(SECURE, port=server.port)
        assert send_mail(box, "msg_1", "s", "t").state is DeliveryState.PENDING
    assert (server.letters, [line for line in server.commands if line.startswith("AUTH")]) == ([], [])


def test_without_tls_no_password_is_sent() -> None:
    with taking_mail(replies={"ehlo": "250-here\r\n250 AUTH PLAIN"}) as server:
        box = replace(SECURE, port=server.port, security="none")
        assert send_mail(box, "msg_1", "s", "t").state is DeliveryState.DELIVERED
    assert not any(line.startswith("AUTH") for line in server.commands)


def test_a_web_server_is_no_mail_server() -> None:
    with receiving() as receiver:
        box = replace(MAILBOX, port=receiver.port, seconds=0.3)
        assert send_mail(box, "msg_1", "s", "t").state is DeliveryState.PENDING
        assert receiver.requests == []

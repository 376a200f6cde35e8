"""Webhooks reach whom they may reach, signed, and nobody else; no receiver can hold or mislead the sender."""

from __future__ import annotations

import base64
import socket
import time
from email.utils import formatdate
from threading import Event, Thread

import pytest

from birthmark.server.delivery import connections
from birthmark.server.delivery.connections import is_public, resolve_host
from birthmark.server.delivery.sending import DeliveryOutcome
from birthmark.server.delivery.webhooks import parse_secrets, parse_url, retry_after, send_webhook, signed_headers
from birthmark.sources.config import WebhookSettings
from birthmark.vocabulary import DeliveryState
from receivers import (
    HOOK_HOST,
    OK,
    SECRET,
    Answer,
    Certificate,
    answering,
    dripping,
    make_certificate,
    needs_openssl,
    receiving,
    silent,
    unused_port,
)

BODY = b'{"type":"birthmark.scan.triggered"}'
VARIABLE = "BIRTHMARK_TEST_SECRET"
PUBLIC = WebhookSettings("http://hook.test/", VARIABLE)
SHORT = 0.3


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, SECRET)


def hook(url: str, seconds: float = 10.0) -> WebhookSettings:
    return WebhookSettings(url, VARIABLE, allow_private=True, seconds=seconds)


def local(host: str, seconds: float) -> list[str]:
    return ["127.0.0.1"]


def test_a_message_arrives_signed() -> None:
    with receiving() as receiver:
        assert send_webhook(hook(receiver.url + "?a=b"), "msg_1", BODY, now=1700000000.9) == DeliveryOutcome(
            DeliveryState.DELIVERED
        )
    (request,) = receiver.requests
    assert (request.line, request.body) == ("POST /hook?a=b HTTP/1.1", BODY)
    assert (request.id, request.headers["webhook-timestamp"]) == ("msg_1", "1700000000")
    assert request.headers["content-type"] == "application/json"
    assert request.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert request.is_signed_by(SECRET)
    assert not request.is_signed_by("whsec_" + base64.b64encode(b"another").decode())


def test_the_example_of_the_specification() -> None:
    keys = parse_secrets("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    headers = signed_headers(keys, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_while_secrets_change_each_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    other = "whsec_" + base64.b64encode(b"another").decode()
    monkeypatch.setenv(VARIABLE, f"{SECRET} {other}")
    with receiving() as receiver:
        send_webhook(hook(receiver.url), "msg_1", BODY)
    (request,) = receiver.requests
    assert request.is_signed_by(SECRET)
    assert request.is_signed_by(other)


@pytest.mark.parametrize(
    "text", ["", "  ", "whsec_", "whsec_%", "bm90IG91cnM=", f"{SECRET} other", "whsec_bm90IG91cnM"]
)
def test_bad_secrets(text: str) -> None:
    with pytest.raises(ValueError, match="a webhook's secret is whsec_ and base64"):
        parse_secrets(text)


def close(connection: socket.socket, _: Event) -> None:
    connection.shutdown(socket.SHUT_RDWR)


ANSWERS: dict[str, tuple[Answer | bytes, DeliveryState, str | None]] = {
    "200": (answering("200 OK", body=b"thanks"), DeliveryState.DELIVERED, None),
    "204": (OK, DeliveryState.DELIVERED, None),
    "299": (answering("299 Odd"), DeliveryState.DELIVERED, None),
    "cut short": (b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx", DeliveryState.DELIVERED, None),
    "bad chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nlies\r\n", DeliveryState.DELIVERED, None),
    "huge": (dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 100_000), DeliveryState.DELIVERED, None),
    "410": (answering("410 Gone"), DeliveryState.DEAD, "answered 410: the receiver accepts no more messages"),
    "400": (answering("400 Bad"), DeliveryState.PENDING, "answered 400"),
    "500": (answering("500 \x1b[31mOops", body=b"x" * 100_000), DeliveryState.PENDING, "answered 500"),
    "101": (answering("101 Switching"), DeliveryState.PENDING, "answered 101"),
    "not HTTP": (b"220 mail.example.com ESMTP\r\n", DeliveryState.PENDING, "220 mail.example.com ESMTP"),
    "no number": (b"HTTP/1.1 2x0 OK\r\n\r\n", DeliveryState.PENDING, "HTTP/1.1 2x0 OK"),
    "long line": (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000, DeliveryState.PENDING, "got more than 65536 bytes"),
    "many headers": (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200, DeliveryState.PENDING, "got more than 100 headers"),
    "closes early": (close, DeliveryState.PENDING, "closed connection without response"),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_answers(case: str) -> None:
    answer, verdict, error = ANSWERS[case]
    with receiving(answer) as receiver:
        outcome = send_webhook(hook(receiver.url), "msg_1", BODY)
    assert outcome.state is verdict
    assert (outcome.error or "").find(error or "") >= 0
    assert (outcome.error or "").isprintable()


SLOW: dict[str, tuple[Answer, DeliveryState]] = {
    "says nothing": (silent, DeliveryState.PENDING),
    "drips a status": (dripping(b"HTTP/1.1 2", b"0"), DeliveryState.PENDING),
    "drips a header": (dripping(b"HTTP/1.1 200 OK\r\nX-Slow: "), DeliveryState.PENDING),
    "promises for ever": (dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), DeliveryState.PENDING),
    "drips a body": (dripping(b"HTTP/1.1 200 OK\r\n\r\n"), DeliveryState.DELIVERED),
}


@pytest.mark.parametrize("case", SLOW)
def test_nobody_can_hold_the_sender(case: str) -> None:
    answer, verdict = SLOW[case]
    started = time.monotonic()
    with receiving(answer) as receiver:
        outcome = send_webhook(hook(receiver.url, SHORT), "msg_1", BODY)
    assert outcome.state is verdict
    assert verdict is DeliveryState.DELIVERED or outcome.error == "took longer than 0.3 s"
    assert time.monotonic() - started < 5


def test_who_does_not_read_cannot_hold_the_sender() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:  # It takes the connection, and that is all.
        outcome = send_webhook(hook(f"http://127.0.0.1:{server.getsockname()[1]}/", SHORT), "msg_1", b"x" * (1 << 26))
    assert outcome == DeliveryOutcome(DeliveryState.PENDING, "took longer than 0.3 s")


def test_an_answer_before_the_end_counts() -> None:
    def hang_up() -> None:
        connection, _ = server.accept()
        connection.recv(1)
        connection.sendall(answering("410 Gone"))
        connection.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = Thread(target=hang_up)
        thread.start()
        outcome = send_webhook(hook(f"http://127.0.0.1:{server.getsockname()[1]}/"), "msg_1", b"x" * (1 << 26))
        thread.join()
    assert outcome.state is DeliveryState.DEAD


def test_a_receiver_that_is_down() -> None:
    outcome = send_webhook(hook(f"http://127.0.0.1:{unused_port()}/"), "msg_1", BODY)
    assert outcome.state is DeliveryState.PENDING
    assert "refused" in (outcome.error or "")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 300])
def test_no_redirect_is_followed(status: int) -> None:
    with receiving() as other, receiving(answering(f"{status} Elsewhere", f"Location: {other.url}")) as receiver:
        outcome = send_webhook(hook(receiver.url), "msg_1", BODY)
        assert len(receiver.requests) == 1
        assert other.requests == []
    assert outcome.state is DeliveryState.PENDING
    assert f"answered {status}, a redirect" in (outcome.error or "")


def test_no_proxy_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as proxy, receiving() as receiver:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        assert send_webhook(hook(receiver.url), "msg_1", BODY).state is DeliveryState.DELIVERED
        assert (len(receiver.requests), proxy.requests) == (1, [])


# Who may be called

ADDRESSES = {
    True: (
        "1.1.1.1 8.8.8.8 93.184.216.34 2606:4700::1111 2a00:1450:4001::1 "
        "64:ff9b::808:808 2002:808:808::1 ::ffff:8.8.8.8"
    ),
    False: (
        "127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 "
        "100.127.255.255 0.0.0.0 0.1.2.3 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1 "
        "239.255.255.255 240.0.0.1 255.255.255.255 "
        ":: ::1 fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd12::1 ff02::1 2001:db8::1 3fff::1 2001::1 2001:0:7f00:1:: "
        "100::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:100.64.0.1 "
        "64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::808:808 2002:7f00:1:: 2002:a00:1::1 2002:c0a8:101:: 5f00::1"
    ),
}
TABLE = [(address, public) for public, addresses in ADDRESSES.items() for address in addresses.split()]


@pytest.mark.parametrize(("address", "expected"), TABLE)
def test_addresses(address: str, expected: bool) -> None:
    assert is_public(address) is expected


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were connected to; none of them is, really."""
    addresses: list[str] = []

    def connect(candidates: list[str], *_: object) -> socket.socket:
        addresses.extend(candidates)
        raise ConnectionRefusedError("nobody there")

    monkeypatch.setattr(connections, "_connect_first", connect)
    return addresses


@pytest.mark.parametrize(
    "answers",
    [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::1", "8.8.8.8"], ["8.8.8.8", "::ffff:127.0.0.1"], [], ["junk"]],
)
def test_a_name_with_a_private_address_is_refused(called: list[str], answers: list[str]) -> None:
    outcome = send_webhook(PUBLIC, "msg_1", BODY, resolve=lambda host, seconds: answers)
    assert outcome.state is DeliveryState.PENDING
    assert called == []


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "[::1]", "[::ffff:7f00:1]", "localhost"],
)
def test_no_spelling_of_this_machine_is_called(called: list[str], host: str) -> None:
    with receiving() as receiver:
        outcome = send_webhook(WebhookSettings(f"http://{host}:{receiver.port}/", VARIABLE), "msg_1", BODY)
        assert (receiver.requests, called) == ([], [])
    assert outcome.state is DeliveryState.PENDING
    assert "not public" in (outcome.error or "") or "cannot be found" in (outcome.error or "")


def test_a_name_is_asked_for_once(called: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever answers the check with one address and what follows with another is not asked again."""
    answers = iter([["8.8.8.8"], ["127.0.0.1"]])
    outcome = send_webhook(PUBLIC, "msg_1", BODY, resolve=lambda host, seconds: next(answers))
    assert (outcome.error, called) == ("nobody there", ["8.8.8.8"])
    assert next(answers) == ["127.0.0.1"]


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(*_: object, **__: object) -> None:
        raise AssertionError("a second look-up")

    monkeypatch.setattr(socket, "getaddrinfo", ask)
    with receiving() as receiver:
        url = f"http://hook.test:{receiver.port}/"
        assert send_webhook(hook(url), "msg_1", BODY, resolve=local).state is DeliveryState.DELIVERED
    assert receiver.requests[0].headers["host"] == f"hook.test:{receiver.port}"


def test_the_next_address_is_tried() -> None:
    with receiving() as receiver:
        url = f"http://hook.test:{receiver.port}/"
        outcome = send_webhook(hook(url), "msg_1", BODY, resolve=lambda host, seconds: ["127.0.0.2", "127.0.0.1"])
    assert outcome.state is DeliveryState.DELIVERED


def test_name_servers_cannot_hold_the_sender(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answered.wait(30) and [])
    outcome = send_webhook(WebhookSettings("http://hook.test/", VARIABLE, seconds=0.05), "msg_1", BODY)
    answered.set()
    assert outcome == DeliveryOutcome(DeliveryState.PENDING, "took longer than 0.05 s")


def test_a_name_that_is_none() -> None:
    with pytest.raises(OSError, match="cannot be found"):
        resolve_host(f"{'a' * 64}.test", 5)


BAD_URLS = (
    "ftp://hook.test/ file:///etc/passwd //hook.test/ hook.test/ http:/// http://:80/ http://user@hook.test/ "
    "https://user:password@hook.test/ http://@hook.test/ http://hook.test:99999/ http://hook.test:x/ http://hook.té/ "
    "http://hook.test\\@other.test/ http://[::1/"
).split()


@pytest.mark.parametrize(
    "url", [*BAD_URLS, "http://hook.test/a b", "http://hook.test/\r\nX: y", "http://hook.test/\0", ""]
)
def test_bad_urls(called: list[str], url: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - in the words of whoever finds out
        parse_url(url)
    assert send_webhook(hook(url), "msg_1", BODY, resolve=local).state is DeliveryState.PENDING
    assert called == []


@pytest.mark.parametrize("id_", ["msg\r\nX-Evil: 1", "msg\n"])
def test_ids_end_no_header(id_: str) -> None:
    with receiving() as receiver:
        assert send_webhook(hook(receiver.url), id_, BODY).state is DeliveryState.PENDING
        assert receiver.requests == []


RETRY_AFTER = {
    None: None,
    "120": 120.0,
    "0": 0.0,
    "-5": None,
    "soon": None,
    "": None,
    "9" * 400: float("inf"),
    formatdate(1700000060, usegmt=True): 60.0,
    formatdate(1600000000, usegmt=True): 0.0,
    "Fri, 99 Foo 2023 25:00:00 GMT": None,
}


@pytest.mark.parametrize("value", RETRY_AFTER)
def test_retry_after(value: str | None) -> None:
    assert retry_after(value, 1700000000.0) == RETRY_AFTER[value]


@pytest.mark.parametrize(("status", "expected"), [(429, 7.0), (503, 7.0), (500, None), (302, None)])
def test_some_may_ask_to_wait(status: int, expected: float | None) -> None:
    with receiving(answering(f"{status} Later", "Retry-After: 7")) as receiver:
        outcome = send_webhook(hook(receiver.url), "msg_1", BODY)
    assert (outcome.state, outcome.retry_after) == (DeliveryState.PENDING, expected)


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return make_certificate(tmp_path_factory.mktemp("certificate"))


@needs_openssl
@pytest.mark.parametrize(
    ("host", "is_trusted", "verdict"),
    [
        (HOOK_HOST, True, DeliveryState.DELIVERED),
        (f"{HOOK_HOST}.", True, DeliveryState.DELIVERED),
        ("other.test", True, DeliveryState.PENDING),
        ("127.0.0.1", True, DeliveryState.PENDING),
        (HOOK_HOST, False, DeliveryState.PENDING),
    ],
)
def test_certificates_are_checked(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch, host: str, is_trusted: bool, verdict: DeliveryState
) -> None:
    if is_trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.certificate))
    with receiving(context=certificate.server_context()) as receiver:
        url = f"https://{host}:{receiver.port}/"
        outcome = send_webhook(hook(url), "msg_1", BODY, resolve=local)
        assert len(receiver.requests) == (verdict is DeliveryState.DELIVERED)
    assert outcome.state is verdict
    assert verdict is DeliveryState.DELIVERED or "CERTIFICATE_VERIFY_FAILED" in (outcome.error or "")


@needs_openssl
def test_nobody_can_hold_the_sender_behind_tls(certificate: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.certificate))
    drip = dripping(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    with receiving(drip, certificate.server_context()) as receiver:
        outcome = send_webhook(hook(f"https://{HOOK_HOST}:{receiver.port}/", SHORT), "msg_1", BODY, resolve=local)
    assert outcome == DeliveryOutcome(DeliveryState.PENDING, "took longer than 0.3 s")


def test_a_handshake_that_never_ends() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"https://127.0.0.1:{server.getsockname()[1]}/"
        assert send_webhook(hook(url, SHORT), "msg_1", BODY) == DeliveryOutcome(
            DeliveryState.PENDING, "took longer than 0.3 s"
        )

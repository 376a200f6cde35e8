"""Receivers of webhooks and mail on this machine, honest and otherwise, each in a thread of its own."""

from __future__ import annotations

import base64
import hashlib
import hmac
import shutil
import socket
import socketserver
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SECRET = "whsec_" + base64.b64encode(b"a secret of twenty-four.").decode()
OK = b"HTTP/1.1 204 No Content\r\n\r\n"
HOOK_HOST = "hook.test"  # what the certificate is made out to
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="it makes the certificate")

Answer = Callable[[socket.socket, threading.Event], None]  # the event is set when all is over


class Request(NamedTuple):
    """What came in."""

    line: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    def is_signed_by(self, secret: str) -> bool:
        """By the specification's words, not by our code."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        content = b".".join([self.id.encode(), self.headers["webhook-timestamp"].encode(), self.body])
        expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
        return expected in self.headers["webhook-signature"].split(" ")


class Receiver(socketserver.ThreadingTCPServer):
    """Keeps every request, then does to its sender what `answer` says."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True

    def __init__(self, answer: Answer | bytes = OK) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.requests: list[Request] = []
        self.arrived = threading.Event()
        self.over = threading.Event()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def handle_error(self, *_: object) -> None:
        """Senders may hang up."""


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        receiver: Any = self.server
        line = self.rfile.readline().decode().strip()
        headers = {}
        while header := self.rfile.readline().decode().strip():
            name, _, value = header.partition(":")
            headers[name.lower()] = value.strip()
        receiver.requests.append(Request(line, headers, self.rfile.read(int(headers["content-length"]))))
        receiver.arrived.set()
        if isinstance(receiver.answer, bytes):
            self.connection.sendall(receiver.answer)
        else:
            receiver.answer(self.connection, receiver.over)


@contextmanager
def receiving(answer: Answer | bytes = OK, context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    with Receiver(answer) as receiver:
        if context is not None:
            receiver.socket = context.wrap_socket(receiver.socket, server_side=True)
        with serving(receiver):
            yield receiver
        receiver.over.set()


@contextmanager
def serving(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()


def answering(status: str, *headers: str, body: bytes = b"") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "", ""]).encode() + body


def dripping(start: bytes, drop: bytes = b"x") -> Answer:
    """A byte now and then, for ever: no single read takes long."""

    def drip(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(start)
        with suppress(OSError):
            while not over.wait(0.02):
                connection.sendall(drop)

    return drip


def silent(_: socket.socket, over: threading.Event) -> None:
    over.wait(30)


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Certificate(NamedTuple):
    """A self-signed one, with its key."""

    certificate: Path
    key: Path

    def server_context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context


def make_certificate(folder: Path) -> Certificate:
    made = Certificate(folder / "certificate.pem", folder / "key.pem")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test".split()
    names = ["-addext", f"subjectAltName=DNS:{HOOK_HOST}", "-keyout", str(made.key), "-out", str(made.certificate)]
    subprocess.run([*command, *names], check=True, capture_output=True, timeout=30)
    return made


class Letters(socketserver.ThreadingTCPServer):
    """A small SMTP server; `replies` say otherwise than 250 to the commands that begin so."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, context: ssl.SSLContext | None, replies: dict[str, str], greeting: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _SmtpHandler)
        self.context, self.replies, self.greeting = context, replies, greeting
        self.commands: list[str] = []
        self.letters: list[bytes] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def handle_error(self, *_: object) -> None:
        """Senders may hang up."""


class _SmtpHandler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server: Any = self.server
        self.wfile.write(server.greeting)
        while line := self.rfile.readline().decode().strip():
            server.commands.append(line)
            self._reply(server, line)

    def _reply(self, server: Letters, line: str) -> None:
        word = line.split()[0].upper()
        otherwise = next((reply for start, reply in server.replies.items() if line.startswith(start)), None)
        if otherwise is not None:
            self._say(otherwise)
        elif word == "EHLO":
            self._say("250-here\r\n250-AUTH PLAIN\r\n250 STARTTLS" if server.context else "250 here")
        elif word == "STARTTLS":
            self._say("220 go on")
            assert server.context is not None
            self.connection = self.request = server.context.wrap_socket(self.connection, server_side=True)
            self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
        elif word == "AUTH":
            self._say("235 welcome")
        elif word == "DATA":
            self._say("354 speak")
            server.letters.append(b"".join(iter(self.rfile.readline, b".\r\n")))
            self._say("250 taken")
        else:
            self._say("221 bye" if word == "QUIT" else "250 fine")

    def finish(self) -> None:
        super().finish()
        self.request.close()

    def _say(self, reply: str) -> None:
        self.wfile.write(f"{reply}\r\n".encode())


@contextmanager
def taking_mail(
    context: ssl.SSLContext | None = None,
    replies: dict[str, str] | None = None,
    greeting: bytes = b"220 here\r\n",
    is_tls: bool = False,
) -> Iterator[Letters]:
    with Letters(context, replies or {}, greeting) as server:
        if is_tls:
            assert context is not None
            server.socket = context.wrap_socket(server.socket, server_side=True)
        with serving(server):
            yield server

"""Send answers with an ETag and compressed, or as 304 to a client that has them.

The ETag is weak: it is the same however an answer is compressed, and whenever the worktree was looked at. Streams are
sent as they are.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Callable

import anyio
import xxhash
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from birthmark.surfaces.http.observation import QUESTIONS

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_FEWEST = 1024  # bytes that are worth compressing
_MANY = 1 << 16  # bytes that are compressed in a thread
_GZIP = 16 + zlib.MAX_WBITS  # a zlib stream with the header of gzip
_LEVEL = 5  # of gzip, where more takes twice as long for a few percent
_TEXT = re.compile(r"text/(?!event-stream)|application/(json|javascript|problem\+json|atom\+xml)|image/svg\+xml")
_CHECKED_AT = re.compile(rb'"checked_at":[0-9.e+]+')
_OPAQUE = re.compile(r'"[^"]*"')
_REFUSED = re.compile(r"q=0(\.0*)?")


def _gzip(body: bytes) -> bytes:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return packer.compress(body) + packer.flush()


# By preference.
_ENCODINGS: dict[str, Callable[[bytes], bytes]] = {"zstd": zstd.compress, "gzip": _gzip}


class CompactAnswers:
    """Sends the answers of an application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        asked, held = Headers(scope=scope), list[Message]()

        async def send_compact(message: Message) -> None:
            if message["type"] == "http.response.start":
                held.append(message)
                return
            if held:
                start = held.pop()
                if not message.get("more_body"):
                    body = await _finish(scope["method"], asked, start, message.get("body", b""))
                    message = {**message, "body": body}
                await send(start)
            await send(message)

        await self.app(scope, receive, send_compact)


async def _finish(method: str, asked: Headers, start: Message, body: bytes) -> bytes:
    """Complete the status and the headers of an answer, and return what is sent of its body."""
    start["headers"] = [*start.get("headers", ())]
    headers = MutableHeaders(raw=start["headers"])
    if start["status"] == 200 and method in QUESTIONS:
        headers["ETag"] = f'W/"{xxhash.xxh3_128_hexdigest(_CHECKED_AT.sub(b"", body))}"'
        if _has(asked, headers["ETag"]):
            start["status"] = 304
            del headers["Content-Length"], headers["Content-Type"]
            return b""
    if not _TEXT.match(headers.get("Content-Type", "")):
        return body
    headers.add_vary_header("Accept-Encoding")
    encoding = _choose_encoding(asked.get("Accept-Encoding", ""))
    if not encoding or len(body) < _FEWEST or "Content-Encoding" in headers:
        return body
    compress = _ENCODINGS[encoding]
    body = await anyio.to_thread.run_sync(compress, body) if len(body) > _MANY else compress(body)
    headers["Content-Encoding"], headers["Content-Length"] = encoding, str(len(body))
    return body


def _has(asked: Headers, etag: str) -> bool:
    known = asked.get("If-None-Match", "")
    return known.strip() == "*" or etag.removeprefix("W/") in _OPAQUE.findall(known)


def _choose_encoding(accepted: str) -> str:
    """Return the first one that the client accepts, or nothing."""
    named = (one.partition(";") for one in accepted.lower().split(","))
    names = {name.strip() for name, _, quality in named if not _REFUSED.fullmatch(quality.strip())}
    return next((one for one in _ENCODINGS if one in names), "")
